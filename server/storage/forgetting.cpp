#include "server/storage/forgetting.h"

#include <memory>
#include <utility>

#include "server/room/disclosure.h"
#include "server/storage/port.h"

namespace landsraad::storage {

namespace {

using persistence::Result;

class Forgetting : public std::enable_shared_from_this<Forgetting> {
 public:
  Forgetting(persistence::Store& store, const room::StorageRequest& request,
             std::function<void(room::StorageReply)> reply)
      : store_(store), player_(*request.player), done_(std::move(reply)) {
    reply_.verb = room::StorageVerb::forget;
    reply_.ticket = request.ticket;
  }

  void next_page() {
    store_.list(
        {.player = key_of(player_), .after = after_, .limit = persistence::kMaxListPage},
        [self = shared_from_this()](Result<persistence::ListPage> page) { self->take(std::move(page)); });
  }

 private:
  void take(Result<persistence::ListPage> page) {
    if (!page.ok()) return fail(page.error, page.why);
    page_ = std::move(page.value);
    at_ = 0;
    next_game();
  }

  void next_game() {
    while (at_ < page_.games.size()) {
      const persistence::ListedGame& game = page_.games[at_++];
      const bool over = game.status == persistence::GameStatus::closed;
      const auto without = game.readable && over ? room::without_player(game.setup, player_) : std::nullopt;
      if (without) return amend(game.id, *without);
      ++reply_.kept;
    }
    if (!page_.more) return done_(std::move(reply_));
    after_ = page_.games.back().id;
    next_page();
  }

  void amend(const persistence::GameId& game, const room::Unnamed& without) {
    store_.amend(game, without.setup, keys_of(without.players),
                 [self = shared_from_this()](Result<persistence::Sequence> amended) {
                   if (!amended.ok()) return self->fail(amended.error, amended.why);
                   ++self->reply_.forgotten;
                   self->next_game();
                 });
  }

  void fail(persistence::StoreError error, const std::string& why) {
    reply_.error = to_storage_error(error);
    reply_.why = why;
    done_(std::move(reply_));
  }

  persistence::Store& store_;
  room::TokenHash player_;
  std::function<void(room::StorageReply)> done_;
  room::StorageReply reply_;
  persistence::GameId after_;
  persistence::ListPage page_;
  std::size_t at_ = 0;
};

}  // namespace

void forget_player(persistence::Store& store, const room::StorageRequest& request,
                   std::function<void(room::StorageReply)> reply) {
  std::make_shared<Forgetting>(store, request, std::move(reply))->next_page();
}

}  // namespace landsraad::storage
