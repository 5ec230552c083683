#include "bench/bandwidth.hpp"

#include <algorithm>

#include "proxel/passes/select_rows.h"

namespace proxel::tool {

Bandwidth measure_bandwidth(Device& device, const Patience& patience, bool quick) {
  const Capabilities& can = device.capabilities();
  std::uint64_t bytes = std::uint64_t{2} << 30;
  if (can.runs_on_host) bytes = std::uint64_t{512} << 20;
  if (quick) bytes = std::uint64_t{64} << 20;
  if (can.memory_bytes != 0) bytes = std::min(bytes, can.memory_bytes / 8);
  bytes = std::min(bytes, can.max_allocation_bytes) / (std::uint64_t{1} << 20) * (std::uint64_t{1} << 20);

  const auto from = device.create_buffer(bytes, MemoryKind::device);
  Bandwidth result;
  {
    const auto to = device.create_buffer(bytes, MemoryKind::device);
    const auto commands = device.create_commands(Timing::whole);
    commands->begin();
    commands->fill(*from, 0x3F);
    commands->barrier();
    commands->copy(*from, *to);
    commands->end();
    device.submit(*commands);
    device.wait();
    commands->begin();
    commands->copy(*from, *to);
    commands->end();
    const Timed copy = repeat(patience, [&](std::uint32_t) { return device_milliseconds(device, *commands); });
    result.copy = 2 * static_cast<double>(bytes) / copy.median_ms;
  }

  // A minimum over one row of keys: 4 bytes read per key, 8 bytes written per segment.
  const std::uint64_t columns = bytes / 4;
  constexpr std::uint64_t segments = 16384;
  passes::SelectRowsParameters parameters{};
  parameters.segment_columns = static_cast<std::uint32_t>((columns / segments + 3) / 4 * 4);
  parameters.segments =
      static_cast<std::uint32_t>((columns + parameters.segment_columns - 1) / parameters.segment_columns);
  parameters.columns = static_cast<std::uint32_t>(columns);
  parameters.keys_stride = parameters.columns;
  parameters.k = 1;
  parameters.first_chunk = 1;
  const auto lists = device.create_buffer(std::uint64_t{parameters.segments} * 8, MemoryKind::device);
  parameters.keys = from->address();
  parameters.lists = lists->address();
  const Pass pass = passes::make_select_rows(parameters, 1);
  if (device.supports(pass)) {
    device.prepare(pass);
    const auto commands = device.create_commands(Timing::whole);
    commands->begin();
    commands->record(pass);
    commands->end();
    const Timed scan = repeat(patience, [&](std::uint32_t) { return device_milliseconds(device, *commands); });
    result.scan_of_keys = static_cast<double>(bytes) / scan.median_ms;
  }
  result.read = std::max(result.copy, result.scan_of_keys);
  return result;
}

}  // namespace proxel::tool
