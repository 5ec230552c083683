// proxel::mpi::ShardedIndex, on as many ranks as it is started with: the answers of one index, to the bit, and failures told
// to all. Prints one line on rank 0; what is wrong on any rank fails all.
#include "proxel/mpi/sharded_index.hpp"

#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

#include "proxel/device.hpp"
#include "proxel/index.hpp"

namespace {

using namespace proxel;

Matrix<float> whole_numbers(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  Matrix<float> values(rows, columns);
  std::mt19937 random(seed);
  for (std::uint64_t i = 0; i < rows * columns; ++i) values.data()[i] = static_cast<float>(random() % 5);
  return values;
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

bool same(const Neighbors& one, const Neighbors& other) {
  return one.indices == other.indices && std::memcmp(one.distances.data(), other.distances.data(),
                                                     other.distances.rows() * other.distances.columns() * 4) == 0;
}

void test(int rank, int size, const std::string& how) {
  const auto device = open_device(rank % 2 ? "cpu:reference" : "cpu");
  // Queries and an answer of more than one message of the largest size.
  const bool large = how == "large";
  const Matrix<float> rows = whole_numbers(large ? 300 : 157, 4, 1),
                      queries = whole_numbers(large ? 60000 : 30, large ? 100 : 4, 2);
  const Matrix<float> wide = large ? whole_numbers(300, 100, 1) : rows;
  const std::uint64_t k = large ? 80 : 20;
  const auto part = [&](int which) {
    return wide.rows() * static_cast<std::uint64_t>(which) / static_cast<std::uint64_t>(size);
  };
  mpi::ShardedIndex index(MPI_COMM_WORLD, *device, wide.view().slice(part(rank), part(rank + 1) - part(rank)), {},
                          {.answers_everywhere = true});
  if (how == "unwound" && rank == size - 1) throw std::runtime_error("of the program's own");
  Index one(*device, wide.view());
  const Neighbors expected = one.search(queries.view(), k, Metric::l2);
  mpi::ShardedIndex moved = std::move(index);
  require(same(moved.search(rank == 0 ? queries.view() : MatrixView<float>(), k, Metric::l2), expected), "search");
  if (large) return;
  bool told = false;
  try {
    moved.search(queries.view(), 0, Metric::l2);
  } catch (const Error& error) {
    told = error.subject() == "k";
  }
  require(told, "a k of 0");
  require(same(knn_graph(moved, 3, Metric::l1), knn_graph(one, 3, Metric::l1)), "graph");
  require(moved.add(queries.view()) == 157 && one.add(queries.view()) == 157, "add");
  require(same(moved.search(queries.view(), k, Metric::cosine), one.search(queries.view(), k, Metric::cosine)),
          "added");
}

}  // namespace

int main(int count, char** words) {
  int level = 0, rank = 0, size = 0;
  const std::string how = count > 1 ? words[1] : "";
  if (how == "single")
    MPI_Init(&count, &words);
  else
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    test(rank, size, how);
    if (rank == 0) std::printf("the same on %d\n", size);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
