// An index over several ranks answers as one index does, to the bit, and what fails on one of them fails on all.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <new>
#include <numeric>
#include <random>

#include "distributed/exchange.hpp"
#include "proxel/distributed_index.hpp"
#include "support.hpp"
#include "thread_ranks.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

constexpr std::array<std::uint32_t, 5> sizes = {1, 2, 3, 5, 7};

template <typename T>
bool same_bytes(const Matrix<T>& one, const Matrix<T>& other) {
  return one.rows() == other.rows() && one.columns() == other.columns() &&
         std::memcmp(one.data(), other.data(), one.rows() * one.columns() * sizeof(T)) == 0;
}
bool same(const Neighbors& one, const Neighbors& other) {
  return same_bytes(one.indices, other.indices) && same_bytes(one.distances, other.distances);
}
bool same(const RangeNeighbors& one, const RangeNeighbors& other) {
  return one.offsets == other.offsets && one.indices == other.indices &&
         one.distances.size() == other.distances.size() &&
         std::memcmp(one.distances.data(), other.distances.data(), one.distances.size() * 4) == 0;
}

// Parts of rows, some of them empty or smaller than k.
std::vector<MatrixView<float>> divide(const MatrixView<float>& rows, std::uint32_t parts, std::mt19937& random) {
  std::vector<std::uint64_t> ends = {0};
  for (std::uint32_t i = 1; i < parts; ++i)
    ends.push_back(random() % 4 == 0 ? ends.back() : random() % (rows.rows + 1));
  std::sort(ends.begin(), ends.end());
  ends.push_back(rows.rows);
  std::vector<MatrixView<float>> shards;
  for (std::uint32_t i = 0; i < parts; ++i) shards.push_back(rows.slice(ends[i], ends[i + 1] - ends[i]));
  return shards;
}

