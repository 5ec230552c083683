// Times of a recording: every backend names the same operations in the same order.
#include <cmath>

#include <fmt/format.h>

#include "case.hpp"
#include "proxel/passes/decode_keys.h"

namespace proxel::conformance {
namespace {

std::string text_of(const std::vector<PassTime>& times) {
  std::string text;
  for (const PassTime& time : times) text += fmt::format("{} in '{}', ", time.name, time.label);
  return text;
}

// Records a fill, a copy and a pass under labels.
void record(Commands& commands, Buffer& keys, const Pass& decode) {
  commands.begin();
  commands.push_label("outer");
  commands.fill(keys, 0xFF);
  commands.barrier();
  commands.push_label("inner");
  commands.copy({keys, 0, 8}, {keys, 8, 8});
  commands.barrier();
  commands.record(decode);
  commands.pop_label();
  commands.record(decode);
  commands.pop_label();
  commands.end();
}

Verdict names_operations(Device& device) {
  const auto keys = device.create_buffer(16, MemoryKind::device);
  const auto found = device.create_buffer(16, MemoryKind::device);
  passes::DecodeKeysParameters parameters{};
  parameters.keys = keys->address();
  parameters.indices = found->address();
  parameters.distances = found->address() + 8;
  parameters.count = 2;
  const Pass decode = passes::make_decode_keys(parameters);
  if (const Support support = device.supports(decode); !support) return Verdict::refuse(support);
  device.prepare(decode);

  const auto commands = device.create_commands(Timing::passes);
  for (int again = 0; again < 2; ++again) {
    record(*commands, *keys, decode);
    device.submit(*commands);
    device.wait();
    const std::vector<PassTime> times = commands->pass_times();
    if (!device.capabilities().timestamps)
      return times.empty() ? Verdict::pass() : Verdict::fail("times of a device without timestamps");
    constexpr std::string_view expected =
        "fill in 'outer', copy in 'outer/inner', decode_keys in 'outer/inner', decode_keys in 'outer', rest in '', ";
    if (const std::string text = text_of(times); text != expected)
      return Verdict::fail(fmt::format("times of {}instead of {}", text, expected));
    double sum = 0;
    for (const PassTime& time : times) {
      if (!(time.milliseconds >= 0)) return Verdict::fail(fmt::format("{} took {} ms", time.name, time.milliseconds));
      sum += time.milliseconds;
    }
    // Timers tick in steps; "rest" is cut off at 0.
    if (std::abs(sum - commands->milliseconds()) > 0.05 * sum + 0.005)
      return Verdict::fail(fmt::format("{} ms altogether, {} ms in parts", commands->milliseconds(), sum));
  }
  return Verdict::pass();
}

}  // namespace

void add_time_cases(Cases& cases) {
  cases.push_back({"times/operations", true, [](const Context&) { return make_check(names_operations); }});
}

}  // namespace proxel::conformance
