#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/knn_workload.hpp"
#include "proxel/error.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// Another library's exact k-NN by squared Euclidean distance, on this machine's
/// processor. It promises neither canonical distances nor ordered ties.
class CpuPeer {
 public:
  virtual ~CpuPeer() = default;
  /// @param queries  [q x d], contiguous
  /// @return matrices [q x k]; k is at most the number of rows
  virtual Neighbors search(const MatrixView<float>& queries, std::uint64_t k) = 0;
  /// What its speed depends on beside itself, for a note; may be empty.
  virtual std::string rests_on() const { return {}; }
};

struct CpuPeerMaker {
  std::string name;   ///< in the tables: "faiss_flat"
  Support built_in;   ///< whether this build has the library, or what is missing
  bool many_threads;  ///< whether it can use more than one thread
  /// @param rows  contiguous; outlives the peer
  std::unique_ptr<CpuPeer> (*make)(const MatrixView<float>& rows, std::uint32_t threads);
};

/// FAISS (IndexFlatL2), hnswlib (BruteforceSearch) and ANN (kd-tree, no error allowed), built in or not.
const std::vector<CpuPeerMaker>& cpu_peers();

/// A row for each library that is built in, beside rows of the same case that
/// were measured before; notes those that are not. The remark tells how near the
/// library's answers come to `expected`, and how it compares with proxel.
/// @param expected  of all queries
/// @param threads   for libraries that can use several; others use one
void measure_cpu_peers(const KnnWorkload& work, const Neighbors& expected, const std::vector<std::uint32_t>& threads,
                       const BenchOptions& options, Recorder& recorder);

/// One thread, and all that this machine runs at once.
std::vector<std::uint32_t> thread_counts();
/// "1_thread", "16_threads"
std::string thread_text(std::uint32_t threads);

// cpu_peers() lists these; each exists where its library was found.
std::unique_ptr<CpuPeer> make_faiss_peer(const MatrixView<float>& rows, std::uint32_t threads);
std::unique_ptr<CpuPeer> make_hnswlib_peer(const MatrixView<float>& rows, std::uint32_t threads);
std::unique_ptr<CpuPeer> make_ann_peer(const MatrixView<float>& rows, std::uint32_t threads);

}  // namespace proxel::tool
