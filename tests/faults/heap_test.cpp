// The host's heap is exhausted, at every allocation of small calls of every part of the library.
#include <cstdlib>

#include <doctest/doctest.h>

#include "heap.hpp"
#include "index_scenarios.hpp"
#include "proxel/index.hpp"
#include "samples.hpp"
#include "scenarios.hpp"
#include "temporary_folder.hpp"

using namespace proxel;
using namespace proxel::faults;

namespace {

// The calling thread and two more.
std::unique_ptr<Device> three_threads() {
  setenv("PROXEL_CPU_THREADS", "3", 1);
  return open_device("cpu");
}

void fail_every(const std::vector<Scenario>& scenarios,
                const std::vector<ErrorCode>& codes = {ErrorCode::out_of_memory}) {
  Count sum;
  for (const Scenario& scenario : scenarios) {
    const Count one = fail_every_allocation(scenario, stride_of_environment(1), codes);
    CHECK(one.refused != 0);
    sum.refused += one.refused;
    sum.done += one.done;
  }
  MESSAGE("together: ", sum.trials(), " failed: ", sum.refused, " errors, ", sum.done, " done without");
}

}  // namespace

TEST_CASE("a device without memory for its threads does with fewer") {
  const Matrix<float> rows = integers(300, 4, 1);
  const auto search = [&rows](Device& device) { return Index(device, rows.view()).search(rows.view(), 2, Metric::l2); };
  const auto make = [] { return std::shared_ptr<Device>(three_threads()); };
  fail_every({making("open a device", make, search)});
}

TEST_CASE("vectors") {
  const auto device = three_threads();
  fail_every(vector_scenarios(*device));
}

TEST_CASE("strings and permutations") {
  const auto device = three_threads();
  fail_every(string_scenarios(*device));
}

TEST_CASE("feature signatures") {
  const auto device = three_threads();
  fail_every(signature_scenarios(*device));
  fail_every(krulis_scenarios(*device));
}

TEST_CASE("files") {
  const auto device = three_threads();
  const TemporaryFolder folder;
  // The C library says so in its own way where it has no memory for an open file.
  fail_every(file_scenarios(*device, folder.path()), {ErrorCode::out_of_memory, ErrorCode::input_output});
}
