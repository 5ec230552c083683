#include "bench/published.hpp"

#include <algorithm>
#include <array>

namespace proxel::tool {
namespace {

// Milliseconds; 0 where a library was not measured.
struct Published {
  std::uint64_t rows;
  std::uint32_t queries, dimensions, k;
  double knn_cuda, cuvs, faiss, torch;
};
constexpr Published published[] = {
    // Garcia 2010, table 1: k = 20, n = q
    {256, 256, 1, 20, 0, 0, 0.057, 0.146},
    {256, 256, 4, 20, 0, 0, 0.055, 0.185},
    {256, 256, 16, 20, 0, 0, 0.040, 0.101},
    {256, 256, 64, 20, 0, 0, 0.042, 0.115},
    {256, 256, 256, 20, 0, 0, 0.057, 0.132},
    {1'024, 1'024, 1, 20, 0, 0, 0.067, 0.258},
    {1'024, 1'024, 4, 20, 0, 0, 0.061, 0.205},
    {1'024, 1'024, 16, 20, 0, 0, 0.063, 0.374},
    {1'024, 1'024, 64, 20, 0, 0, 0.089, 0.275},
    {1'024, 1'024, 256, 20, 0, 0, 0.096, 0.290},
    {4'096, 4'096, 1, 20, 3.29, 0.164, 0.243, 0.472},
    {4'096, 4'096, 4, 20, 3.24, 0.167, 0.228, 0.476},
    {4'096, 4'096, 16, 20, 3.06, 0.174, 0.230, 0.479},
    {4'096, 4'096, 64, 20, 3.10, 0.276, 0.305, 0.529},
    {4'096, 4'096, 256, 20, 3.13, 0.655, 0.468, 0.694},
    {8'192, 8'192, 1, 20, 0, 0.367, 0.659, 1.33},
    {8'192, 8'192, 4, 20, 0, 0.356, 0.625, 1.37},
    {8'192, 8'192, 16, 20, 0, 0.360, 0.595, 1.37},
    {8'192, 8'192, 64, 20, 0, 0.756, 0.926, 1.48},
    {8'192, 8'192, 256, 20, 0, 2.38, 1.43, 2.07},
    {16'384, 16'384, 1, 20, 11.4, 1.24, 2.04, 4.50},
    {16'384, 16'384, 4, 20, 10.3, 1.24, 1.90, 4.62},
    {16'384, 16'384, 16, 20, 10.1, 1.24, 2.01, 4.73},
    {16'384, 16'384, 64, 20, 11.4, 2.83, 2.96, 5.24},
    {16'384, 16'384, 256, 20, 13.4, 9.33, 5.05, 7.10},
    {32'768, 32'768, 1, 20, 0, 0, 7.33, 17.4},
    {32'768, 32'768, 4, 20, 0, 0, 6.42, 18.0},
    {32'768, 32'768, 16, 20, 0, 0, 6.56, 18.2},
    {32'768, 32'768, 64, 20, 0, 0, 9.85, 20.3},
    {32'768, 32'768, 256, 20, 0, 0, 18.0, 27.6},
    {65'536, 65'536, 1, 20, 0, 16.5, 23.4, 69.0},
    {65'536, 65'536, 4, 20, 0, 16.5, 23.2, 70.5},
    {65'536, 65'536, 16, 20, 0, 16.5, 24.1, 71.2},
    {65'536, 65'536, 64, 20, 0, 42.5, 36.3, 79.9},
    {65'536, 65'536, 256, 20, 0, 150.0, 74.0, 108.5},
    // practical sizes
    {1'000'000, 1, 128, 10, 0, 0.778, 3.59, 0.438},
    {1'000'000, 10, 128, 10, 0, 0, 3.63, 0.672},
    {1'000'000, 100, 128, 100, 0, 0, 4.57, 2.50},
    {1'000'000, 10'000, 128, 10, 0, 221.2, 102.9, 203.4},
    {1'000'000, 10'000, 128, 100, 0, 0, 105.9, 204.3},
    {1'000'000, 10'000, 960, 100, 0, 0, 442.6, 524.3},
    {60'000, 10'000, 784, 10, 0, 77.3, 23.1, 27.2},
    {10'000'000, 1'000, 96, 100, 0, 0, 91.1, 208.0},
    {100'000, 100'000, 3, 16, 0, 35.9, 51.8, 0},
};

struct Target {
  std::uint64_t rows;
  std::uint32_t queries, dimensions, k;
  double cuda, vulkan;
};
constexpr Target targets[] = {
    {1'000'000, 1, 128, 10, 0.15, 0.16},
    {1'000'000, 100, 128, 100, 0.6, 0.9},
    {1'000'000, 10'000, 128, 100, 15, 30},
    {1'000'000, 10'000, 960, 100, 90, 180},
    {60'000, 10'000, 784, 10, 5, 10},
    {10'000'000, 1'000, 96, 100, 20, 35},
    {100'000, 100'000, 3, 16, 3, 4},
    // Garcia's table at its largest
    {65'536, 65'536, 1, 20, 2, 4},
    {65'536, 65'536, 4, 20, 2, 4},
    {65'536, 65'536, 16, 20, 3, 6},
    {65'536, 65'536, 64, 20, 4, 8},
    {65'536, 65'536, 256, 20, 8, 16},
};

template <typename Entry, std::size_t Count>
const Entry* find(const Entry (&entries)[Count], const Shape& shape, std::uint64_t k) {
  const auto found = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& entry) {
    return entry.rows == shape.rows && entry.queries == shape.queries && entry.dimensions == shape.dimensions &&
           entry.k == k;
  });
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace

bool is_published_device(const DeviceInfo& device) { return device.name.starts_with("NVIDIA H200"); }

std::optional<PeerFigure> fastest_peer(const Shape& shape, std::uint64_t k) {
  const Published* entry = find(published, shape, k);
  if (!entry) return std::nullopt;
  const std::array<PeerFigure, 4> figures = {PeerFigure{"FAISS 1.15", entry->faiss},
                                             {"cuVS 26.08", entry->cuvs},
                                             {"PyTorch 2.11", entry->torch},
                                             {"kNN-CUDA", entry->knn_cuda}};
  std::optional<PeerFigure> fastest;
  for (const PeerFigure& figure : figures)
    if (figure.ms > 0 && (!fastest || figure.ms < fastest->ms)) fastest = figure;
  return fastest;
}

std::optional<double> target_ms(BackendKind backend, const Shape& shape, std::uint64_t k) {
  if (backend == BackendKind::cpu) return std::nullopt;
  const bool cuda = backend == BackendKind::cuda;
  if (const Target* target = find(targets, shape, k)) return cuda ? target->cuda : target->vulkan;
  // Garcia's table at its small sizes is held against the fastest peer.
  const auto peer = fastest_peer(shape, k);
  if (!peer || shape.rows != shape.queries || k != 20) return std::nullopt;
  if (shape.rows <= 4096) return cuda ? peer->ms : 1.5 * peer->ms;
  if (shape.rows == 8192) return cuda ? peer->ms / 4 : peer->ms / 2;
  return std::nullopt;
}

}  // namespace proxel::tool
