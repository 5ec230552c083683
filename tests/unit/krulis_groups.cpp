// Signatures that travel to the devices of a KrulisIndex in groups: how they are cut, who takes which block, and that
// answers are the same however much each device has room for.

#include "signatures/krulis_groups.hpp"

#include <algorithm>
#include <atomic>

#include "../conformance/faulty_device.hpp"
#include "made_signatures.hpp"
#include "proxel/papers/krulis.hpp"
#include "refused.hpp"
#include "signatures/krulis_block.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

constexpr SignatureFilter all_filters[] = {SignatureFilter::none, SignatureFilter::pivots, SignatureFilter::ptolemaic};
constexpr std::uint32_t group = 30;

// The processor by another name, with less memory, which counts copies and fails them when it is told to.
class SmallDevice : public conformance::FaultyDevice {
 public:
  std::atomic<bool> loses_copies = false;
  std::atomic<std::uint64_t> copies = 0;

  explicit SmallDevice(std::uint64_t memory_bytes) : FaultyDevice(open_device("cpu"), [](Pass&) { return true; }) {
    info_.id = "cpu:small";
    info_.capabilities.memory_bytes = memory_bytes;
  }
  void start_copy(const BufferView& from, const BufferView& to) override {
    if (loses_copies) throw Error(ErrorCode::device_lost, "device", "was lost");
    ++copies;
    FaultyDevice::start_copy(from, to);
  }
};

KrulisOptions options_of(SignatureFilter filter, std::uint64_t memory_limit = 0, std::uint32_t of_group = 0) {
  KrulisOptions options;
  options.filter = filter;
  options.pivots = {3, 99, 40, 200, 17};
  options.scan_block = 25;
  options.knn_block = 8;
  options.range_block = 16;
  options.memory_limit = memory_limit;
  options.group = of_group;
  return options;
}

struct Fixture {
  Signatures database = random_signatures(400, 20, 5, 3), queries = random_signatures(40, 20, 5, 4);
  std::unique_ptr<Device> cpu = open_device("cpu");

  std::uint64_t all() const { return krulis::bytes_of(database, 0, database.size()); }
  std::uint64_t largest_group() const { return krulis::Groups::of_size(database, group).most_bytes(); }
  // What five pivots take, where a filter has them.
  std::uint64_t beside(SignatureFilter filter) const {
    if (filter == SignatureFilter::none) return 0;
    std::uint64_t bytes = 4;
    for (const std::uint32_t pivot : options_of(filter).pivots)
      bytes += krulis::bytes_of(database, pivot, pivot + 1) - 4;
    return bytes;
  }

  void check_same(std::span<Device* const> devices, const KrulisOptions& options) {
    Device* const one[] = {cpu.get()};
    KrulisIndex expected(one, database, options_of(options.filter)), found(devices, Signatures(database), options);
    const Neighbors nearest = expected.search(queries, 7);
    // Devices have other groups whenever it is asked anew.
    for (int round = 0; round < 3; ++round) {
      const Neighbors again = found.search(queries, 7);
      CHECK(nearest.indices == again.indices);
      CHECK(nearest.distances == again.distances);
    }
    const RangeNeighbors within = expected.range_search(queries, 0.2f), again = found.range_search(queries, 0.2f);
    CHECK(within.offsets == again.offsets);
    CHECK(within.indices == again.indices);
    CHECK(within.distances == again.distances);
    CHECK(expected.distances(queries).values == found.distances(queries).values);
  }
};

}  // namespace

