// Progress while one submission runs, and its end from within: what is cancelled, wherever it was, leaves an index
// that answers as before.
#include <chrono>
#include <atomic>
#include <cmath>
#include <random>
#include <thread>
#include <utility>

#include <doctest/doctest.h>

#include "cpu/workers.hpp"
#include "proxel/graph.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/vector_permutation.hpp"
#include "session/pace.hpp"
#include "watch.hpp"

using namespace proxel;

namespace {

struct Ended {};

// Looks at every opportunity, as long as it lives.
class EveryLook {
 public:
  EveryLook() { Watch::set_interval(std::chrono::nanoseconds(0)); }
  ~EveryLook() { Watch::set_interval(usual_); }

 private:
  std::chrono::nanoseconds usual_ = Watch::interval();
};

// Counts calls, checks that they make sense, and ends the work at one of them.
struct Counter {
  std::uint64_t calls = 0, end_at = 0, done = 0, of = 0;
  bool sensible = true;

  Progress progress() {
    return [this](std::uint64_t now, std::uint64_t total) {
      if (std::exchange(of, total) != total) done = 0;  // of other work
      sensible = sensible && now <= total && now >= done;
      done = now;
      if (++calls == end_at) throw Ended();
    };
  }
};

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 random(seed);
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i)
    matrix.data()[i] = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  return matrix;
}

Strings random_strings(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Strings strings;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string text;
    for (auto length = random() % 12; length != 0; --length) text += static_cast<char>('a' + random() % 4);
    strings.add(text);
  }
  return strings;
}

Signatures random_signatures(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Signatures signatures(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> centroids, weights(1 + random() % 6, 1.0f);
    for (std::size_t value = 0; value < 3 * weights.size(); ++value)
      centroids.push_back(static_cast<float>(random() % 1000) / 500.0f);
    signatures.add(centroids, weights);
  }
  return signatures;
}

bool same(const Neighbors& a, const Neighbors& b) { return a.indices == b.indices && a.distances == b.distances; }
bool same(const RangeNeighbors& a, const RangeNeighbors& b) {
  return a.offsets == b.offsets && a.indices == b.indices && a.distances == b.distances;
}
bool same(const Distances& a, const Distances& b) { return a.values == b.values; }

// Cancels a search at its first look and later ones, and has it answer after each: in a dozen places.
// @param search  (progress): the answer
template <typename Search>
void check_cancelled_anywhere(const Search& search) {
  const auto expected = search(Progress());
  Counter all;
  const EveryLook every;
  CHECK(same(search(all.progress()), expected));
  CHECK(all.sensible);
  CHECK(all.calls >= 1);
  for (std::uint64_t at = 1; at <= all.calls; at += 1 + all.calls / 12) {
    CAPTURE(at);
    Counter counter;
    counter.end_at = at;
    try {
      const auto found = search(counter.progress());
      CHECK(same(found, expected));
      CHECK(at > 1);
      CHECK(counter.calls < at);  // threads share the items otherwise every time
    } catch (const Ended&) {
      CHECK(counter.calls == at);
    }
    CHECK(same(search(Progress()), expected));
  }
}

}  // namespace

TEST_CASE("a search of vectors is cancelled anywhere, and the index answers as before") {
  const Matrix<float> rows = random_matrix(3000, 3, 1), queries = random_matrix(150, 3, 2);
  for (const std::string id : {"cpu", "cpu:reference"})
    for (const std::string method :
         {"auto", "scan", "fused", "bvh", "texel", "garcia-direct", "garcia-gemm", "komarov"}) {
      CAPTURE(id);
      CAPTURE(method);
      const auto device = open_device(id);
      Index index(*device, rows.view(),
                  {.method = method_from_string(method), .papers = {.bustos = {.block_rows = 1024}}});
      for (const Metric metric : {Metric::l2sq, Metric::cosine}) {
        if (!index.supports(metric, 7)) continue;
        check_cancelled_anywhere(
            [&](const Progress& progress) { return index.search(queries.view(), 7, metric, {.progress = progress}); });
      }
    }
}

