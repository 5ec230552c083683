#pragma once

// Something is tried again and again, and each time one more of the things that it relies on fails.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proxel/error.hpp"

namespace proxel::faults {

/// What is to fail.
struct Trial {
  /// The call, whose failure is an exception: Error, or std::bad_alloc where the host's heap is exhausted.
  std::function<void()> act;
  /// What holds afterwards, whether it failed or not. Throws Broken where it does not.
  std::function<void()> check;
};

/// A trial by name. What `make` makes does not fail.
struct Scenario {
  std::string name;
  std::function<Trial()> make;
};

/// What a check throws.
struct Broken {
  std::string what;
};
inline void expect(bool holds, const char* what) {
  if (!holds) throw Broken{what};
}

/// How a trial ended.
enum class Outcome { done, refused };

/// Acts and checks, and lets whatever else is thrown pass. An Error has to be of one of the codes.
/// @param restore  ends the fault, and is called before anything is checked
Outcome run(const Trial& trial, const std::vector<ErrorCode>& codes, const std::function<void()>& restore);

/// What came of all trials of a scenario.
struct Count {
  std::uint64_t places = 0;  ///< where something can fail
  std::uint64_t refused = 0, done = 0;

  std::uint64_t trials() const { return refused + done; }
};

/// Has every allocation of the call find no memory: alone, and with all that follow. Afterwards nothing is left
/// that was not there before. Failures are reported to doctest.
/// @param every   1: every allocation; otherwise every so-many-th
/// @param codes   that an Error may have
/// @param others  what else is counted that may not be left, or null
Count fail_every_allocation(const Scenario& scenario, std::uint64_t every = 1,
                            const std::vector<ErrorCode>& codes = {ErrorCode::out_of_memory},
                            std::int64_t (*others)() = nullptr);

/// As often as the environment asks for, PROXEL_FAULTS_EVERY, or else `usual`.
std::uint64_t stride_of_environment(std::uint64_t usual);

}  // namespace proxel::faults