TEST_CASE("groups are neighbouring signatures, each in one, and take the bytes that they say") {
  const Fixture fixture;
  const Signatures& known = fixture.database;
  const auto check = [&](const krulis::Groups& groups) {
    std::uint64_t all = 0, most = 0;
    CHECK(groups.first(0) == 0);
    CHECK(groups.end(groups.count() - 1) == known.size());
    for (std::uint32_t i = 0; i < groups.count(); ++i) {
      CHECK(groups.first(i) < groups.end(i));
      if (i != 0) CHECK(groups.first(i) == groups.end(i - 1));
      // Offsets, and for each centroid its 5 coordinates and its weight.
      std::uint64_t words = groups.end(i) - groups.first(i) + 1;
      for (std::uint64_t one = groups.first(i); one < groups.end(i); ++one) words += known.length(one) * 6;
      CHECK(groups.bytes(i) == words * 4);
      all += groups.bytes(i);
      most = std::max(most, groups.bytes(i));
    }
    CHECK(groups.all_bytes() == all);
    CHECK(groups.most_bytes() == most);
  };
  for (const std::uint64_t size : {1, 7, 399, 400, 401}) {
    const krulis::Groups groups = krulis::Groups::of_size(known, size);
    check(groups);
    CHECK(groups.count() == (400 + size - 1) / size);
  }
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{700}, fixture.all() / 3, fixture.all() - 1}) {
    const krulis::Groups groups = krulis::Groups::of_bytes(known, bytes);
    check(groups);
    for (std::uint32_t i = 0; i < groups.count(); ++i)
      CHECK((groups.bytes(i) <= bytes || groups.end(i) - groups.first(i) == 1));
  }
  CHECK(krulis::Groups::of_bytes(known, 0).count() == 400);
  CHECK(krulis::Groups::of_bytes(known, fixture.all()).count() == 1);
}

TEST_CASE("a device takes blocks of signatures that it has, then those that the fewest have") {
  using namespace krulis;
  BlockQueue queue(3, 3);
  queue.holds(0, 2, true);
  queue.holds(1, 0, true);
  std::vector<Block> blocks(6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    blocks[i].group = i / 2;
    queue.push(blocks[i]);
  }
  CHECK(queue.take(0) == &blocks[4]);
  CHECK(queue.take(1) == &blocks[0]);
  CHECK(queue.take(2) == &blocks[2]);  // nobody has group 1
  CHECK(queue.take_another(1) == &blocks[1]);
  queue.holds(2, 1, true);
  queue.holds(0, 2, false);
  CHECK(queue.take_another(0) == &blocks[5]);  // now nobody has group 2
  CHECK(queue.take_another(0) == &blocks[3]);
  CHECK(queue.take_another(0) == nullptr);
}

TEST_CASE("a limit holds all groups, half of them, two or one") {
  Fixture fixture;
  Device* const devices[] = {fixture.cpu.get()};
  const std::uint64_t most = fixture.largest_group();
  const auto held = [&](std::uint64_t limit) {
    return krulis::divide(devices, fixture.database, 0, options_of(SignatureFilter::none, limit, group)).held[0];
  };
  CHECK(held(0) == 14);
  CHECK(held(fixture.all() + 13 * 4) == 14);  // each group has an offset more
  CHECK(held(7 * most) == 7);
  CHECK(held(2 * most) == 2);
  CHECK(held(2 * most - 1) == 1);
  CHECK(held(most) == 1);
  check_refused([&] { held(most - 1); }, "memory_limit");
  // Where their size is not said, one signature is enough.
  const std::uint64_t one = krulis::Groups::of_size(fixture.database, 1).most_bytes();
  const krulis::Division tight = krulis::divide(devices, fixture.database, 0, options_of(SignatureFilter::none, one));
  CHECK(tight.held[0] >= 1);
  CHECK(tight.travels());
  check_refused([&] { krulis::divide(devices, fixture.database, 0, options_of(SignatureFilter::none, one - 1)); },
                "memory_limit");
  const krulis::Division half =
      krulis::divide(devices, fixture.database, 0, options_of(SignatureFilter::none, fixture.all() / 2));
  CHECK(half.held[0] >= 8);
  CHECK(half.groups.count() > half.held[0]);
  CHECK_FALSE(krulis::divide(devices, fixture.database, 0, options_of(SignatureFilter::none, fixture.all())).travels());
}

