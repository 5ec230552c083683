#pragma once

#include <cstdint>
#include <memory>

#include "proxel/matrix.hpp"

namespace proxel::tool {

/// What a C++ programmer gets without proxel: a plain loop for the l1 nearest
/// row, compiled with -O3 -ffast-math for the widest vectors of this processor,
/// on one core or all. Its sums are not canonical; it is a peer, not an oracle.
class PlainLoop {
 public:
  /// @param rows     row-major; outlives this object
  /// @param threads  0: one for each core
  explicit PlainLoop(MatrixView<float> rows, std::uint32_t threads = 0);
  ~PlainLoop();

  struct Nearest {
    std::uint64_t index = 0;
    float distance = 0;
  };
  /// The threads stay between calls, so that starting them costs nothing here.
  Nearest search(const float* query);

 private:
  struct Team;
  std::unique_ptr<Team> team_;
};

}  // namespace proxel::tool
