#include <hnswlib/hnswlib.h>

#include "bench/peers/cpu_peer.hpp"

namespace proxel::tool {
namespace {

class HnswlibPeer : public CpuPeer {
 public:
  explicit HnswlibPeer(const MatrixView<float>& rows) : space_(rows.columns), index_(&space_, rows.rows) {
    for (std::uint64_t row = 0; row < rows.rows; ++row) index_.addPoint(rows.data + row * rows.columns, row);
  }

  Neighbors search(const MatrixView<float>& queries, std::uint64_t k) override {
    Neighbors found{Matrix<std::uint32_t>(queries.rows, k), Matrix<float>(queries.rows, k)};
    for (std::uint64_t row = 0; row < queries.rows; ++row) {
      auto farthest_first = index_.searchKnn(queries.data + row * queries.columns, k);
      for (std::uint64_t slot = k; slot-- > 0; farthest_first.pop()) {
        found.indices(row, slot) = static_cast<std::uint32_t>(farthest_first.top().second);
        found.distances(row, slot) = farthest_first.top().first;
      }
    }
    return found;
  }

  std::string rests_on() const override {
#if defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX__)
    return "AVX";
#else
    return "instructions that every processor of this kind has, as it was compiled for these";
#endif
  }

 private:
  hnswlib::L2Space space_;
  hnswlib::BruteforceSearch<float> index_;
};

}  // namespace

std::unique_ptr<CpuPeer> make_hnswlib_peer(const MatrixView<float>& rows, std::uint32_t) {
  return std::make_unique<HnswlibPeer>(rows);
}

}  // namespace proxel::tool