void must_throw_nothing(const std::vector<std::exception_ptr>& thrown) {
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

// What each rank threw: the text of an Error, or else "?"; empty where it threw nothing.
std::vector<std::string> texts(const std::vector<std::exception_ptr>& thrown) {
  std::vector<std::string> all;
  for (const std::exception_ptr& one : thrown) {
    all.emplace_back();
    try {
      if (one) std::rethrow_exception(one);
    } catch (const Error& error) {
      all.back() = error.what();
    } catch (...) {
      all.back() = "?";
    }
  }
  return all;
}

// Asks one index and several ranks the same; checks on the first rank (and on all where all get the answers).
struct Questions {
  Matrix<float> rows, queries;
  Metric metric;
  std::uint32_t size;
  bool everywhere;
  std::uint32_t seed;

  void check() const {
    std::mt19937 random(seed);
    const std::vector<MatrixView<float>> shards = divide(rows.view(), size, random);
    Matrix<std::uint32_t> filter(queries.rows(), filter_words(rows.rows()));
    for (std::uint64_t i = 0; i < filter.rows() * filter.columns(); ++i)
      filter.data()[i] = static_cast<std::uint32_t>(random()) | static_cast<std::uint32_t>(random());
    std::vector<std::uint32_t> self(queries.rows(), 3);
    self.back() = no_neighbor;
    const auto host = open_device("cpu");
    Index one(*host, rows.view());
    const Neighbors page = one.search(queries.view(), 4, metric);
    const Neighbors nearest = one.search(queries.view(), 9, metric);
    const Neighbors all = one.search(queries.view(), rows.rows() + 2, metric);
    const Neighbors next = one.search(queries.view(), 9, metric, {.after = &page});
    const Neighbors allowed = one.search(queries.view(), 9, metric, {.filter = filter.view(), .self = self});
    const Neighbors ordered = one.search(queries.view(), 9, metric, {.ordered = true});
    const float radius = page.distances(0, 3);
    const bool can_range = !std::isnan(radius);
    const RangeNeighbors within =
        can_range ? one.range_search(queries.view(), radius, metric, {.filter = filter.view()}) : RangeNeighbors{};
    const Neighbors graph = knn_graph(one, 3, metric);
    const std::vector<std::uint32_t> some = {static_cast<std::uint32_t>(rows.rows() - 1), 0, 2, 2};
    const Matrix<float> read = one.read_rows(some);

    std::atomic<int> wrong = 0;
    Network network(size);
    must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
      const auto device = open_device(ranks.rank() % 3 == 1 ? "cpu:reference" : "cpu");
      DistributedIndex index(ranks, *device, shards[ranks.rank()], {}, {.answers_everywhere = everywhere});
      const bool root = ranks.rank() == 0;
      const auto must_be = [&](const Neighbors& found, const Neighbors& expected) {
        if (!root && !everywhere) {
          if (found.indices.rows() != 0) ++wrong;
        } else if (!same(found, expected)) {
          ++wrong;
        }
      };
      // The others' arguments are not looked at.
      const MatrixView<float> asked = root ? queries.view() : MatrixView<float>{};
      const std::uint64_t k = root ? 9 : 0;
      must_be(index.search(asked, k, metric), nearest);
      must_be(index.search(asked, root ? rows.rows() + 2 : 1, metric), all);
      must_be(index.search(asked, k, metric, {.after = root ? &page : nullptr}), next);
      must_be(
          index.search(asked, k, metric, root ? SearchOptions{.filter = filter.view(), .self = self} : SearchOptions{}),
          allowed);
      must_be(index.search(asked, k, metric, {.ordered = root}), ordered);
      if (can_range) {
        const RangeNeighbors found = index.range_search(
            asked, root ? radius : 0, metric, root ? SearchOptions{.filter = filter.view()} : SearchOptions{});
        if ((root || everywhere) && !same(found, within)) ++wrong;
      }
      must_be(knn_graph(index, root ? 3 : 1, metric), graph);
      const Matrix<float> rows_read =
          index.read_rows(root ? std::span<const std::uint32_t>(some) : std::span<const std::uint32_t>());
      if (root && !same_bytes(rows_read, read)) ++wrong;
      if (index.rows() != rows.rows() || index.dimensions() != rows.columns() || index.shards().size() != size) ++wrong;
    }));
    CHECK(wrong == 0);
    CHECK(network.is_empty());
  }
};

}  // namespace

TEST_CASE("several ranks answer as one index does") {
  std::uint32_t seed = 1;
  for (const std::uint32_t size : sizes)
    for (const Metric metric : all_metrics)
      for (const Temper temper : all_tempers) {
        CAPTURE(size);
        CAPTURE(to_string(metric));
        CAPTURE(static_cast<int>(temper));
        ++seed;
        const std::uint64_t rows = seed % 5 == 0 ? 4 : 150 + seed % 100;
        Questions{make_values(rows, 5, temper, seed),
                  make_values(3, 5, temper, seed + 1000),
                  metric,
                  size,
                  seed % 3 == 0,
                  seed}
            .check();
      }
}

TEST_CASE("rows are added and removed as in one index") {
  const Matrix<float> rows = make_values(200, 4, Temper::ties, 5), more = make_values(70, 4, Temper::ties, 6),
                      queries = make_values(6, 4, Temper::ties, 7);
  const std::vector<std::uint32_t> gone = {0, 7, 199, 230, 7};
  const auto host = open_device("cpu");
  Index one(*host, rows.view());
  one.add(more.view());
  one.remove(gone);
  const Neighbors expected = one.search(queries.view(), 30, Metric::l1);
  for (const std::uint32_t size : sizes) {
    CAPTURE(size);
    std::mt19937 random(size);
    const auto shards = divide(rows.view(), size, random);
    std::atomic<int> wrong = 0;
    Network network(size);
    must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
      const auto device = open_device("cpu");
      DistributedIndex index(ranks, *device, shards[ranks.rank()]);
      if (index.add(ranks.rank() == 0 ? more.view().slice(0, 40) : MatrixView<float>{}) != 200) ++wrong;
      if (index.add(ranks.rank() == 0 ? more.view().slice(40, 30) : MatrixView<float>{}) != 240) ++wrong;
      if (index.remove(ranks.rank() == 0 ? std::span<const std::uint32_t>(gone) : std::span<const std::uint32_t>()) !=
          4)
        ++wrong;
      if (index.rows() != 270 || index.removed_rows() != 4) ++wrong;
      const Neighbors found = index.search(queries.view(), 30, Metric::l1);
      if (ranks.rank() == 0 && !same(found, expected)) ++wrong;
    }));
    CHECK(wrong == 0);
    CHECK(network.is_empty());
  }
}

