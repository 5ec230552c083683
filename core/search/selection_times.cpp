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
double turns_of(const SelectingDevice& device, const SelectionDescription& description) {
  return std::max(1.0, static_cast<double>(description.rows) / device.multiprocessors);
}

// Passes wait longer for each other through Vulkan than through CUDA.
bool waits_longer(const SelectingDevice& device) { return device.backend != BackendKind::cuda; }

// What is listed is longer than k.
constexpr double listed = 1.4;

// Long lists take longer for each key, and those are longest that are not distributed.
double milliseconds_per_key(double keys, double of_few) {
  constexpr double many = 6000, for_each_of_many = 1.9e-9;
  if (listed * keys > passes::most_distributed) return 1.2e-4;
  return keys > many ? for_each_of_many * keys : of_few;
}

}  // namespace

SelectingDevice::SelectingDevice(const Device& device)
    : multiprocessors(known_multiprocessors(device.capabilities())), backend(device.info().backend) {}

// A workgroup that reads a row alone waits for memory, the less the more invocations it has (streaming_pool()).
double streaming_milliseconds(const SelectionDescription& description) {
  const double waiting = description.k <= 128 ? 9e-7 : description.k <= 1024 ? 4.6e-7 : 2.7e-7;
  return std::max(0.0134 + waiting * static_cast<double>(description.columns), 1.2e-9 * values_of(description));
}

// Of a row that is shared one workgroup reads again what the others have left, some rows for each multiprocessor in turn.
double threshold_milliseconds(const SelectingDevice& device, const SelectionDescription& description) {
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

// Few rows do not keep a device busy with a workgroup each.
bool worth_sharing(const SelectingDevice& device, const SelectionDescription& description) {
  constexpr std::uint64_t rows_per_multiprocessor = 8;
  constexpr std::uint64_t least_columns = 32768;
  return description.columns >= least_columns && description.rows < rows_per_multiprocessor * device.multiprocessors;
}

std::uint64_t sample_parts(const SelectingDevice& device, const SelectionDescription& description) {
  // Keys of a part for which a workgroup of its own is worth while, and that a cache holds while they are distributed.
  constexpr std::uint64_t least_keys = 512;
  constexpr std::uint64_t most_keys = 5000;
  const std::uint64_t idle = device.multiprocessors / description.rows;
  const std::uint64_t wanted = std::max(idle, divide_up(description.k, most_keys));
  const std::uint64_t sampled = 4 * most_sampled_fours * description.k / description.columns;
  return std::clamp<std::uint64_t>(std::min({wanted, sampled / sampled_of_part, description.k / least_keys}), 1,
                                   passes::most_sample_parts);
}

double sample_milliseconds_shared(const SelectingDevice& device, const SelectionDescription& description) {
  const auto parts = static_cast<double>(sample_parts(device, description));
  const double keys = static_cast<double>(description.k) / parts;  // of a workgroup
  const double turns = std::max(1.0, static_cast<double>(description.rows) * parts / device.multiprocessors);
  const double ordering = turns * milliseconds_per_key(keys, 6e-6) * keys;
  const double reading = 1.08e-9 * values_of(description);
  return waits_longer(device) ? 0.044 + 1.15 * reading + 1.35 * ordering : 0.021 + reading + ordering;
}

double sample_milliseconds_alone(const SelectingDevice& device, const SelectionDescription& description) {
  const auto k = static_cast<double>(description.k);
  return (waits_longer(device) ? 1.3 : 1) * (0.3 + 0.7 * turns_of(device, description)) *
         (0.018 + milliseconds_per_key(k, 5.5e-6) * k + 1.8e-7 * static_cast<double>(description.columns));
}

double selection_milliseconds(const SelectingDevice& device, const SelectionDescription& description) {
  const double shared = sample_milliseconds_shared(device, description);
  if (description.k > most_streamed)
    return std::min({shared, sample_milliseconds_alone(device, description), radix_milliseconds(description)});
  const double streaming = streaming_milliseconds(description);
  if (!worth_sharing(device, description)) return streaming;
  return std::min({streaming, threshold_milliseconds(device, description), shared});
}

}  // namespace proxel::search
