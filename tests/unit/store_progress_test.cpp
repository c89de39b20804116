// The line that tells a person how far long work has come.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "server/progress.h"

namespace landsraad::store_progress_test {
namespace {

using std::chrono::milliseconds;

// A terminal and a clock that a test moves.
struct Watched {
  std::ostringstream out;
  Progress::Time now{};
  Progress progress{out, true, "games", [this] { return now; }};

  // What has been written since the last look.
  std::string look() {
    std::string text = out.str();
    out.str("");
    return text;
  }
};

TEST_CASE("short work shows nothing") {
  Watched watched;
  watched.progress.show(1, 10);
  watched.now += Progress::kShownAfter - milliseconds{1};
  watched.progress.show(9, 10);
  watched.progress.hide();
  CHECK(watched.look().empty());
}

TEST_CASE("long work shows one line, not too often, and takes it away again") {
  Watched watched;
  watched.now += Progress::kShownAfter;
  watched.progress.show(5, 10);
  CHECK(watched.look() == "\r\x1b[Kgames  [###############               ]  5 of 10");
  watched.now += Progress::kShownAgainAfter - milliseconds{1};
  watched.progress.show(6, 10);
  CHECK(watched.look().empty());
  watched.now += milliseconds{1};
  watched.progress.show(10, 10);
  CHECK(watched.look() == "\r\x1b[Kgames  [##############################]  10 of 10");
  watched.progress.hide();
  CHECK(watched.look() == "\r\x1b[K");
  watched.progress.hide();
  CHECK(watched.look().empty());
  watched.progress.show(0, 10);  // back at once after it made way for another line
  CHECK(watched.look() == "\r\x1b[Kgames  [                              ]  0 of 10");
}

TEST_CASE("nothing is written where nobody watches, and of no work") {
  std::ostringstream out;
  Progress::Time now{};
  {
    Progress progress(out, false, "games", [&] { return now; });
    now += Progress::kShownAfter;
    progress.show(1, 2);
    Progress idle(out, true, "games", [&] { return now; });
    now += Progress::kShownAfter;
    idle.show(0, 0);
  }
  CHECK(out.str().empty());
}

}  // namespace
}  // namespace landsraad::store_progress_test