TEST_CASE("rows that were removed are taken out as of one index, and their numbers close up") {
  const Matrix<float> rows = make_values(200, 4, Temper::ties, 5), more = make_values(70, 4, Temper::ties, 6),
                      queries = make_values(6, 4, Temper::ties, 7);
  for (const std::uint32_t size : sizes) {
    CAPTURE(size);
    std::mt19937 random(size);
    const auto shards = divide(rows.view(), size, random);
    // Scattered rows, and all of the last rank's, which is then without an index.
    std::vector<std::uint32_t> gone;
    const auto of_others = static_cast<std::uint32_t>(200 - (shards.back().rows > 150 ? 0 : shards.back().rows));
    for (std::uint32_t row = 0; row < 200; ++row)
      if (row % 7 == 3 || row >= of_others) gone.push_back(row);
    const auto host = open_device("cpu");
    Index one(*host, rows.view());
    one.remove(gone);
    const std::vector<std::uint32_t> numbers = one.compact();
    one.add(more.view());
    const Neighbors expected = one.search(queries.view(), 30, Metric::l1);
    std::atomic<int> wrong = 0, interrupted = 0;
    Network network(size);
    must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
      const auto device = open_device("cpu");
      const bool root = ranks.rank() == 0;
      DistributedIndex index(ranks, *device, shards[ranks.rank()]);
      index.remove(root ? std::span<const std::uint32_t>(gone) : std::span<const std::uint32_t>());
      if (index.compact() != numbers) ++wrong;
      if (index.rows() != 200 - gone.size() || index.removed_rows() != 0) ++wrong;
      std::uint64_t of_all = 0;
      for (const RankInfo& info : index.shards()) of_all += info.rows;
      if (of_all != index.rows()) ++wrong;
      // Nothing is left to be taken out.
      const std::vector<std::uint32_t> again = index.compact();
      for (std::uint32_t row = 0; row < again.size(); ++row) wrong += again[row] != row;
      index.add(root ? more.view() : MatrixView<float>{});
      const Neighbors found = index.search(queries.view(), 30, Metric::l1);
      if (root && !same(found, expected)) ++wrong;
      std::vector<std::uint32_t> all(index.rows());
      std::iota(all.begin(), all.end(), 0u);
      index.remove(root ? std::span<const std::uint32_t>(all) : std::span<const std::uint32_t>());
      try {
        index.compact();
      } catch (const Error& error) {
        if (std::string(error.what()).find("every row has been removed") != std::string::npos) ++interrupted;
      }
    }));
    CHECK(wrong == 0);
    CHECK(interrupted == static_cast<int>(size));
    CHECK(network.is_empty());
  }
}

