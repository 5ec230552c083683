// Memory that one round after another uses: what is lent, what is kept, and that searches do not tell.
#include "session/memory_pool.hpp"

#include <map>

#include <doctest/doctest.h>

#include "failing_device.hpp"
#include "proxel/index.hpp"
#include "sharded_support.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;
using session::MemoryPool;

namespace {

/// The processor, which counts the buffers that it makes, and has no memory for more bytes than it is told.
class CountingDevice : public FailingDevice {
 public:
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    if (kind == MemoryKind::direct && refuses_direct)
      throw Error(ErrorCode::unsupported, "memory", "is not for the host");
    if (held_ + bytes > most) {
      ++refused;
      throw Error(ErrorCode::out_of_memory, "memory", "is full");
    }
    auto made = std::make_unique<Counted>(*this, FailingDevice::create_buffer(bytes, kind));
    ++count;
    held_ += bytes;
    return made;
  }
  std::uint64_t held() const { return held_; }

  bool refuses_direct = false;
  std::uint64_t count = 0, refused = 0, most = UINT64_MAX;

 private:
  class Counted : public Buffer {
   public:
    Counted(CountingDevice& device, std::unique_ptr<Buffer> buffer) : device_(device), buffer_(std::move(buffer)) {
      owner_ = buffer_->device();
      bytes_ = buffer_->bytes();
      address_ = buffer_->address();
      mapped_ = buffer_->mapped();
    }
    ~Counted() override { device_.held_ -= bytes_; }

   private:
    CountingDevice& device_;
    std::unique_ptr<Buffer> buffer_;
  };

  std::uint64_t held_ = 0;
};

constexpr std::uint64_t large = std::uint64_t{1} << 28;

}  // namespace

TEST_CASE("memory that has been given back is lent again") {
  CountingDevice device;
  MemoryPool pool(device);
  CHECK_FALSE(pool.lend(0, MemoryKind::device));
  CHECK(device.count == 0);
  std::uint64_t address = 0;
  {
    const MemoryPool::Lent lent = pool.lend(1000, MemoryKind::readback);
    address = lent.view().address();
    CHECK(lent.view().bytes == 1000);
    CHECK(lent.mapped() != nullptr);
    CHECK_FALSE(pool.has_free());
  }
  CHECK(pool.has_free());
  for (const std::uint64_t bytes : {1ull, 999ull, 1000ull}) {
    const MemoryPool::Lent lent = pool.lend(bytes, MemoryKind::readback);
    CHECK(lent.view().address() == address);
    CHECK(lent.view().bytes == bytes);
  }
  CHECK(device.count == 1);
  // Neither more bytes nor another kind.
  CHECK(pool.lend(1001, MemoryKind::readback).view().bytes == 1001);
  CHECK(pool.lend(1000, MemoryKind::upload).view().bytes == 1000);
  CHECK(device.count == 3);
  // The smallest that serves.
  CHECK(pool.lend(1000, MemoryKind::readback).view().address() == address);
  pool.shrink(0);
  CHECK_FALSE(pool.has_free());
  CHECK(device.held() == 0);
}

TEST_CASE("much memory is not lent where less than half of it is asked for") {
  CountingDevice device;
  MemoryPool pool(device);
  const auto lend = [&](std::uint64_t bytes) { pool.lend(bytes, MemoryKind::device); };
  lend(large);
  lend(large / 2);
  CHECK(device.count == 1);
  lend(large / 2 - 1);
  CHECK(device.count == 2);
  // Of the two the larger goes first.
  pool.shrink(large / 2);
  CHECK(device.held() == large / 2 - 1);
  pool.shrink(large / 2 - 2);
  CHECK(device.held() == 0);
}

TEST_CASE("a pool lets go of what is free where there is no memory, and keeps no more than some buffers") {
  CountingDevice device;
  MemoryPool pool(device);
  device.most = 3000;
  {
    const MemoryPool::Lent one = pool.lend(1000, MemoryKind::device), other = pool.lend(1000, MemoryKind::upload);
  }
  CHECK(device.held() == 2000);
  {
    const MemoryPool::Lent lent = pool.lend(2500, MemoryKind::device);
    CHECK(device.held() == 2500);
  }
  CHECK_THROWS_AS(pool.lend(3001, MemoryKind::device), Error);
  CHECK(device.held() == 0);
  {
    std::vector<MemoryPool::Lent> many;
    for (int i = 0; i < 100; ++i) many.push_back(pool.lend(1, MemoryKind::device));
    CHECK(device.held() == 100);
  }
  CHECK(pool.has_free());
  CHECK(device.held() < 50);
}

