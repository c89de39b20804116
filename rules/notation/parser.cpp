#include "rules/notation/parser.h"

#include <string>
#include <utility>
#include <vector>

#include "rules/notation/lexer.h"

namespace landsraad::rules::notation {

namespace {

using Form = Effect::Form;

// Recursive descent, one function for each line of the grammar. After the first error the cursor stands
// on the end token, where no rule finds anything more to read, so every function returns quickly.
class Parser {
 public:
  Parser(std::string_view text, Place place, const Source& source)
      : source_(source), errors_before_(source.errors.size()), tokens_(tokenize(text, place, source)) {
    if (failed()) next_ = tokens_.size() - 1;
  }

  std::optional<Effect> whole_effect() {
    Effect root = effect();
    expect_end();
    if (failed()) return std::nullopt;
    return root;
  }

  std::optional<Conditions> whole_conditions() {
    Conditions root = conditions();
    expect_end();
    if (failed()) return std::nullopt;
    return root;
  }

 private:
  // ---- Tokens -------------------------------------------------------------------------------------
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  bool failed() const { return source_.errors.size() > errors_before_; }

  void fail(const std::string& expected) {
    fail_at(peek().place, "expected " + expected + ", found " + describe(peek()));
  }
  void fail_at(Place place, std::string message) {
    if (!failed()) source_.error(place, std::move(message));
    next_ = tokens_.size() - 1;
  }

  Token take() {
    Token token = peek();
    if (token.kind != Token::Kind::end) ++next_;
    return token;
  }
  bool take_symbol(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
  }
  bool take_name(std::string_view name) {
    if (peek().kind != Token::Kind::name || peek().text != name) return false;
    take();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take_symbol(symbol)) fail("\"" + std::string(symbol) + "\"");
  }
  std::string expect_name(const std::string& what) {
    if (peek().kind == Token::Kind::name) return std::string(take().text);
    fail(what);
    return "";
  }
  int expect_number() {
    if (peek().kind == Token::Kind::number) return take().number;
    fail("a number");
    return 0;
  }
  void expect_end() {
    if (!failed() && peek().kind != Token::Kind::end)
      fail("the end of the effect, or \";\", \"+\", \"->\", \"OR\", \"THEN\"");
  }