TEST_CASE("compact() that one rank interrupts is finished by another") {
  const Matrix<float> rows = make_values(200, 4, Temper::uniform, 5), queries = make_values(6, 4, Temper::uniform, 7);
  const std::vector<std::uint32_t> gone = {0, 50, 100, 150, 199};
  const auto host = open_device("cpu");
  Index one(*host, rows.view());
  one.remove(gone);
  const std::vector<std::uint32_t> numbers = one.compact();
  const Neighbors expected = one.search(queries.view(), 5, Metric::l2);
  for (std::uint32_t failing = 0; failing < 3; ++failing) {
    CAPTURE(failing);
    std::atomic<int> wrong = 0, told = 0;
    Network network(3);
    must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
      const auto device = open_device("cpu");
      const bool root = ranks.rank() == 0;
      const std::uint64_t first[] = {0, 70, 140, 200};
      DistributedIndex index(ranks, *device,
                             rows.view().slice(first[ranks.rank()], first[ranks.rank() + 1] - first[ranks.rank()]));
      index.remove(root ? std::span<const std::uint32_t>(gone) : std::span<const std::uint32_t>());
      try {
        index.compact([&](std::uint64_t, std::uint64_t) {
          if (ranks.rank() == failing) throw std::runtime_error("enough");
        });
        ++wrong;
      } catch (const std::exception&) {
      }
      try {
        index.search(queries.view(), 5, Metric::l2);
        ++wrong;
      } catch (const std::exception& error) {
        if (std::string(error.what()).find("call it again") != std::string::npos) ++told;
      }
      if (index.compact() != numbers) ++wrong;
      const Neighbors found = index.search(queries.view(), 5, Metric::l2);
      if (root && !same(found, expected)) ++wrong;
    }));
    CHECK(wrong == 0);
    CHECK(told == 3);
    CHECK(network.is_empty());
  }
}

TEST_CASE("a rank of too few rows for the method is answered by the scan; of all rows there must be enough") {
  const Matrix<float> rows = make_values(220, 4, Temper::uniform, 5), more = make_values(60, 4, Temper::uniform, 6);
  const auto host = open_device("cpu");
  Index one(*host, rows.view());
  const Neighbors expected = one.search(rows.view(), 55, Metric::l2);
  one.add(more.view());
  const Neighbors later = one.search(rows.view(), 70, Metric::l2);
  std::atomic<int> wrong = 0, refused = 0;
  Network network(3);
  must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
    const auto device = open_device("cpu");
    const std::uint64_t first[] = {0, 40, 70, 220};
    const MatrixView<float> shard =
        rows.view().slice(first[ranks.rank()], first[ranks.rank() + 1] - first[ranks.rank()]);
    DistributedIndex index(ranks, *device, shard, {.method = Method::fused});
    const bool root = ranks.rank() == 0;
    const Neighbors found = index.search(rows.view(), 55, Metric::l2);
    if (root && !same(found, expected)) ++wrong;
    try {
      index.search(rows.view(), 56, Metric::l2);
    } catch (const Error& error) {
      if (std::string(error.what()).find("224 for k = 56; there are 220") != std::string::npos) ++refused;
    }
    index.add(root ? more.view() : MatrixView<float>{});
    const Neighbors after = index.search(rows.view(), 70, Metric::l2);
    if (root && !same(after, later)) ++wrong;
  }));
  CHECK(wrong == 0);
  CHECK(refused == 3);
}

TEST_CASE("what fails on one rank fails on all, and the index stays") {
  const Matrix<float> rows = make_values(90, 4, Temper::uniform, 8);
  for (const std::uint32_t size : {2u, 5u, 7u})
    for (std::uint32_t failing = 0; failing < size; ++failing) {
      CAPTURE(size);
      CAPTURE(failing);
      const std::string where = " (on rank " + std::to_string(failing) + " of " + std::to_string(size) + ")";
      const std::string text = "rows.npy: is missing";
      {
        Network network(size);
        const auto said = texts(on_ranks(network, [&](Ranks& ranks) {
          DistributedIndex(ranks, [&]() -> DistributedIndex::Shard {
            if (ranks.rank() == failing) throw Error(ErrorCode::not_found, "rows.npy", "is missing");
            return {};
          });
        }));
        for (std::uint32_t rank = 0; rank < size; ++rank) CHECK(said[rank] == (rank == failing ? text : text + where));
        CHECK(network.is_empty());
        CHECK(!network.aborted());
      }
      Network network(size);
      std::atomic<int> refused = 0, answered = 0;
      must_throw_nothing(on_ranks(network, [&](Ranks& ranks) {
        const auto device = open_device("cpu");
        DistributedIndex index(ranks, *device, rows.view().slice(ranks.rank() * 10, 10));
        // Another call than that of rank 0.
        if (size > 1) try {
            if (ranks.rank() == failing)
              index.range_search(rows.view(), 1, Metric::l1);
            else
              index.search(rows.view(), 2, Metric::l1);
          } catch (const Error& error) {
            if (error.code() == ErrorCode::invalid_argument && error.subject() == "index") ++refused;
          }
        // What rank 0 is given is wrong.
        try {
          index.search(rows.view(), 0, Metric::l1);
        } catch (const Error& error) {
          if (error.subject() == "k") ++refused;
        }
        // What tells of progress throws.
        try {
          index.search(rows.view(), 2, Metric::l1, {.progress = [](std::uint64_t, std::uint64_t) { throw 1; }});
        } catch (const Error&) {
          if (ranks.rank() != 0) ++refused;
        } catch (int) {
          if (ranks.rank() == 0) ++refused;
        }
        const Neighbors found = index.search(rows.view(), 2, Metric::l1);
        if (ranks.rank() != 0 || found.indices.rows() == 90) ++answered;
      }));
      CHECK(refused == 3 * size);
      CHECK(answered == size);
      CHECK(network.is_empty());
      CHECK(!network.aborted());
    }
}

