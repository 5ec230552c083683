// What a search by several ranks takes beside comparing: messages, merging. For docs/scaling.md.
//   mpirun -n 4 proxel_mpi_measure
// Prints, of rank 0: ranks, milliseconds of sending queries to all, of bringing an answer up and merging it, of an empty call.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "proxel/device.hpp"
#include "proxel/merge.hpp"
#include "proxel/mpi/sharded_index.hpp"

namespace {

using namespace proxel;

// Of many, as other work of the machine only adds.
double least_milliseconds(const std::function<double()>& call) {
  double least = call();
  for (int repeat = 0; repeat < 30; ++repeat) least = std::min(least, call());
  return least;
}

// A call without the slowest rank's comparing.
double beside_comparing(mpi::ShardedIndex& index, const Matrix<float>& queries, std::uint64_t k) {
  return least_milliseconds([&] {
    MPI_Barrier(MPI_COMM_WORLD);
    const SearchReport report = index.search(queries.view(), k, Metric::l1).report;
    double slowest = 0;
    for (const DeviceShare& rank : report.devices) slowest = std::max(slowest, rank.milliseconds);
    return report.times.total_milliseconds - slowest;
  });
}

double merging(std::uint64_t queries, std::uint64_t k) {
  const auto part = [&](float step) {
    Neighbors found{Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
    for (std::uint64_t query = 0; query < queries; ++query)
      for (std::uint64_t rank = 0; rank < k; ++rank) {
        found.indices(query, rank) = static_cast<std::uint32_t>(rank);
        found.distances(query, rank) = step * static_cast<float>(rank);
      }
    return found;
  };
  const Neighbors one = part(1), other = part(1.1f);
  return least_milliseconds([&] {
    const auto begin = std::chrono::steady_clock::now();
    const PartialAnswer both[] = {{one}, {other, k}};
    merge(both, k, Metric::l1);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  });
}

}  // namespace

int main(int count, char** words) {
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    constexpr std::uint64_t queries = 10000, k = 100, wide = 1024;
    const auto device = open_device("cpu");
    const Matrix<float> narrow(k, 1), broad(1, wide);
    mpi::ShardedIndex few(MPI_COMM_WORLD, *device, narrow.view()), one(MPI_COMM_WORLD, *device, broad.view());
    const double empty = beside_comparing(few, Matrix<float>(1, 1), 1);
    const double up = beside_comparing(few, Matrix<float>(queries, 1), k);
    const double down = beside_comparing(one, Matrix<float>(queries, wide), 1);
    const double merge = rank == 0 ? merging(queries, k) : 0;
    if (rank == 0)
      std::printf(
          "%d ranks: an empty call %.3f ms, queries of 41 MB down %.1f ms, answers of 8 MB up %.1f ms; one merge "
          "of 1,000,000 neighbours %.2f ms\n",
          size, empty, down, up, merge);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