TEST_CASE("so are range searches, graphs and searches of rows that are streamed or narrow") {
  const Matrix<float> rows = random_matrix(2000, 4, 1), queries = random_matrix(40, 4, 2);
  const auto device = open_device("cpu");
  Index index(*device, rows.view());
  check_cancelled_anywhere([&](const Progress& progress) {
    return index.range_search(queries.view(), 0.5f, Metric::l2, {.progress = progress});
  });
  check_cancelled_anywhere(
      [&](const Progress& progress) { return knn_graph(index, 3, Metric::l1, {.progress = progress}); });
  for (const IndexOptions& options :
       {IndexOptions{.memory_limit = 1 << 14}, IndexOptions{.storage = ElementType::float16}}) {
    Index blocked(*device, rows.view(), options);
    REQUIRE(blocked.block_rows() != 0);
    check_cancelled_anywhere([&](const Progress& progress) {
      return blocked.search(queries.view(), 5, Metric::linf, {.progress = progress});
    });
  }
}

TEST_CASE("so are searches of strings and of permutations, and their building") {
  const auto device = open_device("cpu");
  const Strings words = random_strings(3000, 1), queries = random_strings(30, 2);
  StringIndex strings(*device, words);
  check_cancelled_anywhere([&](const Progress& progress) { return strings.search(queries, 4, progress); });
  check_cancelled_anywhere([&](const Progress& progress) { return strings.range_search(queries, 2, progress); });
  for (const auto distance : {passes::PermutationDistance::footrule, passes::PermutationDistance::kendall_tau})
    check_cancelled_anywhere([&](const Progress& progress) {
      PermutationIndex index(*device, words, {.permutants = 20, .distance = distance}, progress);
      return index.search(queries, 4, 0.1, progress);
    });
  const Matrix<float> rows = random_matrix(2000, 5, 1), asked = random_matrix(20, 5, 2);
  check_cancelled_anywhere([&](const Progress& progress) {
    return VectorPermutationIndex(*device, rows.view(), Metric::cosine, {}, progress).search(asked.view(), 3, 0.1);
  });
  VectorPermutationIndex index(*device, rows.view(), Metric::l2);
  check_cancelled_anywhere([&](const Progress& progress) { return index.search(asked.view(), 3, 0.1, progress); });
  check_cancelled_anywhere(
      [&](const Progress& progress) { return index.range_search(asked.view(), 0.6f, 0.2, progress); });
}

TEST_CASE("so are searches of signatures, on one device and on several") {
  const auto device = open_device("cpu"), other = open_device("cpu:reference");
  const Signatures known = random_signatures(300, 1), queries = random_signatures(20, 2);
  for (const SignatureMethod method :
       {SignatureMethod::canonical, SignatureMethod::screened, SignatureMethod::filtered}) {
    CAPTURE(to_string(method));
    check_cancelled_anywhere([&](const Progress& progress) {
      return SignatureIndex(*device, known, {.method = method}, progress).search(queries, 3);
    });
    SignatureIndex index(*device, known, {.method = method});
    check_cancelled_anywhere([&](const Progress& progress) { return index.search(queries, 3, progress); });
    check_cancelled_anywhere([&](const Progress& progress) { return index.range_search(queries, 1.5f, progress); });
    check_cancelled_anywhere([&](const Progress& progress) { return index.distances(queries, progress); });
  }
  Device* const devices[] = {device.get(), other.get()};
  // On devices that have room for all signatures, and for some of them.
  for (const std::uint64_t limit : {0, 8'000})
    for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::ptolemaic}) {
      KrulisIndex index(devices, known,
                        {.filter = filter, .scan_block = 50, .knn_block = 16, .memory_limit = limit, .group = 40});
      check_cancelled_anywhere([&](const Progress& progress) { return index.search(queries, 3, progress); });
      check_cancelled_anywhere([&](const Progress& progress) { return index.range_search(queries, 1.5f, progress); });
      check_cancelled_anywhere([&](const Progress& progress) { return index.distances(queries, progress); });
    }
}

