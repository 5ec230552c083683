// The parts of KrulisIndex: its pass with every instruction set, its powers, its bounds, its
// queue, and what it refuses.

#include "proxel/papers/krulis.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <thread>

#include "../conformance/faulty_device.hpp"
#include "made_signatures.hpp"
#include "passes/negative_power.hpp"
#include "refused.hpp"
#include "signatures/krulis_block.hpp"
#include "signatures/krulis_bounds.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

void check_pass(SqfdPrecision precision, std::uint64_t longest, std::uint32_t dimensions, bool numbered) {
  const Signatures database = random_signatures(37, longest, dimensions, 1),
                   query = random_signatures(1, longest, dimensions, 2);
  const std::vector<std::uint32_t> offsets(database.offsets().begin(), database.offsets().end());
  std::vector<std::uint32_t> numbers(50);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * 11 % 37);
  passes::SqfdBlockParameters p{};
  p.centroids = address_of(database.centroids().data());
  p.weights = address_of(database.weights().data());
  p.offsets = address_of(offsets.data());
  p.query_centroids = address_of(query.centroids().data());
  p.query_weights = address_of(query.weights().data());
  if (numbered) p.objects = address_of(numbers.data());
  p.scale = std::bit_cast<std::uint32_t>(4.0f);
  p.scale_double = std::bit_cast<std::uint64_t>(4.0);
  p.query_length = static_cast<std::uint32_t>(query.length(0));
  p.dimensions = dimensions;
  p.count = numbered ? 50 : 37;
  std::vector<float> distances(p.count, -1.0f);
  p.distances = address_of(distances.data());
  expect_same(passes::make_sqfd_block(p, precision), distances);
  CHECK(std::all_of(distances.begin(), distances.end(), [](float value) { return value >= 0 && value < 2; }));
}

template <typename Real>
double largest_error() {
  double largest = 0;
  for (int i = 0; i <= 60'000; ++i) {
    const Real y = static_cast<Real>(i) / Real(1000);
    const long double truth = std::exp2(-static_cast<long double>(y));
    largest = std::max(largest, static_cast<double>(std::abs((passes::negative_power(y) - truth) / truth)));
  }
  return largest;
}

std::string refusal(const KrulisOptions& options, std::vector<std::string> ids = {"cpu"}, bool same = false) {
  const Signatures database = random_signatures(9, 4, 2, 1);
  std::vector<std::unique_ptr<Device>> open;
  std::vector<Device*> devices;
  for (const std::string& id : ids) devices.push_back(open.emplace_back(open_device(id)).get());
  if (same) devices.push_back(devices.front());
  try {
    KrulisIndex index(devices, database, options);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every instruction set finds the signature quadratic form distances of the reference") {
  for (const SqfdPrecision precision : {SqfdPrecision::float32, SqfdPrecision::float64})
    for (const std::uint64_t longest : {1, 2, 40, 300})
      for (const bool numbered : {false, true}) check_pass(precision, longest, longest == 2 ? 33 : 7, numbered);
}

TEST_CASE("powers are right within what the bound of a distance counts with") {
  CHECK(largest_error<float>() < 2.7 * 0x1p-24);
  CHECK(largest_error<double>() < 2.7 * 0x1p-53);
  CHECK(passes::negative_power(0.0f) == 1.0f);
  CHECK(passes::negative_power(0.0) == 1.0);
  CHECK(passes::negative_power(60.5f) == 0.0f);
  CHECK(passes::negative_power(std::numeric_limits<float>::infinity()) == 0.0f);
  CHECK(passes::negative_power(3.0) == 0.125);
}

TEST_CASE("intervals and limits enclose what they are made from") {
  using namespace krulis;
  for (const double error : {1e-28, 1e-9, 1e-4, 3.0})
    for (const float computed : {0.0f, 1e-7f, 0.01f, 0.7f, 3e17f}) {
      const Interval interval = true_distance(computed, error);
      CAPTURE(computed);
      CAPTURE(error);
      const double square = double{computed} * computed;
      CHECK(interval.low <= computed);
      CHECK(interval.high >= computed);
      CHECK(double{interval.high} * interval.high >= square + error);
      CHECK(double{interval.low} * interval.low <= std::max(square - error, 0.0));
      // What is at most as far as the limit says may be computed to be within the radius.
      const double limit = exclusion_limit(computed, error);
      CHECK(limit * limit >= square + error);
    }
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(exclusion_limit(infinity, 1e-9) == infinity);
}

TEST_CASE("no true distance leaves its interval") {
  std::unique_ptr<Device> device = open_device("cpu");
  Device* const devices[] = {device.get()};
  for (const float spread : {0.01f, 1.0f, 3.0f}) {
    const Signatures database = random_signatures(200, 60, 7, 5, spread),
                     queries = random_signatures(20, 60, 7, 6, spread);
    KrulisOptions options;
    options.precision = SqfdPrecision::float64;
    const Matrix<float> exact = KrulisIndex(devices, database, options).distances(queries).values;
    options.precision = SqfdPrecision::float32;
    const Matrix<float> rough = KrulisIndex(devices, database, options).distances(queries).values;
    for (std::uint64_t q = 0; q < queries.size(); ++q)
      for (std::uint64_t o = 0; o < database.size(); ++o) {
        const double error = sqfd_error(SqfdPrecision::float32, 7, queries.length(q) + database.length(o), 2.00001);
        const krulis::Interval interval = krulis::true_distance(rough(q, o), error);
        REQUIRE(interval.low <= exact(q, o));
        REQUIRE(interval.high >= exact(q, o));
      }
  }
}

TEST_CASE("each block is taken once, by whichever device is free") {
  using namespace krulis;
  constexpr std::size_t devices = 4, count = 3000;
  BlockQueue queue(devices, 1);
  std::vector<Block> blocks(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < devices; ++i)
    threads.emplace_back([&, i] {
      Block* running = nullptr;
      while (true) {
        Block* next = running ? queue.take_another(i) : queue.take(i);
        if (running) queue.finish(*running, {}, !next);
        if (!running && !next) return;
        running = next;
        if (running) ++running->count;
      }
    });
  for (Block& block : blocks) queue.push(block);
  for (const Block& block : blocks)
    while (!queue.wait_a_moment(block)) {
    }
  queue.close();
  for (std::thread& thread : threads) thread.join();
  CHECK(std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.count == 1; }));
}