TEST_CASE("parts of other databases are refused on all ranks") {
  Network network(3);
  const auto said = texts(on_ranks(network, [&](Ranks& ranks) {
    const auto device = open_device("cpu");
    const Matrix<float> rows = make_values(5, ranks.rank() == 2 ? 3 : 4, Temper::uniform, 1);
    DistributedIndex index(ranks, *device, rows.view());
  }));
  for (const std::string& text : said) CHECK(text == "dimensions: rank 2 has rows of 3, rank 0 of 4");
  Network empty(2);
  const auto none =
      texts(on_ranks(empty, [&](Ranks& ranks) { DistributedIndex(ranks, [] { return DistributedIndex::Shard{}; }); }));
  for (const std::string& text : none) CHECK(text.starts_with("rows: "));
}

namespace {

// A parcel for which there may be no memory.
struct LargeParcel {
  std::vector<std::uint8_t> values;
  bool has_room = true;

  distributed::Shape shape() const { return {values.size()}; }
  void make_room(const distributed::Shape& shape) {
    if (!has_room) throw std::bad_alloc();
    values.resize(shape[0]);
  }
  distributed::Blobs blobs() { return {distributed::bytes_of(values)}; }
};

}  // namespace

TEST_CASE("a rank without memory for a message lets it pass, and all are told") {
  // More than one message of the largest size.
  constexpr std::size_t bytes = (std::size_t{16} << 20) + 5;
  for (std::uint32_t poor = 1; poor < 5; ++poor) {
    CAPTURE(poor);
    Network network(5);
    const auto said = texts(on_ranks(network, [&](Ranks& ranks) {
      distributed::Exchange exchange(ranks);
      LargeParcel parcel;
      parcel.has_room = ranks.rank() != poor;
      if (ranks.rank() == 0) parcel.values.assign(bytes, 7);
      exchange.broadcast(parcel);
      exchange.agree();
    }));
    for (std::uint32_t rank = 0; rank < 5; ++rank)
      CHECK(said[rank] ==
            (rank == poor ? "?" : "index: the host has not enough memory (on rank " + std::to_string(poor) + " of 5)"));
    CHECK(network.is_empty());
  }
  // The same on the way up.
  Network network(5);
  const auto said = texts(on_ranks(network, [&](Ranks& ranks) {
    distributed::Exchange exchange(ranks);
    LargeParcel parcel;
    exchange.gather(parcel, [&] { parcel.values.assign(bytes, 1); }, [&](LargeParcel&, LargeParcel&) {
      if (ranks.rank() == 2) throw std::bad_alloc();
    });
    exchange.conclude();
  }));
  for (std::uint32_t rank = 0; rank < 5; ++rank)
    CHECK(said[rank] == (rank == 2 ? "?" : "index: the host has not enough memory (on rank 2 of 5)"));
  CHECK(network.is_empty());
}
