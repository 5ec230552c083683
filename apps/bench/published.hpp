#pragma once

#include <cstdint>
#include <optional>

#include "bench/bench_row.hpp"
#include "bench/suite.hpp"
#include "proxel/device.hpp"

namespace proxel::tool {

/// Whether the published figures were measured on such a device, so that a
/// ratio to them means something.
bool is_published_device(const DeviceInfo& device);

/// The fastest library there for exact k-NN by l2sq of that shape, if it was measured.
std::optional<PeerFigure> fastest_peer(const Shape& shape, std::uint64_t k);

/// The time that proxel wants to stay within there, if one was set.
std::optional<double> target_ms(BackendKind backend, const Shape& shape, std::uint64_t k);

/// Where the figures come from, for a help text and for notes.
inline constexpr const char* published_sources =
    "Peers' figures were published for one NVIDIA H200 (driver 580, CUDA 13.0), device time, "
    "float32: FAISS 1.15 bfKnn (built for sm_90, no TF32), cuVS 26.08 fused L2 (norms given), "
    "PyTorch 2.11 addmm and topk (TF32 off), kNN-CUDA, the code of Garcia 2010. They were measured "
    "earlier with those versions, not in this run; scripts/peers_torch.py measures PyTorch's again.";

}  // namespace proxel::tool
