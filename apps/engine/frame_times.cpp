#include "frame_times.hpp"

#include <algorithm>

namespace engine {

FrameTimes::FrameTimes(Gpu& gpu, std::size_t passes)
    : gpu_(gpu), passes_(static_cast<std::uint32_t>(passes)), queries_(gpu, passes_ + 1 + passes_ * most_within) {
  names_.fill(std::vector<Names>(passes));
}

std::uint32_t FrameTimes::first_within(std::size_t pass) const {
  return passes_ + 1 + static_cast<std::uint32_t>(pass) * most_within;
}

void FrameTimes::begin(VkCommandBuffer commands, std::uint32_t slot) {
  queries_.begin(slot);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries_.pool(slot), 0);
}

proxel::vulkan::Timestamps FrameTimes::within(std::uint32_t slot, std::size_t pass) const {
  return {queries_.pool(slot), first_within(pass), most_within};
}

void FrameTimes::end_pass(VkCommandBuffer commands, std::uint32_t slot, std::size_t pass, const Names& within) {
  names_[slot][pass].assign(within.begin(),
                            within.begin() + std::min<std::ptrdiff_t>(std::ssize(within), most_within - 1));
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.pool(slot),
                      static_cast<std::uint32_t>(pass) + 1);
}

// The times from each timestamp to the next.
std::vector<double> FrameTimes::milliseconds(std::uint32_t slot, std::uint32_t first, std::uint32_t count) const {
  std::vector<std::uint64_t> ticks(count + 1);
  gpu::require(vkGetQueryPoolResults(gpu_.device, queries_.pool(slot), first, count + 1, ticks.size() * 8, ticks.data(),
                                     8, VK_QUERY_RESULT_64_BIT),
               "vkGetQueryPoolResults");
  std::vector<double> times(count);
  for (std::size_t i = 0; i < count; ++i)
    times[i] = static_cast<double>(ticks[i + 1] - ticks[i]) *
               static_cast<double>(gpu_.properties.limits.timestampPeriod) * 1e-6;
  return times;
}

std::vector<PassTime> FrameTimes::read(std::uint32_t slot) const {
  std::vector<PassTime> passes(passes_);
  const std::vector<double> times = milliseconds(slot, 0, passes_);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    passes[i].milliseconds = times[i];
    const Names& names = names_[slot][i];
    if (names.empty()) continue;
    const auto parts = milliseconds(slot, first_within(i), static_cast<std::uint32_t>(names.size()));
    for (std::size_t j = 0; j < names.size(); ++j) passes[i].within.push_back({names[j], parts[j]});
  }
  return passes;
}

}  // namespace engine
