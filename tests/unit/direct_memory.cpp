// Where the host does not write the device's memory, what it asks is copied, and the answers are the same.
#include <doctest/doctest.h>

#include "failing_device.hpp"
#include "proxel/index.hpp"
#include "proxel/strings.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

class RefusesDirect : public FailingDevice {
 public:
  explicit RefusesDirect(ErrorCode code) : code_(code) {}
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    if (kind == MemoryKind::direct) {
      ++refused;
      throw Error(code_, "memory", "is not for the host");
    }
    return FailingDevice::create_buffer(bytes, kind);
  }
  unsigned refused = 0;

 private:
  ErrorCode code_;
};

constexpr std::uint64_t rows = 700, dimensions = 9, queries = 20;

Strings words() {
  Strings made;
  for (const char* word : {"kitten", "sitting", "mitten", "bitten", "knitting"}) made.add(word);
  return made;
}

}  // namespace

TEST_CASE("queries, filters and rows to leave out are copied where the host does not write the device's memory") {
  const auto plain = open_device("cpu");
  const Matrix<float> database = make_values(rows, dimensions, Temper::uniform, 1),
                      asked = make_values(queries, dimensions, Temper::uniform, 2);
  Matrix<std::uint32_t> filters(queries, (rows + 31) / 32);
  for (std::uint64_t i = 0; i < queries * filters.view().columns; ++i)
    filters.data()[i] = static_cast<std::uint32_t>(i * 0x9E3779B9u) | 1u;
  std::vector<std::uint32_t> self(queries);
  for (std::uint32_t i = 0; i < queries; ++i) self[i] = 3 * i;
  Index direct(*plain, database.view());
  StringIndex direct_words(*plain, words());
  for (const ErrorCode code : {ErrorCode::unsupported, ErrorCode::out_of_memory}) {
    RefusesDirect refusing(code);
    Index staged(refusing, database.view());
    check_same(staged.search(asked.view(), 7, Metric::l2), direct.search(asked.view(), 7, Metric::l2));
    CHECK(refusing.refused != 0);
    const SearchOptions narrowed{.filter = filters.view(), .self = self};
    check_same(staged.search(asked.view(), 7, Metric::l1, narrowed),
               direct.search(asked.view(), 7, Metric::l1, narrowed));
    const RangeNeighbors within = staged.range_search(asked.view(), 1.0f, Metric::l2),
                         expected = direct.range_search(asked.view(), 1.0f, Metric::l2);
    CHECK(within.offsets == expected.offsets);
    CHECK(within.indices == expected.indices);
    StringIndex staged_words(refusing, words());
    check_same(staged_words.search(words(), 2), direct_words.search(words(), 2));
  }
  RefusesDirect lost(ErrorCode::device_lost);
  Index index(lost, database.view());
  check_refused([&] { index.search(asked.view(), 7, Metric::l2); }, "memory", ErrorCode::device_lost);
}
