#pragma once

// Choosing a kernel's variant from the constants of a pass.

#include "kernel.hpp"
#include "proxel/metric.hpp"

namespace proxel::cuda {

template <Metric metric>
struct MetricTag {
  static constexpr Metric value = metric;
};

template <typename... Arguments>
Kernel variant(void (*function)(Arguments...), std::uint32_t shared_bytes = 0) {
  return {reinterpret_cast<const void*>(function), shared_bytes};
}

/// Calls choose(MetricTag) with the accumulated metric that is given.
template <typename Choose>
Kernel for_metric(Metric metric, const Choose& choose) {
  switch (metric) {
    case Metric::l1:
      return choose(MetricTag<Metric::l1>{});
    case Metric::l2sq:
      return choose(MetricTag<Metric::l2sq>{});
    case Metric::linf:
      return choose(MetricTag<Metric::linf>{});
    case Metric::ip:
      return choose(MetricTag<Metric::ip>{});
    case Metric::l2:
    case Metric::cosine:
    case Metric::pearson:
      break;  // accumulated as another metric
  }
  return {};
}

/// Whether a workgroup is made of whole warps, a power of two of them.
inline bool whole_warps(std::uint32_t workgroup_size) {
  return workgroup_size >= 32 && workgroup_size <= 1024 && (workgroup_size & (workgroup_size - 1)) == 0;
}

/// Dynamic shared memory of a BlockSelect.
inline std::uint32_t select_bytes(std::uint32_t list_length, std::uint32_t workgroup_size) {
  return 2 * (list_length > workgroup_size ? list_length : workgroup_size) * 8 + 16;
}

/// Whether a BlockSelect can hold lists of this length.
inline bool selectable(std::uint32_t list_length, std::uint32_t workgroup_size) {
  return whole_warps(workgroup_size) && list_length <= 1024 && (list_length & (list_length - 1)) == 0;
}

/// Whether a PoolSelect can hold a pool of this capacity.
inline bool pool_selectable(std::uint32_t capacity, std::uint32_t workgroup_size) {
  return whole_warps(workgroup_size) && capacity >= 4 * workgroup_size && (capacity & (capacity - 1)) == 0;
}

}  // namespace proxel::cuda
