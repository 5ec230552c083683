#include <ANN/ANN.h>

#include "bench/peers/cpu_peer.hpp"

namespace proxel::tool {
namespace {

class AnnPeer : public CpuPeer {
 public:
  explicit AnnPeer(const MatrixView<float>& rows) : values_(rows.data, rows.data + rows.rows * rows.columns) {
    for (std::uint64_t row = 0; row < rows.rows; ++row) points_.push_back(&values_[row * rows.columns]);
    tree_ = std::make_unique<ANNkd_tree>(points_.data(), static_cast<int>(rows.rows), static_cast<int>(rows.columns));
  }
  ~AnnPeer() override {
    tree_.reset();
    annClose();
  }

  Neighbors search(const MatrixView<float>& queries, std::uint64_t k) override {
    Neighbors found{Matrix<std::uint32_t>(queries.rows, k), Matrix<float>(queries.rows, k)};
    std::vector<ANNcoord> query(queries.columns);
    std::vector<ANNidx> indices(k);
    std::vector<ANNdist> distances(k);
    for (std::uint64_t row = 0; row < queries.rows; ++row) {
      for (std::uint64_t column = 0; column < queries.columns; ++column) query[column] = queries(row, column);
      tree_->annkSearch(query.data(), static_cast<int>(k), indices.data(), distances.data(), 0.0);
      for (std::uint64_t slot = 0; slot < k; ++slot) {
        found.indices(row, slot) = static_cast<std::uint32_t>(indices[slot]);
        found.distances(row, slot) = static_cast<float>(distances[slot]);
      }
    }
    return found;
  }

 private:
  std::vector<ANNcoord> values_;
  std::vector<ANNpoint> points_;
  std::unique_ptr<ANNkd_tree> tree_;
};

}  // namespace

std::unique_ptr<CpuPeer> make_ann_peer(const MatrixView<float>& rows, std::uint32_t) {
  return std::make_unique<AnnPeer>(rows);
}

}  // namespace proxel::tool
