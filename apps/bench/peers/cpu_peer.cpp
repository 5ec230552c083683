#include "bench/peers/cpu_peer.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

// "20,480 of 20,480 distances are brute force's, largest relative error 3e-07"
std::string nearness(const Neighbors& expected, const Neighbors& found) {
  const std::uint64_t slots = expected.distances.rows() * expected.distances.columns();
  std::uint64_t equal = 0;
  double largest = 0;
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    const double wanted = expected.distances.data()[slot];
    const double got = found.distances.data()[slot];
    if (got == wanted)
      ++equal;
    else
      largest = std::max(largest, std::abs(got - wanted) / std::max(wanted, 1e-30));
  }
  return fmt::format("{} of {} distances are brute force's, largest relative error {:.1g}", with_separators(equal),
                     with_separators(slots), largest);
}

// What proxel's rows of the same case took, as multiples.
std::string beside_proxel(const BenchRow& peer, const Recorder& recorder) {
  std::string text;
  for (const BenchRow& row : recorder.rows())
    if (row.group == peer.group && row.n == peer.n && row.q == peer.q && row.d == peer.d && row.k == peer.k &&
        row.name.starts_with("proxel_") && row.median_ms > 0)
      text += fmt::format("; {} is {} as fast", row.name, as_speed_up(peer.median_ms / row.median_ms));
  return text;
}

}  // namespace

const std::vector<CpuPeerMaker>& cpu_peers() {
  static const std::vector<CpuPeerMaker> peers = {
#ifdef PROXEL_WITH_FAISS
      {"faiss_flat", Support::yes(), true, make_faiss_peer},
#else
      {"faiss_flat", Support::no(Limit::build, "left out of this build: it needs libfaiss-dev"), true, nullptr},
#endif
#ifdef PROXEL_WITH_HNSWLIB
      {"hnswlib_brute_force", Support::yes(), false, make_hnswlib_peer},
#else
      {"hnswlib_brute_force", Support::no(Limit::build, "left out of this build: it needs libhnswlib-dev"), false,
       nullptr},
#endif
#ifdef PROXEL_WITH_ANN
      {"ann_kdtree", Support::yes(), false, make_ann_peer},
#else
      {"ann_kdtree", Support::no(Limit::build, "left out of this build: it needs libann-dev"), false, nullptr},
#endif
  };
  return peers;
}

void measure_cpu_peers(const KnnWorkload& work, const Neighbors& expected, const std::vector<std::uint32_t>& threads,
                       const BenchOptions& options, Recorder& recorder) {
  const KnnCase& one = work.one;
  for (const CpuPeerMaker& maker : cpu_peers()) {
    if (!maker.built_in) {
      recorder.note(fmt::format("{}: {}", maker.name, maker.built_in.reason));
      continue;
    }
    if (one.k > one.shape.rows) continue;
    for (const std::uint32_t count : maker.many_threads ? threads : std::vector<std::uint32_t>{1}) {
      const auto peer = maker.make(work.data.view(), count);
      if (const std::string base = peer->rests_on(); !base.empty())
        recorder.note(fmt::format("{} rests on {}.", maker.name, base));
      Neighbors found;
      const Timed timed = repeat_on_host(options.patience, [&] { found = peer->search(work.queries.view(), one.k); });
      BenchRow row{one.group,
                   fmt::format("{}_{}", maker.name, thread_text(count)),
                   "l2sq",
                   one.shape.rows,
                   one.shape.queries,
                   one.shape.dimensions,
                   one.k,
                   timed.median_ms,
                   timed.min_ms,
                   "",
                   {}};
      row.remark = nearness(expected, found) + beside_proxel(row, recorder);
      recorder.add(std::move(row));
    }
  }
}

std::vector<std::uint32_t> thread_counts() {
  const std::uint32_t all = std::thread::hardware_concurrency();
  return all > 1 ? std::vector<std::uint32_t>{1, all} : std::vector<std::uint32_t>{1};
}

std::string thread_text(std::uint32_t threads) { return fmt::format("{}_thread{}", threads, threads == 1 ? "" : "s"); }

}  // namespace proxel::tool