TEST_CASE("a device at work leaves blocks to those without") {
  using namespace krulis;
  BlockQueue queue(2, 1);
  Block first, second, third;
  queue.push(first);
  queue.push(second);
  CHECK(queue.take(0) == &first);
  CHECK(queue.take_another(0) == nullptr);
  queue.push(third);
  CHECK(queue.take_another(0) == &second);
  CHECK(queue.take(1) == &third);
  queue.close();
  queue.finish(first, {}, true);
  CHECK(queue.take(0) == nullptr);
}

TEST_CASE("answers do not depend on the number of devices, and work is shared") {
  std::vector<std::unique_ptr<Device>> open;
  std::vector<Device*> devices;
  for (int i = 0; i < 3; ++i) devices.push_back(open.emplace_back(open_device(i == 1 ? "cpu:reference" : "cpu")).get());
  const Signatures database = random_signatures(400, 20, 5, 3), queries = random_signatures(6, 20, 5, 4);
  for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::pivots, SignatureFilter::ptolemaic}) {
    KrulisOptions options;
    options.filter = filter;
    options.scan_block = 25;
    options.knn_block = 8;
    options.range_block = 16;
    KrulisIndex one({devices.data(), 1}, database, options), several(devices, database, options);
    const Neighbors expected = one.search(queries, 5), found = several.search(queries, 5);
    CHECK(expected.indices == found.indices);
    CHECK(expected.distances == found.distances);
    const SearchReport& report = found.report;
    CHECK(report.method == (filter == SignatureFilter::none ? "scan" : to_string(filter)));
    CHECK(report.devices.size() == 3);
    CHECK(std::accumulate(report.devices.begin(), report.devices.end(), std::uint64_t{0},
                          [](std::uint64_t sum, const DeviceShare& share) { return sum + share.blocks; }) >= 6);
    CHECK(report.compared == 2400);
    CHECK(report.evaluated <= report.compared);
    CHECK(several.pivots().size() == (filter == SignatureFilter::none ? 0 : 32));
    const RangeNeighbors expected_within = one.range_search(queries, 0.2f),
                         within = several.range_search(queries, 0.2f);
    CHECK(expected_within.offsets == within.offsets);
    CHECK(expected_within.indices == within.indices);
  }
}