TEST_CASE("progress comes while one submission runs, and a cancelled one ends at once") {
  // A search of a second or more, in one submission.
  const Matrix<float> rows = random_matrix(60'000, 32, 1), queries = random_matrix(4000, 32, 2);
  const auto device = open_device("cpu");
  Index index(*device, rows.view(), {.method = Method::scan});
  using Clock = std::chrono::steady_clock;
  std::uint64_t calls = 0, in_between = 0;
  Clock::time_point last = Clock::now();
  const Clock::time_point begin = last;
  std::chrono::duration<double> longest{0};
  index.search(queries.view(), 3, Metric::l1, {.progress = [&](std::uint64_t done, std::uint64_t total) {
    longest = std::max<std::chrono::duration<double>>(longest, Clock::now() - last);
    last = Clock::now();
    ++calls;
    if (done != 0 && done < total) ++in_between;
  }});
  const std::chrono::duration<double> whole = Clock::now() - begin;
  MESSAGE("seconds: " << whole.count() << ", calls: " << calls << ", longest between two: " << longest.count());
  CHECK(static_cast<double>(calls) >= std::floor(whole.count() * 5));
  CHECK(in_between + 2 >= calls);

  Clock::time_point asked;
  CHECK_THROWS_AS(index.search(queries.view(), 3, Metric::l1,
                               {.progress =
                                    [&](std::uint64_t, std::uint64_t) {
    asked = Clock::now();
    throw Ended();
  }}),
                  Ended);
  CHECK(std::chrono::duration<double>(Clock::now() - asked).count() < 0.5);
}

TEST_CASE("a loop of the workers ends early where the Watch of its thread throws") {
  cpu::Workers workers(3);
  const EveryLook every;
  std::atomic<std::uint64_t> begun{0};
  const auto run = [&](std::uint64_t end_at) {
    std::uint64_t looks = 0;
    const Watch watch([&](double part) {
      CHECK((part >= 0 && part <= 1));
      if (++looks == end_at) throw Ended();
    });
    workers.for_each(10'000, [&](std::uint64_t) {
      ++begun;
      cpu::Workers::look();
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  };
  CHECK_THROWS_AS(run(5), Ended);
  CHECK(begun < 10'000);
  begun = 0;
  run(0);
  CHECK(begun == 10'000);
}

TEST_CASE("blocks are bounded by time where somebody watches, and only there") {
  const auto device = open_device("cpu:reference");
  session::Pace pace(*device);
  CHECK(pace.take(1'000'000, 500'000, 1e6) == 500'000);  // nobody does
  const Watch watch([](double) {});
  // Little work is done at once.
  CHECK(pace.take(10, 500'000, 1e5) == 10);
  // Much begins with little, and grows while submissions are short.
  const std::uint64_t first = pace.take(1'000'000, 500'000, 1e4);
  CHECK(first < 200);
  pace.took(5);
  const std::uint64_t second = pace.take(1'000'000, 500'000, 1e4);
  CHECK(second > first);
  CHECK(second <= 8 * first);
  // One that took a second becomes a tenth.
  pace.took(1000);
  const std::uint64_t third = pace.take(1'000'000, 500'000, 1e4);
  CHECK(third <= second / 10);
  CHECK(third >= 1);
  // Rest that takes no time says nothing.
  CHECK(pace.take(1, 500'000, 1e4) == 1);
  pace.took(0.001);
  CHECK(pace.take(1'000'000, 500'000, 1e4) == third);

  const auto host = open_device("cpu");
  CHECK(session::Pace(*host).take(1'000'000, 500'000, 1e9) == 500'000);  // looks while it works
}

TEST_CASE("an index is not used by a second thread, nor by the function that is told of its progress") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(300, 3, 1);
  Index index(*device, rows.view());
  const Neighbors expected = index.search(rows.view(), 3, Metric::l2sq);
  const auto refusal = [&] {
    try {
      index.search(rows.view(), 3, Metric::l2sq);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string inside, beside;
  index.search(rows.view(), 3, Metric::l2sq, {.progress = [&](std::uint64_t, std::uint64_t) {
    inside = refusal();
    std::thread([&] { beside = refusal(); }).join();
  }});
  CHECK(inside.find("index: is used by the call whose progress is told") == 0);
  CHECK(beside.find("index: is used by another thread") == 0);
  CHECK(same(index.search(rows.view(), 3, Metric::l2sq), expected));

  // Two indexes of one device: what overlaps is an error, and nothing else happens.
  Index second(*device, rows.view());
  std::atomic<std::uint64_t> refused{0}, wrong{0};
  const auto search = [&](Index& one) {
    for (int i = 0; i < 200; ++i) try {
        if (!same(one.search(rows.view(), 3, Metric::l2sq), expected)) ++wrong;
      } catch (const Error& error) {
        if (error.subject() == "cpu")
          ++refused;
        else
          ++wrong;
      }
  };
  std::thread other([&] { search(second); });
  search(index);
  other.join();
  CHECK(wrong == 0);
  MESSAGE("refused: " << refused.load());
}
