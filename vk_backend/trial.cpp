#include "trial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "device.hpp"
#include "memory.hpp"

namespace proxel::vulkan {
namespace {

constexpr float tiny = 0x1p-126f;  // the smallest normal number

// A row of numbers for trial_arithmetic, and what the difference, the product and the sum are.
struct Row {
  std::array<float, 4> numbers;
  std::array<float, 3> results;
};
constexpr Row rows[] = {
    {{1.0f + 0x1p-12f, 1.0f, 1.0f + 0x1p-12f, -1.0f - 0x1p-11f}, {0x1p-12f, 1.0f + 0x1p-11f, 0.0f}},  // not fused
    {{3.0f, 0x1p-24f, 0x1p20f, 1.0f}, {3.0f, 0x1.8p21f, 0x1.800008p21f}},
    {{1.5f * tiny, tiny, 1.0f, 0.0f}, {0.5f * tiny, 1.5f * tiny, 1.5f * tiny}},   // a subnormal difference
    {{0x1p-70f, 0.0f, 0x1p-70f, 0.0f}, {0x1p-70f, 0x1p-140f, 0x1p-140f}},         // product
    {{0.5f * tiny, -0.5f * tiny, 1.0f, 0.0f}, {tiny, 0.5f * tiny, 0.5f * tiny}},  // and operand
};
constexpr std::size_t normal_rows = 2;

struct Parameters {
  std::uint64_t numbers = 0, results = 0, missing = 0;
};
using TrialKind = PassKindOf<Parameters>;
constexpr TrialKind trial_arithmetic("trial_arithmetic"), trial_subgroups("trial_subgroups"),
    trial_loops("trial_loops"), trial_half_sums("trial_half_sums_matrix");

// Buffers and commands of one kernel.
class Attempt {
 public:
  explicit Attempt(VulkanDevice& device)
      : device_(device),
        numbers_(device.create_buffer(sizeof rows, MemoryKind::upload)),
        results_(device.create_buffer(bytes, MemoryKind::readback)) {}

  std::uint32_t* numbers() { return static_cast<std::uint32_t*>(numbers_->mapped()); }
  const std::uint32_t* results() const { return static_cast<const std::uint32_t*>(results_->mapped()); }

  void run(const TrialKind& kind, std::uint32_t workgroup) {
    std::memset(results_->mapped(), 0, bytes);
    const Pass pass = make_pass(kind, Parameters{numbers_->address(), results_->address(), 0}, {}, Grid{}, workgroup);
    device_.prepare(pass);
    const auto commands = device_.create_commands(Timing::none);
    commands->begin();
    commands->record(pass);
    commands->end();
    device_.submit(*commands);
    device_.wait();
  }

 private:
  static constexpr std::uint64_t bytes = 1024;
  VulkanDevice& device_;
  std::unique_ptr<Buffer> numbers_;
  std::unique_ptr<Buffer> results_;
};

[[noreturn]] void refuse(const VulkanDevice& device, const std::string& what) {
  throw Error(ErrorCode::unsupported, device.info().id, fmt::format("was tried when it was opened and {}", what));
}

// Whether subnormal numbers are kept.
bool try_arithmetic(VulkanDevice& device) {
  Attempt attempt(device);
  for (std::size_t row = 0; row < std::size(rows); ++row)
    for (std::size_t i = 0; i < 4; ++i)
      attempt.numbers()[4 * row + i] = std::bit_cast<std::uint32_t>(rows[row].numbers[i]);
  attempt.run(trial_arithmetic, static_cast<std::uint32_t>(std::size(rows)));
  bool keeps = true;
  for (std::size_t row = 0; row < std::size(rows); ++row) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float is = std::bit_cast<float>(attempt.results()[4 * row + i]);
      const float should_be = rows[row].results[i];
      if (std::bit_cast<std::uint32_t>(is) == std::bit_cast<std::uint32_t>(should_be)) continue;
      if (row < normal_rows || is != 0.0f) refuse(device, fmt::format("computes {} where {} is right", is, should_be));
      keeps = false;
    }
    if (attempt.results()[4 * row + 3] != row)
      refuse(device, "does not choose between what is read and what is not there");
  }
  return keeps;
}

void try_subgroups(VulkanDevice& device) {
  Attempt attempt(device);
  const std::uint32_t workgroup = std::min(128u, device.capabilities().max_workgroup_size);
  if (!device.supports(make_pass(trial_subgroups, Parameters{}, {}, Grid{}, workgroup))) return;
  attempt.run(trial_subgroups, workgroup);
  const auto right = std::count(attempt.results(), attempt.results() + workgroup, 1u);
  if (right != workgroup)
    refuse(device, fmt::format("{} of {} invocations got wrong numbers across barriers of subgroups that take "
                               "different ways",
                               workgroup - right, workgroup));
}

