#include "gpu/frame_queries.hpp"

namespace gpu {

FrameQueries::FrameQueries(Gpu& gpu, std::uint32_t count) : gpu_(gpu), count_(count) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  for (VkQueryPool& pool : pools_) require(vkCreateQueryPool(gpu.device, &info, nullptr, &pool), "vkCreateQueryPool");
}

FrameQueries::~FrameQueries() {
  for (const VkQueryPool pool : pools_) vkDestroyQueryPool(gpu_.device, pool, nullptr);
}

void FrameQueries::begin(std::uint32_t slot) { vkResetQueryPool(gpu_.device, pools_[slot], 0, count_); }

}  // namespace gpu