  // Guards every way into deeper nesting.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth)
        parser_.fail_at(parser_.peek().place, "nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  // ---- Effects ------------------------------------------------------------------------------------
  // A node around `children`; a single child needs no node around it.
  static Effect joined(Form form, std::vector<Effect> children) {
    if (children.size() == 1) return std::move(children.front());
    Effect effect;
    effect.form = form;
    effect.place = children.front().place;
    effect.children = std::move(children);
    return effect;
  }

  Effect effect() {
    Depth depth(*this);
    std::vector<Effect> lines;
    do lines.push_back(block());
    while (take_symbol(";"));
    return joined(Form::lines, std::move(lines));
  }

  Effect block() {
    std::vector<Effect> options;
    do options.push_back(sequence());
    while (take_symbol("OR"));
    return joined(Form::choice, std::move(options));
  }

  Effect sequence() {
    Depth depth(*this);
    std::vector<Effect> steps;
    do steps.push_back(parts());
    while (take_symbol("THEN"));
    Effect left = joined(Form::then, std::move(steps));
    if (!take_symbol("->")) return left;
    Effect arrow;
    arrow.form = Form::arrow;
    arrow.place = left.place;
    arrow.children.push_back(std::move(left));
    arrow.children.push_back(sequence());
    return arrow;
  }

  Effect parts() {
    std::vector<Effect> items;
    bool cost_link = false;
    items.push_back(item());
    while (peek().is("+") || peek().is("&")) {
      cost_link = take().text == "&" || cost_link;
      items.push_back(item());
    }
    Effect all = joined(Form::parts, std::move(items));
    all.cost_link = all.cost_link || cost_link;
    return all;
  }

  Effect item() {
    const Token& first = peek();
    if (first.is("{")) return group();
    if (first.kind == Token::Kind::name && peek(1).is("(")) {
      if (first.text == "if") return condition();
      if (first.text == "on") return trigger();
    }
    if (first.kind == Token::Kind::name) return atom();
    fail("an effect");
    return {};
  }

  Effect group() {
    Effect group;
    group.form = Form::group;
    group.place = take().place;
    group.children.push_back(effect());
    expect("}");
    group.suffixes = suffixes();
    return group;
  }

  Effect condition() {
    Effect when;
    when.form = Form::condition;
    when.place = take().place;
    expect("(");
    when.conditions = conditions();
    expect(")");
    expect(":");
    when.children.push_back(sequence());
    return when;
  }

  Effect trigger() {
    Effect trigger;
    trigger.form = Form::trigger;
    trigger.place = take().place;
    expect("(");
    trigger.phrase = compared_phrase("a trigger");
    expect(")");
    expect(":");
    trigger.children.push_back(sequence());
    trigger.suffixes = lift_suffixes(trigger.children.front());
    return trigger;
  }

  // What stands last behind a trigger's sequence belongs to the whole trigger: takes it off the last
  // item of that sequence.
  static Suffixes lift_suffixes(Effect& sequence) {
    Effect* last = &sequence;
    while (last->form != Form::atom && last->form != Form::group && last->form != Form::trigger)
      last = &last->children.back();
    if (last->form == Form::trigger) return {};
    return std::exchange(last->suffixes, {});
  }

  Effect atom() {
    Effect atom;
    atom.place = peek().place;
    atom.phrase = phrase("an operation");
    if (take_symbol("(")) {
      if (is_amount()) {
        atom.amount = amount();
      } else {
        atom.children.push_back(effect());
      }
      expect(")");
      add_qualifiers(atom.phrase);
    }
    if (take_symbol("*")) atom.per.push_back(per());
    atom.suffixes = suffixes();
    return atom;
  }

  bool is_amount() const {
    const Token& token = peek();
    if (token.kind == Token::Kind::number) return true;
    return token.kind == Token::Kind::name && (token.text == "any" || token.text == "all") && peek(1).is(")");
  }

  Amount amount() {
    Amount amount;
    amount.place = peek().place;
    if (take_name("any")) {
      amount.kind = Amount::Kind::any;
    } else if (take_name("all")) {
      amount.kind = Amount::Kind::all;
    } else {
      amount.kind = Amount::Kind::number;
      amount.number = expect_number();
    }
    return amount;
  }

  Phrase per() {
    if (!take_name("per")) fail("\"per(\"");
    expect("(");
    Phrase count = phrase("a count");
    expect(")");
    return count;
  }

  Suffixes suffixes() {
    Suffixes found;
    found.place = peek().place;
    while (true) {
      if (found.duration.empty() && take_symbol("@")) {
        found.duration = expect_name("a duration");
      } else if (found.span.empty() && peek().text == "limit" && peek(1).is("(")) {
        read_limit(found);
      } else {
        return found;
      }
    }
  }

  void read_limit(Suffixes& suffixes) {
    take();
    expect("(");
    suffixes.limit = expect_number();
    expect("/");
    suffixes.span = expect_name("turn, round or game");
    expect(")");
  }

  // ---- Phrases ------------------------------------------------------------------------------------
  Phrase phrase(const std::string& what) {
    Phrase phrase;
    phrase.place = peek().place;
    phrase.name = expect_name(what);
    add_qualifiers(phrase);
    return phrase;
  }

  Phrase compared_phrase(const std::string& what) {
    Phrase found = phrase(what);
    found.sign = sign();
    if (found.sign == Sign::none) return found;
    found.each_opponent = found.sign == Sign::more && take_name("each_opponent");
    if (!found.each_opponent) found.value = expect_number();
    return found;
  }

  Sign sign() {
    if (take_symbol("=")) return Sign::equal;
    if (take_symbol(">=")) return Sign::at_least;
    if (take_symbol("<=")) return Sign::at_most;
    if (take_symbol(">")) return Sign::more;
    return Sign::none;
  }

  void add_qualifiers(Phrase& phrase) {
    if (!take_symbol("[")) return;
    do phrase.qualifiers.push_back(qualifier());
    while (take_symbol(","));
    expect("]");
  }

  Qualifier qualifier() {
    Qualifier found;
    found.place = peek().place;
    if (peek().is("=") || peek().kind == Token::Kind::number) return range(found);
    found.words.push_back(expect_name("a qualifier"));
    if (Sign sign = this->sign(); sign != Sign::none) {
      found.form = Qualifier::Form::keyed;
      found.sign = sign;
      found.key = std::move(found.words.front());
      found.words.clear();
      if (peek().kind == Token::Kind::number) {
        found.low = found.high = expect_number();
        return found;
      }
      found.words.push_back(expect_name("a word or a number"));
    }
    while (take_symbol("|")) found.words.push_back(expect_name("a word"));
    return found;
  }

  Qualifier range(Qualifier found) {
    found.form = Qualifier::Form::range;
    if (take_symbol("=")) {
      found.low = found.high = expect_number();
      return found;
    }
    found.low = expect_number();
    expect("..");
    found.high = expect_number();
    if (found.low > found.high) fail_at(found.place, "the range ends below its beginning");
    return found;
  }

  Conditions conditions() {
    Conditions found;
    found.place = peek().place;
    found.predicates.push_back(predicate());
    if (peek().text == "or") found.any = true;
    const std::string_view link = found.any ? "or" : "and";
    while (take_name(link)) found.predicates.push_back(predicate());
    if (peek().text == "and" || peek().text == "or")
      fail_at(peek().place, "\"and\" and \"or\" cannot be mixed in one condition");
    return found;
  }

  Predicate predicate() {
    Predicate predicate;
    predicate.negated = take_name("not");
    predicate.phrase = compared_phrase("a condition");
    return predicate;
  }

  const Source& source_;
  std::size_t errors_before_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Effect> parse_effect(std::string_view text, Place place, const Source& source) {
  return Parser(text, place, source).whole_effect();
}

std::optional<Conditions> parse_conditions(std::string_view text, Place place, const Source& source) {
  return Parser(text, place, source).whole_conditions();
}

}  // namespace landsraad::rules::notation