TEST_CASE("answers have the same bits whatever the device has room for") {
  Fixture fixture;
  Device* const devices[] = {fixture.cpu.get()};
  for (const SignatureFilter filter : all_filters) {
    CAPTURE(to_string(filter));
    const std::uint64_t beside = fixture.beside(filter), most = fixture.largest_group();
    for (const std::uint64_t groups : {14, 7, 2, 1}) {
      CAPTURE(groups);
      fixture.check_same(devices, options_of(filter, beside + groups * most, group));
    }
    fixture.check_same(devices, options_of(filter, beside + fixture.all() / 2));
    check_refused([&] { KrulisIndex(devices, fixture.database, options_of(filter, beside + most - 1, group)); },
                  "memory_limit");
  }
}

TEST_CASE("devices of which one holds more answer the same") {
  Fixture fixture;
  for (const SignatureFilter filter : all_filters) {
    CAPTURE(to_string(filter));
    for (const std::uint64_t groups : {2, 5}) {
      SmallDevice small((fixture.beside(filter) + groups * fixture.largest_group()) / 4 * 5 + 5);
      Device* const devices[] = {&small, fixture.cpu.get()};
      fixture.check_same(devices, options_of(filter, 0, group));
      Device* const other_way[] = {fixture.cpu.get(), &small};
      fixture.check_same(other_way, options_of(filter));
    }
  }
}

TEST_CASE("signatures travel once for the queries that are scanned together, and not at all where there is room") {
  Fixture fixture;
  SmallDevice small(std::uint64_t{1} << 40);
  Device* const devices[] = {&small};
  const auto copies_of_a_search = [&](std::uint64_t limit) {
    KrulisIndex index(devices, fixture.database, options_of(SignatureFilter::none, limit, group));
    index.search(fixture.queries, 7);
    const std::uint64_t before = small.copies;
    index.search(fixture.queries, 7);
    return small.copies - before;
  };
  CHECK(copies_of_a_search(0) == 0);
  // 40 queries are two scans; a group's offsets, weights and centroids are a copy each.
  CHECK(copies_of_a_search(7 * fixture.largest_group()) <= 2 * 7 * 3);
  CHECK(copies_of_a_search(fixture.largest_group()) <= 2 * 14 * 3);
}

TEST_CASE("a copy that fails is told, and the index answers when copies arrive again") {
  Fixture fixture;
  for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::pivots}) {
    SmallDevice small(std::uint64_t{1} << 40);
    Device* const devices[] = {&small};
    KrulisIndex index(devices, fixture.database,
                      options_of(filter, fixture.beside(filter) + 3 * fixture.largest_group(), group));
    const Neighbors expected = index.search(fixture.queries, 7);
    small.loses_copies = true;
    check_refused([&] { index.search(fixture.queries, 7); }, "device", ErrorCode::device_lost);
    small.loses_copies = false;
    const Neighbors found = index.search(fixture.queries, 7);
    CHECK(expected.indices == found.indices);
    CHECK(expected.distances == found.distances);
  }
}

TEST_CASE("groups whose parts lie at other places, of as many words, are not taken for each other") {
  Fixture fixture;
  fixture.database = Signatures(5);
  std::uint32_t state = 7;
  const auto add = [&](std::uint64_t length) {
    std::vector<float> centroids, weights(length, 1.0f);
    for (std::uint64_t i = 0; i < 5 * length; ++i) {
      state = state * 1664525u + 1013904223u;
      centroids.push_back(static_cast<float>(state >> 8) * 0x1p-24f);
    }
    fixture.database.add(centroids, weights);
  };
  // Ten of ten centroids and eleven of nine: the centroids of both begin at the same place, and the weights do not.
  for (int pair = 0; pair < 20; ++pair) {
    for (int i = 0; i < 10; ++i) add(10);
    for (int i = 0; i < 11; ++i) add(9);
  }
  const std::uint64_t most = krulis::bytes_of(fixture.database, 0, 10);
  KrulisOptions options = options_of(SignatureFilter::none, 8 * most);
  options.scan_block = 4;
  REQUIRE(krulis::Groups::of_bytes(fixture.database, most).count() == 40);
  Device* const devices[] = {fixture.cpu.get()};
  fixture.check_same(devices, options);
}
