#include "trials.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <doctest/doctest.h>

#include "heap.hpp"

namespace proxel::faults {

Outcome run(const Trial& trial, const std::vector<ErrorCode>& codes, const std::function<void()>& restore) {
  Outcome outcome = Outcome::done;
  try {
    trial.act();
    restore();
  } catch (const std::bad_alloc&) {
    restore();
    outcome = Outcome::refused;
  } catch (const Error& error) {
    restore();
    outcome = Outcome::refused;
    if (std::ranges::find(codes, error.code()) == codes.end())
      throw Broken{std::string(to_string(error.code())) + ": " + error.what()};
  } catch (...) {
    restore();
    throw;
  }
  trial.check();
  return outcome;
}

namespace {

// One trial; returns what it left on the heap.
std::int64_t leftover(const Scenario& scenario, std::uint64_t place, bool lasting, const std::vector<ErrorCode>& codes,
                      std::int64_t (*others)(), Outcome& outcome, bool& fired) {
  const auto live = [&] { return Heap::live() + (others ? others() : 0); };
  const std::int64_t before = live();
  {
    const Trial trial = scenario.make();
    Heap::fail_from(place, lasting);
    outcome = run(trial, codes, [&] { fired = Heap::restore(); });
  }
  return live() - before;
}

}  // namespace

Count fail_every_allocation(const Scenario& scenario, std::uint64_t every, const std::vector<ErrorCode>& codes,
                            std::int64_t (*others)()) {
  Count count;
  Outcome outcome{};
  bool fired = false;
  const auto attempt = [&](std::uint64_t place, bool lasting) {
    const std::string where =
        scenario.name + ", allocation " + std::to_string(place) + (lasting ? " and all after it: " : ": ");
    try {
      std::int64_t left = leftover(scenario, place, lasting, codes, others, outcome, fired);
      // What is kept for the next time, such as the stack of a thread, is kept once.
      for (int again = 0; left > 0 && again < 3; ++again)
        left = leftover(scenario, place, lasting, codes, others, outcome, fired);
      expect(left <= 0, "the heap has more than before");
      return;
    } catch (const Broken& broken) {
      FAIL_CHECK(where, broken.what);
    } catch (const std::exception& error) {
      FAIL_CHECK(where, "throws ", std::string(error.what()));
    }
    fired = true;
  };
  attempt(UINT64_MAX, false);
  count.places = Heap::asked();
  for (const bool lasting : {false, true})
    for (std::uint64_t place = 0;; place += every) {
      attempt(place, lasting);
      if (!fired) break;
      ++(outcome == Outcome::refused ? count.refused : count.done);
    }
  MESSAGE(scenario.name, ": ", count.places, " allocations, ", count.trials(), " failed: ", count.refused, " errors, ",
          count.done, " done without");
  return count;
}

std::uint64_t stride_of_environment(std::uint64_t usual) {
  const char* text = std::getenv("PROXEL_FAULTS_EVERY");
  return text ? std::max(1, std::atoi(text)) : usual;
}

}  // namespace proxel::faults
