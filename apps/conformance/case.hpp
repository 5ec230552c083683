#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance.hpp"
#include "proxel/device.hpp"

namespace proxel::conformance {

/// What one run of a case on one device found.
struct Verdict {
  Outcome outcome = Outcome::passed;
  std::string message;
  Refusal refusal;
  /// What the device answered, byte for byte, for the direct comparison of
  /// devices with each other. Empty where that comparison would say nothing.
  std::vector<std::byte> answer;
  /// See AccuracyReport; metric is empty where nothing was measured.
  std::string metric;
  double relative_error = 0;

  static Verdict pass(std::vector<std::byte> answer = {}) {
    Verdict verdict;
    verdict.answer = std::move(answer);
    return verdict;
  }
  static Verdict fail(std::string message) {
    Verdict verdict;
    verdict.outcome = Outcome::failed;
    verdict.message = std::move(message);
    return verdict;
  }
  static Verdict refuse(const Support& support) {
    Verdict verdict;
    verdict.outcome = Outcome::unsupported;
    verdict.message = support.reason;
    verdict.refusal.limit = support.limit;
    return verdict;
  }
  /// @param error  unsupported
  static Verdict refuse(const Error& error) {
    Verdict verdict;
    verdict.outcome = Outcome::unsupported;
    verdict.message = error.what();
    verdict.refusal.subject = error.subject();
    return verdict;
  }
};

/// A case whose data and expected answer have been made. Runs on any number
/// of devices, one after the other.
class Check {
 public:
  virtual ~Check() = default;
  /// Error(device_lost) may pass through; every other failure is a verdict.
  virtual Verdict run(Device& device) = 0;
};

/// What a case is made from.
struct Context {
  std::uint64_t seed = 0;  ///< of this case alone
  Device& reference;       ///< the plain reference device
};

/// A named question about a device.
struct Case {
  std::string name;
  bool quick = true;  ///< part of the quick tier
  std::function<std::unique_ptr<Check>(const Context&)> prepare;
  bool compile_only = false;  ///< asks nothing but whether passes compile
};

using Cases = std::vector<Case>;

/// "search/fused", "strings/levenshtein", "pass/pack_tiles": what the case of that name tries.
std::string family_of(const std::string& name);

/// All cases, of every family (run.cpp); names are unique.
const Cases& all_cases();

/// A check from a function of the device alone.
template <typename Function>
std::unique_ptr<Check> make_check(Function function) {
  class FunctionCheck : public Check {
   public:
    explicit FunctionCheck(Function function) : function_(std::move(function)) {}
    Verdict run(Device& device) override { return function_(device); }

   private:
    Function function_;
  };
  return std::make_unique<FunctionCheck>(std::move(function));
}

}  // namespace proxel::conformance
