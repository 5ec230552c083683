#include <dlfcn.h>
#include <omp.h>

#include <faiss/IndexFlat.h>

#include "bench/peers/cpu_peer.hpp"

namespace proxel::tool {
namespace {

class FaissPeer : public CpuPeer {
 public:
  FaissPeer(const MatrixView<float>& rows, std::uint32_t threads)
      : threads_(static_cast<int>(threads)), index_(static_cast<std::int64_t>(rows.columns)) {
    index_.add(static_cast<std::int64_t>(rows.rows), rows.data);
  }

  Neighbors search(const MatrixView<float>& queries, std::uint64_t k) override {
    omp_set_num_threads(threads_);
    // OpenBLAS, where it is the BLAS in use, has threads of its own.
    if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
      reinterpret_cast<void (*)(int)>(symbol)(threads_);
    Neighbors found{Matrix<std::uint32_t>(queries.rows, k), Matrix<float>(queries.rows, k)};
    labels_.resize(queries.rows * k);
    index_.search(static_cast<std::int64_t>(queries.rows), queries.data, static_cast<std::int64_t>(k),
                  found.distances.data(), labels_.data());
    for (std::uint64_t slot = 0; slot < labels_.size(); ++slot)
      found.indices.data()[slot] = static_cast<std::uint32_t>(labels_[slot]);
    return found;
  }

  // Products of many queries are BLAS's, and releases of BLAS differ several times over.
  std::string rests_on() const override {
    Dl_info info{};
    void* symbol = dlsym(RTLD_DEFAULT, "sgemm_");
    if (!symbol || dladdr(symbol, &info) == 0 || !info.dli_fname) return "a BLAS linked into it";
    return std::string("the BLAS ") + info.dli_fname;
  }

 private:
  int threads_;
  faiss::IndexFlatL2 index_;
  std::vector<std::int64_t> labels_;
};

}  // namespace

std::unique_ptr<CpuPeer> make_faiss_peer(const MatrixView<float>& rows, std::uint32_t threads) {
  return std::make_unique<FaissPeer>(rows, threads);
}

}  // namespace proxel::tool
