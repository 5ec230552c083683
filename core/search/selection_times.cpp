#include "search/selection_times.hpp"

#include <algorithm>
#include <cmath>

#include "proxel/passes/distribution.h"
#include "proxel/passes/sample_bound.h"
#include "search/check.hpp"

namespace proxel::search {
namespace {

double values_of(const SelectionDescription& description) {
  return static_cast<double>(description.rows) * static_cast<double>(description.columns);
}

// Rows that have a workgroup each, for each multiprocessor.
double turns_of(const Device& device, const SelectionDescription& description) {
  return std::max(1.0, static_cast<double>(description.rows) / known_multiprocessors(device.capabilities()));
}

// Passes wait longer for each other through Vulkan than through CUDA.
bool waits_longer(const Device& device) { return device.info().backend != BackendKind::cuda; }

// What is listed is longer than k.
constexpr double listed = 1.4;

// Long lists take longer for each key, and those are longest that are not distributed.
double milliseconds_per_key(double keys, double of_few) {
  constexpr double many = 6000;
  if (listed * keys > passes::most_distributed) return 3.3e-5;
  return keys > many ? 8.5e-6 : of_few;
}

}  // namespace

// A workgroup that reads a row alone waits for memory, the less the more invocations it has (streaming_pool()).
double streaming_milliseconds(const SelectionDescription& description) {
  const double waiting = description.k <= 128 ? 9e-7 : description.k <= 1024 ? 4.6e-7 : 2.7e-7;
  return std::max(0.0134 + waiting * static_cast<double>(description.columns), 1.2e-9 * values_of(description));
}

// Of a row that is shared one workgroup reads again what the others have left, some rows for each multiprocessor in turn.
double threshold_milliseconds(const Device& device, const SelectionDescription& description) {
  const auto k = static_cast<double>(description.k);
  const double read_again = std::sqrt(k * static_cast<double>(description.columns));
  const double finishing = turns_of(device, description) * (1.2e-6 * read_again + 6e-6 * k);
  return 1.1e-9 * values_of(description) + (waits_longer(device) ? 0.0245 + 1.25 * finishing : 0.0145 + finishing);
}

// Radix passes share all rows among all multiprocessors, and read each several times.
double radix_milliseconds(const SelectionDescription& description) {
  const double selected = static_cast<double>(description.rows) * static_cast<double>(description.k);
  return 0.12 + 2.8e-8 * values_of(description) + 9e-8 * selected;
}

std::uint64_t sample_parts(const Device& device, const SelectionDescription& description) {
  // Keys of a part for which a workgroup of its own is worth while, and that are distributed.
  constexpr std::uint64_t least_keys = 512;
  constexpr std::uint64_t most_keys = passes::most_distributed / 2;
  const std::uint64_t idle = known_multiprocessors(device.capabilities()) / description.rows;
  const std::uint64_t wanted = std::max(idle, description.k / most_keys + 1);
  const std::uint64_t sampled = 4 * most_sampled_fours * description.k / description.columns;
  return std::clamp<std::uint64_t>(std::min({wanted, sampled / sampled_of_part, description.k / least_keys}), 1,
                                   passes::most_sample_parts);
}

double sample_milliseconds_shared(const Device& device, const SelectionDescription& description) {
  const auto parts = static_cast<double>(sample_parts(device, description));
  const double keys = static_cast<double>(description.k) / parts;  // of a workgroup
  const double turns =
      std::max(1.0, static_cast<double>(description.rows) * parts / known_multiprocessors(device.capabilities()));
  const double ordering = turns * milliseconds_per_key(keys, 6e-6) * keys;
  const double reading = 1.08e-9 * values_of(description);
  return waits_longer(device) ? 0.044 + 1.15 * reading + 1.35 * ordering : 0.021 + reading + ordering;
}

double sample_milliseconds_alone(const Device& device, const SelectionDescription& description) {
  const auto k = static_cast<double>(description.k);
  return (waits_longer(device) ? 1.3 : 1) * (0.3 + 0.7 * turns_of(device, description)) *
         (0.018 + milliseconds_per_key(k, 5.5e-6) * k + 1.8e-7 * static_cast<double>(description.columns));
}

}  // namespace proxel::search
