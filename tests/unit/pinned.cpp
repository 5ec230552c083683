// Rows that are locked in host memory travel as others do.
#include "index/pinned_rows.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "failing_device.hpp"
#include "proxel/index.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

class Unlocking : public FailingDevice {
 public:
  std::uint64_t locked = 0, most = UINT64_MAX;

  std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes) override {
    if (locked + bytes > most) throw Error(ErrorCode::out_of_memory, "pinned memory", "is scarce");
    locked += bytes;
    return FailingDevice::pin(memory, bytes);
  }
};

class LocksNothing : public FailingDevice {
 public:
  Support supports_pinning() const override { return Support::no("locks nothing"); }
};

}  // namespace

TEST_CASE("pinned rows are sent from any place to any place, across the pieces that are locked") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = make_values(50, 7, Temper::uniform, 1);
  const std::uint64_t bytes = 50 * 7 * 4;
  for (const std::uint64_t piece : {4u, 8u, 28u, 100u, 1396u, 1400u, 1404u}) {
    index::PinnedRows pinned(*device, rows.view(), piece);
    const auto there = device->create_buffer(bytes, MemoryKind::readback);
    for (const std::uint64_t first : {0u, 4u, 96u, 100u, 104u, 1396u})
      for (const std::uint64_t count : {std::uint64_t{4}, std::uint64_t{96}, std::uint64_t{104}, bytes - first}) {
        if (first + count > bytes) continue;
        CAPTURE(piece);
        CAPTURE(first);
        CAPTURE(count);
        std::memset(there->mapped(), 0xEE, bytes);
        pinned.send(first, BufferView(*there, bytes - count, count));
        const auto* const came = static_cast<const std::byte*>(there->mapped()) + bytes - count;
        CHECK(std::memcmp(came, reinterpret_cast<const std::byte*>(rows.data()) + first, count) == 0);
      }
  }
}

TEST_CASE("an index whose rows are pinned finds what others find, and says why where they cannot be") {
  Unlocking device;
  const Matrix<float> database = make_values(700, 9, Temper::uniform, 1),
                      queries = make_values(5, 9, Temper::uniform, 2);
  IndexOptions options{.memory_limit = 2 * 128 * 9 * 4, .pinned = true};
  Index whole(device, database.view()), blocks(device, database.view(), options);
  REQUIRE(blocks.block_rows() != 0);
  CHECK(device.locked == 700 * 9 * 4);
  for (int again = 0; again < 2; ++again)
    check_same(blocks.search(queries.view(), 12, Metric::l2), whole.search(queries.view(), 12, Metric::l2));

  // Rows that fit stay on the device, and are not locked.
  options.memory_limit = 0;
  CHECK(Index(device, database.view(), options).block_rows() == 0);
  CHECK(device.locked == 700 * 9 * 4);

  options.memory_limit = 2 * 128 * 8 * 4;
  MatrixView<float> apart = database.view();
  apart.columns = 8;
  check_refused([&] { Index(device, apart, options); }, "pinned", ErrorCode::unsupported);
  apart.rows = 1;
  CHECK_NOTHROW(Index(device, apart, options));
  device.most = device.locked;
  options.memory_limit = 2 * 128 * 9 * 4;
  CHECK_THROWS_AS(Index(device, database.view(), options), Error);

  LocksNothing other;
  try {
    Index(other, database.view(), options);
    FAIL("was not refused");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::unsupported);
    CHECK(std::string(error.what()).find("locks nothing") != std::string::npos);
  }
  CHECK_THROWS_AS(open_device("cpu")->pin(nullptr, 4), Error);
  CHECK_THROWS_AS(open_device("cpu")->pin(database.data(), 0), Error);
}