TEST_CASE("filters leave objects out") {
  std::unique_ptr<Device> device = open_device("cpu");
  Device* const devices[] = {device.get()};
  const Signatures database = random_signatures(2000, 20, 3, 3), queries = random_signatures(5, 20, 3, 4);
  const auto filtered = [&](SignatureFilter filter, double alpha) {
    KrulisIndex index(devices, database, {.alpha = alpha, .filter = filter});
    const SearchReport report = index.search(queries, 5).report;
    return 1 - static_cast<double>(report.evaluated) / static_cast<double>(report.compared);
  };
  CHECK(filtered(SignatureFilter::none, 0.2) == 0);
  CHECK(filtered(SignatureFilter::pivots, 0.2) > 0.3);
  CHECK(filtered(SignatureFilter::ptolemaic, 0.2) > 0.3);
}

TEST_CASE("a progress that throws leaves the index usable") {
  std::unique_ptr<Device> device = open_device("cpu");
  Device* const devices[] = {device.get()};
  KrulisIndex index(devices, random_signatures(50, 9, 3, 1), {.filter = SignatureFilter::pivots});
  const Signatures queries = random_signatures(3, 9, 3, 2);
  const Neighbors expected = index.search(queries, 4);
  CHECK_THROWS_AS(index.search(queries, 4, [](std::uint64_t, std::uint64_t) { throw 1; }), int);
  CHECK(index.search(queries, 4).indices == expected.indices);
}

namespace {

// The processor, without binary64.
class NarrowDevice : public conformance::FaultyDevice {
 public:
  NarrowDevice() : FaultyDevice(open_device("cpu"), [](Pass&) { return true; }) { info_.id = "cpu:narrow"; }
  Support supports(const Pass& pass) const override {
    return std::string(pass.name()) == "sqfd_block_double" ? Support::no("needs binary64")
                                                           : FaultyDevice::supports(pass);
  }
  void prepare(const Pass& pass) override {
    if (const Support support = supports(pass); !support)
      throw Error(ErrorCode::unsupported, pass.name(), support.reason);
    FaultyDevice::prepare(pass);
  }
};

}  // namespace

TEST_CASE("a precision that a device has not is refused by the names of both") {
  NarrowDevice device;
  Device* const devices[] = {&device};
  const Signatures signatures = random_signatures(9, 4, 2, 1);
  KrulisIndex(devices, signatures);
  check_refused([&] { KrulisIndex(devices, signatures, {.precision = SqfdPrecision::float64}); }, "precision",
                ErrorCode::unsupported);
  try {
    KrulisIndex(devices, signatures, {.precision = SqfdPrecision::float64});
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("float64 was given, and cpu:narrow cannot") != std::string::npos);
  }
}

TEST_CASE("what a KrulisIndex cannot serve is refused by name") {
  CHECK(refusal({}).empty());
  CHECK(refusal({.alpha = 0}).find("alpha: 0 was given") != std::string::npos);
  CHECK(refusal({.alpha = std::nan("")}).find("alpha") != std::string::npos);
  CHECK(refusal({.pivots = {3, 9}}).find("pivot: 9 was given, 0 to 8") != std::string::npos);
  CHECK(refusal({.pivots = {3, 3}}).find("3 was given twice") != std::string::npos);
  CHECK(refusal({.pivot_count = 0}).find("pivot count") != std::string::npos);
  CHECK(refusal({.knn_block = 0}).find("knn block") != std::string::npos);
  CHECK(refusal({}, {}).find("devices: 0 was given") != std::string::npos);
  CHECK(refusal({}, {"cpu"}, true).find("cpu was given twice") != std::string::npos);
  CHECK_THROWS_AS(signature_filter_from_string("cones"), Error);
  CHECK(signature_filter_from_string("ptolemaic") == SignatureFilter::ptolemaic);

  std::unique_ptr<Device> device = open_device("cpu");
  Device* const devices[] = {device.get()};
  KrulisIndex index(devices, random_signatures(9, 4, 2, 1));
  const Signatures queries = random_signatures(2, 4, 2, 2);
  CHECK_THROWS_AS(index.search(queries, 0), Error);
  CHECK_THROWS_AS(index.search(random_signatures(2, 4, 3, 2), 1), Error);
  CHECK_THROWS_AS(index.range_search(queries, std::nanf("")), Error);
  Signatures heavy(2);
  heavy.add(std::vector<float>(4000, 1), std::vector<float>(2000, 1e15f));
  CHECK_THROWS_AS(index.search(heavy, 1), Error);
}
