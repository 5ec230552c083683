#include "shell/worker.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace std::chrono_literals;

// The window's side: endings are run until there is no more work.
struct Desk {
  std::vector<std::string> errors;
  demo::Worker worker{[] {}};

  void finish() {
    while (worker.busy()) {
      worker.finish([this](const std::string& key, const std::string& error) {
        if (!error.empty()) errors.push_back(key + ": " + error);
      });
      std::this_thread::sleep_for(1ms);
    }
  }
};

}  // namespace

TEST_CASE("endings run on the window's thread, in the order of their jobs") {
  Desk desk;
  const auto window = std::this_thread::get_id();
  std::vector<int> order;
  for (int i = 0; i < 3; ++i)
    desk.worker.run(std::to_string(i), "", [&, i](demo::Progress&) -> demo::Worker::Ending {
      CHECK(std::this_thread::get_id() != window);
      return [&, i] {
        CHECK(std::this_thread::get_id() == window);
        order.push_back(i);
      };
    });
  CHECK(desk.worker.busy("0"));
  CHECK_FALSE(desk.worker.busy("3"));
  desk.finish();
  CHECK(order == std::vector{0, 1, 2});
}

TEST_CASE("a newer job of the same key replaces the waiting one and cancels the running one") {
  Desk desk;
  std::promise<void> begun;
  std::vector<std::string> ended;
  desk.worker.run("typing", "", [&](demo::Progress& progress) -> demo::Worker::Ending {
    begun.set_value();
    while (true) progress.check();
    return {};
  });
  begun.get_future().wait();
  for (const char* text : {"h", "ho", "hou"})
    desk.worker.run("typing", "", [&, text](demo::Progress&) -> demo::Worker::Ending {
      return [&, text] { ended.push_back(text); };
    });
  desk.finish();
  CHECK(ended == std::vector<std::string>{"hou"});
  CHECK(desk.errors.empty());
}

TEST_CASE("an idle job makes way, and is run again") {
  Desk desk;
  std::promise<void> begun;
  std::atomic<int> runs = 0;
  std::vector<std::string> ended;
  desk.worker.run("badge", "", [&](demo::Progress& progress) -> demo::Worker::Ending {
    if (++runs == 1) {
      begun.set_value();
      while (true) progress.check();
    }
    return [&] { ended.push_back("idle"); };
  }, demo::Urgency::idle);
  begun.get_future().wait();
  CHECK_FALSE(desk.worker.busy_soon());
  desk.worker.run("search", "",
                  [&](demo::Progress&) -> demo::Worker::Ending { return [&] { ended.push_back("soon"); }; });
  desk.finish();
  CHECK(ended == std::vector<std::string>{"soon", "idle"});
  CHECK(runs == 2);
}

TEST_CASE("what a job throws is told under its key; a cancelled one says nothing") {
  Desk desk;
  desk.worker.run("file", "",
                  [](demo::Progress&) -> demo::Worker::Ending { throw std::runtime_error("no such file"); });
  desk.finish();
  CHECK(desk.errors == std::vector<std::string>{"file: no such file"});

  std::promise<void> begun;
  desk.worker.run("long", "", [&](demo::Progress& progress) -> demo::Worker::Ending {
    begun.set_value();
    const auto callback = progress.callback();
    for (std::uint64_t done = 0;; ++done) callback(done % 100, 100);
    return {};
  });
  begun.get_future().wait();
  CHECK(desk.worker.showing().has_value());
  desk.worker.cancel("long");
  desk.finish();
  CHECK(desk.errors.size() == 1);
}
