// Which names and texts are shown, and how.
#include <doctest/doctest.h>

#include <string>

#include "server/room/names.h"

namespace landsraad::room::room_names_test {
namespace {

std::string name(const std::string& text) { return clean_name(text, Limits{}).value_or("(refused)"); }
std::string said(const std::string& text) { return clean_text(text, Limits{}).value_or("(refused)"); }

TEST_CASE("a name is shown in normal form, without blanks around it") {
  CHECK(name("Muad'Dib") == "Muad'Dib");
  CHECK(name("  Chani\u3000") == "Chani");
  CHECK(name("Le\u0301to") == "L\u00e9to");
  CHECK(name("\u1112\u1161\u11ab") == "\ud55c");
  CHECK(name("\u212b") == "\u00c5");
}

TEST_CASE("every script has names") {
  for (const char* text :
       {"Стилгар", "\u0645\u200c\u0645", "\U0001F41B", "a\u00a0b", "\u0e01\u0e35\u0e48", "沙虫",
        "\U0001F469\u200d\u2764\ufe0f\u200d\U0001F468", "\U0001F44B\U0001F3FD", "Nguyễn"})
    CHECK_MESSAGE(name(text) == text, text);
}

TEST_CASE("what cannot be seen, or changes what stands around it, is no name") {
  for (const char* text : {"",        "   ",     "a\nb",         "a\x7f",      "a\u202eb",  "\u0085",
                           "\u061ca", "\u00a0",  "\u3000\u2003", "\u3164",     "\u2800",    "a\u2066b",
                           "\ufeff",  "a\u00ad", "\ue000",       "\U000f0000", "\uffff",    "\u0378",
                           "\u2028",  "a\u034f", "a\ufe0f",      "a\u180b",    "\U0001d159"})
    CHECK_MESSAGE(name(text) == "(refused)", text);
  CHECK(name("\u2764\ufe0f") == "\u2764\ufe0f");  // a heart in its coloured look
}

TEST_CASE("joiners join, and nothing else") {
  for (const char* text : {"\u200d", "a\u200d", "\u200da", "a\u200d\u200db", "a \u200db", "a\u200d b"})
    CHECK_MESSAGE(name(text) == "(refused)", text);
}

TEST_CASE("marks do not pile up, and stand on something") {
  std::string pile = "x";
  for (std::size_t i = 0; i < kMaxStackedMarks; ++i) pile += "\u0335";
  CHECK(name(pile) == pile);
  CHECK(name(pile + "\u0335") == "(refused)");
  CHECK(name("\u0301a") == "(refused)");
  CHECK(name("a \u0301") == "(refused)");
}

TEST_CASE("names are limited in bytes and in characters as a reader counts them") {
  const Limits limits{.name_bytes = 64, .name_characters = 10};
  CHECK(clean_name(std::string(10, 'x'), limits));
  CHECK_FALSE(clean_name(std::string(11, 'x'), limits));
  std::string accents;
  for (int i = 0; i < 10; ++i) accents += "q\u0303";  // has no composed form
  CHECK(clean_name(accents, limits));
  CHECK_FALSE(clean_name(accents + "q", limits));
  // Longer in normal form than it came.
  std::string grows;
  for (int i = 0; i < 10; ++i) grows += "\u0958";
  CHECK(clean_name(grows, limits));
  CHECK_FALSE(clean_name(grows, Limits{.name_bytes = 30, .name_characters = 10}));
}

TEST_CASE("no UTF-8, no name") {
  for (const char* text : {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80"}) CHECK(name(text) == "(refused)");
}

TEST_CASE("a text may have lines") {
  CHECK(said("The spice\nmust flow.\n") == "The spice\nmust flow.");
  CHECK(said("\n \n") == "(refused)");
  CHECK(said("a\tb") == "(refused)");
  CHECK(said("a\r\nb") == "(refused)");
  CHECK(said(std::string(500, 'x')).size() == 500);
  CHECK(said(std::string(501, 'x')) == "(refused)");
}

}  // namespace
}  // namespace landsraad::room::room_names_test