// Whether the device ends loops that go round often. Drivers that do so have a limit of 65,535 rounds.
bool try_loops(VulkanDevice& device) {
  constexpr std::uint32_t outer = 300, inner = 300;
  Attempt attempt(device);
  attempt.numbers()[0] = outer;
  attempt.numbers()[1] = inner;
  attempt.run(trial_loops, 1);
  return attempt.results()[0] != outer || attempt.results()[1] != outer * inner;
}

// The matrices of trial_half_sums_matrix.comp.
double left_of(int row, int column) { return ((5 * row + 3 * column) % 15 - 7) / 8.0; }
double right_of(int row, int column) { return ((7 * row + 11 * column) % 13 - 6) / 8.0; }
double added_of(int row, int column) {
  const double magnitude = 544 + (29 * row + 17 * column) % 384;
  return (row + column) % 2 == 0 ? magnitude : -magnitude;
}

// Whether sums in half precision are what products of 16 exact terms are, rounded to nearest once.
bool try_half_sums(VulkanDevice& device) {
  constexpr int size = 16;
  constexpr std::uint32_t subgroup = 32;
  if (!device.supports(make_pass(trial_half_sums, Parameters{}, {}, Grid{}, subgroup))) return false;
  Attempt attempt(device);
  try {
    attempt.run(trial_half_sums, subgroup);
  } catch (const Error& error) {
    // A device that does not run this one has the others.
    if (error.code() == ErrorCode::device_lost) throw;
    return false;
  }
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      double sum = added_of(row, column);
      for (int i = 0; i < size; ++i) sum += left_of(row, i) * right_of(i, column);
      const int at = size * row + column;
      const std::uint32_t bits = attempt.results()[at / 2] >> 16 * (at % 2) & 0xFFFF;
      // From 512 to 1,024 a half is a multiple of one in two, and has the exponent 9.
      const double value = std::ldexp(1024 + (bits & 1023), static_cast<int>(bits >> 10 & 31) - 25);
      if (((bits & 0x8000) != 0 ? -value : value) != std::nearbyint(2 * sum) / 2) return false;
    }
  return true;
}

void add_remarks(const VulkanDevice& device, Trial& trial, bool tried) {
  if (!trial.keeps_subnormals)
    trial.remarks.push_back(
        fmt::format("{} numbers of magnitude below 2^-126 to zero: where differences or products are as small, "
                    "answers {} from those of other devices",
                    tried ? "flushes" : "was not tried, and its driver leaves open whether it flushes",
                    tried ? "differ" : "may differ"));
  if (trial.ends_long_loops)
    trial.remarks.push_back(
        "ends loops that go round 65,535 times, as llvmpipe of Mesa 22 does: a search in which that happens fails");
  if (device.capabilities().runs_on_host)
    trial.remarks.push_back(
        "runs on the processor, so shaders go without barriers of subgroups, which llvmpipe of "
        "Mesa 25 and 26 takes for those of workgroups");
}

// Trials of the devices that this process has opened, by device, driver and shader compiler.
struct Known {
  std::mutex mutex;
  std::map<std::string, Trial> trials;
};
Known& known() {
  static Known& all = *new Known;  // outlives every device
  return all;
}

std::string key_of(const VulkanDevice& device) {
  const DeviceInfo& info = device.info();
  return fmt::format("{} {} {}", info.name, info.driver, std::string(info.uuid.begin(), info.uuid.end()));
}

}  // namespace

Trial try_device(VulkanDevice& device) {
  const std::string key = key_of(device);
  {
    const std::scoped_lock lock(known().mutex);
    if (const auto found = known().trials.find(key); found != known().trials.end()) return found->second;
  }
  Trial trial;
  trial.keeps_subnormals = try_arithmetic(device);
  try_subgroups(device);
  trial.ends_long_loops = try_loops(device);
  trial.rounds_half_sums_once = try_half_sums(device);
  add_remarks(device, trial, true);
  const std::scoped_lock lock(known().mutex);
  known().trials[key] = trial;
  return trial;
}

Trial known_trial(const VulkanDevice& device) {
  {
    const std::scoped_lock lock(known().mutex);
    if (const auto found = known().trials.find(key_of(device)); found != known().trials.end()) return found->second;
  }
  Trial trial;
  trial.keeps_subnormals = device.promises_subnormals();
  add_remarks(device, trial, false);
  return trial;
}

const Trial* trial_of(const Device& device) {
  const auto* own = dynamic_cast<const VulkanDevice*>(&device);
  return own ? &own->trial() : nullptr;
}

}  // namespace proxel::vulkan