TEST_CASE("searches of other shapes take the memory of those before, and answer the same") {
  CountingDevice device;
  const auto plain = open_device("cpu");
  const Matrix<float> rows = make_values(900, 7, Temper::uniform, 1), queries = make_values(40, 7, Temper::uniform, 2);
  for (const Method method : {Method::automatic, Method::scan, Method::fused, Method::garcia_direct, Method::bvh}) {
    CAPTURE(to_string(method));
    Index index(device, rows.view(), {.method = method});
    const auto search = [&](Index& of, std::uint64_t count, std::uint64_t k) {
      return of.search(queries.view().slice(0, count), k, Metric::l2sq);
    };
    // Three queries may have a copy of the rows of their own.
    for (const std::uint64_t count : {3, 40, 39}) search(index, count, 9);
    const std::uint64_t before = device.count;
    for (const std::uint64_t count : {40, 39, 3, 40}) {
      CAPTURE(count);
      Index fresh(*plain, rows.view(), {.method = method});
      check_same(search(index, count, 9), search(fresh, count, 9));
    }
    // Plans have a few words of their own, beside what rounds lend.
    CHECK(device.count - before <= 4);
    check_same(index.range_search(queries.view(), 2.0f, Metric::l2sq),
               Index(*plain, rows.view()).range_search(queries.view(), 2.0f, Metric::l2sq));
  }
}

TEST_CASE("memory of the search before is let go where the next has too little") {
  CountingDevice device;
  const Matrix<float> rows = make_values(3000, 16, Temper::uniform, 1),
                      queries = make_values(600, 16, Temper::uniform, 2);
  const auto plain = open_device("cpu");
  Index index(device, rows.view(), {.method = Method::scan}), expected(*plain, rows.view(), {.method = Method::scan});
  const auto search = [&](Index& of, std::uint64_t count, std::uint64_t k) {
    return of.search(queries.view().slice(0, count), k, Metric::l2sq);
  };
  search(index, 600, 50);
  device.most = device.held();
  // Each needs a larger buffer than one of those before.
  for (const auto& [count, k] : std::map<std::uint64_t, std::uint64_t>{{1, 1500}, {90, 300}, {598, 50}})
    check_same(search(index, count, k), search(expected, count, k));
  CHECK(device.refused != 0);
}

TEST_CASE("searches that differ in all that they ask for answer the same in each other's memory") {
  const auto plain = open_device("cpu");
  const Matrix<float> rows = make_values(700, 12, Temper::ties, 1), queries = make_values(70, 12, Temper::ties, 2);
  Matrix<std::uint32_t> filters(70, (700 + 31) / 32);
  for (std::uint64_t i = 0; i < filters.rows() * filters.columns(); ++i)
    filters.data()[i] = static_cast<std::uint32_t>(i * 0x9E3779B9u) | 1u;
  for (const bool refuses_direct : {false, true}) {
    CountingDevice device;
    device.refuses_direct = refuses_direct;
    Index index(device, rows.view());
    std::uint32_t turn = 0;
    for (const Metric metric : all_metrics)
      for (const std::uint64_t k : {1, 300, 7})
        for (const std::uint64_t count : {70, 1, 33}) {
          CAPTURE(to_string(metric));
          CAPTURE(k);
          CAPTURE(count);
          const SearchOptions with =
              ++turn % 3 == 0 ? SearchOptions{.filter = filters.view().slice(0, count)} : SearchOptions{};
          Index fresh(*plain, rows.view());
          const MatrixView<float> asked = queries.view().slice(0, count);
          check_same(index.search(asked, k, metric, with), fresh.search(asked, k, metric, with));
          if (turn % 5 == 0 && metric == Metric::l2)
            check_same(index.range_search(asked, 3.0f, metric), fresh.range_search(asked, 3.0f, metric));
        }
  }
}

TEST_CASE("searches within ever larger radii hold as much as the last") {
  const Matrix<float> rows = make_values(2000, 4, Temper::uniform, 1), queries = make_values(50, 4, Temper::uniform, 2);
  CountingDevice device, other;
  Index index(device, rows.view()), fresh(other, rows.view());
  for (float radius = 0.05f; radius < 3; radius *= 1.2f) index.range_search(queries.view(), radius, Metric::l2);
  fresh.range_search(queries.view(), 3, Metric::l2);
  CHECK(device.held() <= other.held() + other.held() / 4);
}
