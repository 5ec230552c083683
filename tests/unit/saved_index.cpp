// Indexes of vectors that are saved and loaded: the same answers, to the bit, from whatever they are kept in.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "../data/support.hpp"
#include "../section_checksums.hpp"
#include "data/checksum.hpp"
#include "index/narrow.hpp"
#include "passes/elements.hpp"
#include "proxel/index.hpp"
#include "proxel/sharded_index.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;
using testing::read_bytes;
using testing::TemporaryFolder;

namespace {

constexpr std::uint64_t k = 7;
constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip, Metric::cosine};

// Bits, as NaN is not equal to itself.
bool same_bits(const Matrix<float>& a, const Matrix<float>& b) {
  return a.rows() == b.rows() && a.columns() == b.columns() &&
         std::memcmp(a.data(), b.data(), a.rows() * a.columns() * 4) == 0;
}

void check_same_answers(Index& a, Index& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.dimensions() == b.dimensions());
  CHECK(a.storage() == b.storage());
  CHECK(a.removed_rows() == b.removed_rows());
  const Matrix<float> queries = make_values(20, a.dimensions(), Temper::ties, 5);
  for (const Metric metric : metrics) {
    CAPTURE(to_string(metric));
    CHECK(bool(a.supports(metric, k)) == bool(b.supports(metric, k)));
    if (!a.supports(metric, k)) continue;
    const Neighbors of_a = a.search(queries.view(), k, metric), of_b = b.search(queries.view(), k, metric);
    CHECK(of_a.indices == of_b.indices);
    CHECK(same_bits(of_a.distances, of_b.distances));
  }
}

// The rows in the type of an index, which outlive it.
struct Stored {
  Stored(const Matrix<float>& rows, ElementType type) : columns(rows.columns()), type_of(type) {
    bytes.resize(rows.rows() * rows.columns() * passes::element_bytes(index::element_of(type)));
    if (type == ElementType::float32)
      std::memcpy(bytes.data(), rows.data(), bytes.size());
    else
      index::narrow(rows.view(), type, 0, bytes.data());
  }
  ElementsView view() const {
    const std::uint64_t row_bytes = columns * passes::element_bytes(index::element_of(type_of));
    return {bytes.data(), type_of, bytes.size() / row_bytes, columns, row_bytes};
  }
  std::uint64_t columns;
  ElementType type_of;
  std::vector<std::byte> bytes;
};

constexpr ElementType types[] = {ElementType::float32, ElementType::float16, ElementType::int8, ElementType::uint8};

}  // namespace

TEST_CASE("an index of every storage type comes back from its file, and saves the same file again") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index"), again = folder.file("b.index");
  for (const ElementType type : types)
    for (const std::uint64_t rows : {1u, 127u, 128u, 129u, 1000u})
      for (const std::uint64_t dimensions : {1u, 3u, 33u}) {
        CAPTURE(to_string(type));
        CAPTURE(rows);
        CAPTURE(dimensions);
        const Stored stored(make_values(rows, dimensions, Temper::ties, 3), type);
        Index index(*device, stored.view(), {.storage = type});
        std::uint64_t told = 0;
        index.save(path, [&](std::uint64_t done, std::uint64_t all) {
          CHECK(all == 2 * rows);
          told = done;
        });
        CHECK(told == 2 * rows);
        CHECK(Index::is_saved(path));
        // What lies in the file is what was given.
        const std::string bytes = read_bytes(path);
        const std::size_t start = testing::section_start(bytes, testing::rows_section);
        CHECK(bytes.substr(start, stored.bytes.size()) ==
              std::string(reinterpret_cast<const char*>(stored.bytes.data()), stored.bytes.size()));
        // The storage of the options is not looked at.
        Index loaded = Index::load(*device, path, {.storage = ElementType::uint8});
        check_same_answers(index, loaded);
        loaded.save(again);
        CHECK(read_bytes(again) == bytes);
      }
}

TEST_CASE("every bit of a row is kept, those of NaN and of subnormal numbers too") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  Matrix<float> rows(300, 5);
  for (std::uint64_t i = 0; i < 1500; ++i)
    rows.data()[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i * 2'864'434'397u + 1));
  rows(7, 1) = std::bit_cast<float>(1u);
  rows(8, 1) = std::bit_cast<float>(0x80000000u);
  rows(9, 1) = std::bit_cast<float>(0x7F800001u);  // signalling
  rows(10, 1) = std::bit_cast<float>(0xFFC12345u);
  Index(*device, rows.view()).save(folder.file("a.index"));
  const std::string bytes = read_bytes(folder.file("a.index"));
  CHECK(std::memcmp(bytes.data() + testing::section_start(bytes, testing::rows_section), rows.data(), 6000) == 0);
}

TEST_CASE("rows that were added, removed and taken out are saved as they are") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> first = make_values(500, 6, Temper::ties, 1), more = make_values(333, 6, Temper::ties, 2);
  for (const Method method : {Method::automatic, Method::scan, Method::fused, Method::bvh}) {
    CAPTURE(to_string(method));
    Index index(*device, first.view(), {.method = method});
    const auto through_file = [&] {
      index.save(path);
      Index loaded = Index::load(*device, path);
      CHECK(loaded.method() == method);
      check_same_answers(index, loaded);
      return loaded;
    };
    through_file();
    index.add(more.view());
    through_file();
    const std::vector<std::uint32_t> gone = {0, 31, 32, 499, 500, 832};
    index.remove(gone);
    Index loaded = through_file();
    CHECK(loaded.removed_rows() == 6);
    // Both go on in the same way.
    CHECK(loaded.remove(gone) == 0);
    const std::vector<std::uint32_t> one_more = {33};
    CHECK(loaded.remove(one_more) == 1);
    index.remove(one_more);
    CHECK(loaded.add(more.view()) == index.add(more.view()));
    CHECK(loaded.compact() == index.compact());
    check_same_answers(index, loaded);
    Index of_compacted = through_file();
    CHECK(of_compacted.removed_rows() == 0);
    CHECK(of_compacted.rows() == 500 + 2 * 333 - 7);
    // Without any row.
    std::vector<std::uint32_t> all(index.rows());
    std::iota(all.begin(), all.end(), 0u);
    index.remove(all);
    CHECK(through_file().removed_rows() == all.size());
  }
}

TEST_CASE("method and paper options come from the file unless others are asked for, or rows do not fit") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> rows = make_values(1000, 4, Temper::ties, 1);
  IndexOptions options{.method = Method::komarov};
  options.papers.komarov.selection = SelectionMethod::quick_multi_select_workgroup;
  Index index(*device, rows.view(), options);
  index.save(path);
  CHECK(Index::load(*device, path).method() == Method::komarov);
  CHECK(Index::load(*device, path, {.method = Method::bvh}).method() == Method::bvh);
  CHECK(Index::load(*device, path, {.method = Method::texel}).method() == Method::texel);
  const Index streamed = Index::load(*device, path, {.memory_limit = 8192});
  CHECK(streamed.method() == Method::automatic);
  CHECK(streamed.block_rows() != 0);
  CHECK(Index::load(*device, path, {.method = Method::bvh, .memory_limit = 8192}).method() == Method::bvh);
  CHECK_THROWS_AS(Index::load(*device, path, {.method = Method::texel, .memory_limit = 8192}), Error);
  Index loaded = Index::load(*device, path);
  loaded.save(folder.file("b.index"));
  CHECK(read_bytes(folder.file("b.index")) == read_bytes(path));
  Index textures(*device, rows.view(), {.method = Method::texel});
  CHECK_THROWS_WITH_AS(textures.save(path), doctest::Contains("texel search keeps no rows that could be read back"),
                       Error);
  CHECK(Index::load(*device, path).rows() == 1000);
}

TEST_CASE("removed rows are not found where rows are streamed from the file") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> rows = make_values(1000, 4, Temper::ties, 1);
  Index index(*device, rows.view());
  std::vector<std::uint32_t> gone;
  for (std::uint32_t row = 0; row < 1000; row += row < 300 ? 1 : 7)
    gone.push_back(row);  // a whole block, and some of others
  index.remove(gone);
  index.save(path);
  Index streamed = Index::load(*device, path, {.memory_limit = 8192});
  REQUIRE(streamed.block_rows() == 256);
  CHECK(streamed.removed_rows() == gone.size());
  check_same_answers(streamed, index);
}

TEST_CASE("rows that do not fit are streamed from the file, which the index keeps") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> rows = make_values(5000, 40, Temper::ties, 1);
  Index whole(*device, rows.view());
  whole.save(path);
  const IndexOptions small{.memory_limit = 600'000};
  REQUIRE(!Index::fits(*device, 5000, 40, small));
  Index streamed = Index::load(*device, path, small);
  Index moved = std::move(streamed);
  std::filesystem::remove(path);  // what is mapped stays
  check_same_answers(whole, moved);
  const Neighbors own = moved.search_rows(4000, 10, 3, Metric::l2sq);
  CHECK(own.indices == whole.search_rows(4000, 10, 3, Metric::l2sq).indices);
  // From one file to the other, and over the very file that is mapped.
  moved.save(path);
  Index second = Index::load(*device, path, small);
  const std::string bytes = read_bytes(path);
  second.save(path);
  CHECK(read_bytes(path) == bytes);
  check_same_answers(whole, second);
  // Rows of the caller's that are streamed.
  Index of_callers(*device, rows.view(), small);
  of_callers.save(folder.file("b.index"));
  CHECK(read_bytes(folder.file("b.index")) == bytes);
  for (Index* index : {&second, &whole}) CHECK(index->remove(std::vector<std::uint32_t>{1, 4999, 3000}) == 3);
  check_same_answers(whole, second);
  CHECK_THROWS_AS(second.add(rows.view()), Error);
}

TEST_CASE(
    "damaged rows are found when they are first read: as they are uploaded, or by the search that passes over them") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  for (const ElementType type : types) {
    CAPTURE(to_string(type));
    const Stored stored(make_values(9000, 300, Temper::ties, 1), type);
    Index(*device, stored.view(), {.storage = type}).save(path);
    std::string bytes = read_bytes(path);
    // The damage is in the last block.
    bytes[testing::section_start(bytes, testing::rows_section) + stored.bytes.size() - 1] ^= 1;
    folder.write("a.index", bytes);
    CHECK_THROWS_WITH_AS(Index::load(*device, path), doctest::Contains("section ROWS (rows) is damaged between bytes"),
                         Error);
    if (type != ElementType::float32) continue;
    Index streamed = Index::load(*device, path, {.memory_limit = 4'000'000});
    const Matrix<float> queries = make_values(3, 300, Temper::ties, 5);
    for (int i = 0; i < 2; ++i) try {
        streamed.search(queries.view(), k, Metric::l2sq);
        FAIL_CHECK("damaged rows were searched");
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::malformed_file);
        CHECK(error.subject() == path);
      }
    CHECK_THROWS_AS(streamed.search_rows(8990, 10, k, Metric::l2sq), Error);
    CHECK_THROWS_AS(streamed.save(folder.file("b.index")), Error);
    CHECK(!std::filesystem::exists(folder.file("b.index")));
  }
}

TEST_CASE("a save that is interrupted leaves the file that was there, and the index as it was") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> rows = make_values(300, 4, Temper::ties, 1);
  Index index(*device, rows.view());
  index.save(path);
  const std::string before = read_bytes(path);
  index.remove(std::vector<std::uint32_t>{3});
  struct Enough {};
  for (const std::uint64_t at : {300u, 600u}) {
    const auto interrupt = [&](std::uint64_t done, std::uint64_t) {
      if (done == at) throw Enough();
    };
    CHECK_THROWS_AS(index.save(path, interrupt), Enough);
    CHECK(read_bytes(path) == before);
    CHECK(folder.entries() == 1);
  }
  CHECK_THROWS_AS(index.save(folder.file("no/a.index")), Error);
  index.save(path);
  CHECK(Index::load(*device, path).removed_rows() == 1);
}

TEST_CASE("files that are not there, and files of other kinds, are told from saved indexes") {
  const auto device = open_device("cpu");
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& path) {
    try {
      Index::load(*device, path);
    } catch (const Error& error) {
      CHECK(error.subject() == path);
      return std::string(error.what()).substr(path.size() + 2);
    }
    return std::string("loaded");
  };
  CHECK(refusal(folder.file("none")) == "no such file");
  CHECK(refusal(folder.file("")) == "is a directory, not a file");
  CHECK(refusal("/dev/null") == "is not a regular file");
  CHECK(refusal(folder.write("empty", "")) == "at byte 0: the file ends, 16 bytes from byte 0 on were expected");
  CHECK(refusal(folder.write("text.csv", "x,y,z,a,b,c\n1,2,3,4,5,6\n")) ==
        "at byte 0: not an index that proxel has saved");
  CHECK(!Index::is_saved(folder.file("empty")));
  CHECK(!Index::is_saved(folder.file("text.csv")));
  CHECK_THROWS_AS(Index::is_saved(folder.file("none")), Error);
}

TEST_CASE("ten gigabytes are opened in less than a tenth of a second, and searched where they lie") {
  // A file with a hole for rows: zeros, whose checksums are known.
  const TemporaryFolder folder;
  const std::string path = folder.file("large.index");
  constexpr std::uint32_t rows = 10'000'000, dimensions = 256;
  constexpr std::uint64_t row_bytes = std::uint64_t{dimensions} * 4, bytes = rows * row_bytes;
  constexpr std::uint64_t block = testing::checksum_block;
  const std::vector<std::byte> zeros(block);
  const auto sum_of = [&](std::uint64_t count) {
    data::Checksum sum;
    sum.add(std::span(zeros).first(count));
    return sum.value;
  };
  std::string sums;
  for (std::uint64_t i = 0; i < bytes / block; ++i) sums += testing::bytes_of(sum_of(block));
  if (bytes % block != 0) sums += testing::bytes_of(sum_of(bytes % block));
  const std::string info = testing::bytes_of_all<std::uint32_t>({0, rows, dimensions, 0, 0});
  const auto checksum = [](const std::string& of) {
    data::Checksum sum;
    sum.add(std::as_bytes(std::span(of)));
    return sum.value;
  };
  std::string header = "\x89proxel\n" + testing::bytes_of_all<std::uint32_t>({1, 4});
  header += testing::section_entry_bytes("INFO", checksum(info), info.size());
  header += testing::section_entry_bytes("LIVE", 0, 0);
  header += testing::section_entry_bytes("ROWS", 0, bytes);
  header += testing::section_entry_bytes("SUMS", checksum(sums), sums.size());
  header += testing::bytes_of(checksum(header));
  folder.write("large.index", header + info);
  std::filesystem::resize_file(path, header.size() + info.size() + bytes);
  std::ofstream(path, std::ios::binary | std::ios::app) << sums;

  const auto device = open_device("cpu");
  const auto begin = std::chrono::steady_clock::now();
  Index index = Index::load(*device, path, {.memory_limit = 1 << 24});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  MESSAGE("opened in ", took.count(), " s");
  CHECK(took.count() < 0.1);
  CHECK(index.rows() == rows);
  CHECK(index.block_rows() != 0);
  // Of the last rows, which lie 10 GB from the start, only their block is read.
  struct Enough {};
  CHECK_THROWS_AS(index.search_rows(rows - 1, 1, 1, Metric::l2sq,
                                    {.progress = [](std::uint64_t, std::uint64_t) { throw Enough(); }}),
                  Enough);
}

TEST_CASE("a saved index is loaded by several devices, with the answers of one") {
  TemporaryFolder folder;
  const std::string path = folder.file("rows.index");
  const auto device = open_device("cpu"), other = open_device("cpu:reference");
  const std::vector<Device*> devices = {device.get(), other.get()};
  const Matrix<float> rows = make_values(300, 6, Temper::ties, 3), queries = make_values(20, 6, Temper::ties, 5);
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::uint8}) {
    CAPTURE(static_cast<int>(type));
    const Stored stored(rows, type);
    Index one(*device, stored.view(), {.storage = type});
    one.remove(std::vector<std::uint32_t>{0, 99, 100, 101, 299});
    one.save(path);
    for (const Division division : {Division::rows, Division::queries})
      for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{6144}}) {
        CAPTURE(to_string(division));
        CAPTURE(limit);
        ShardedOptions options{.division = division, .shares = {1, 2}};
        if (limit != 0) options.index.memory_limit = limit;
        ShardedIndex many = ShardedIndex::load(devices, path, options);
        CHECK(many.rows() == 300);
        CHECK(many.removed_rows() == 5);
        CHECK(many.storage() == type);
        for (const Metric metric : metrics) {
          const Neighbors found = many.search(queries.view(), k, metric),
                          expected = one.search(queries.view(), k, metric);
          CHECK(found.indices == expected.indices);
          CHECK(same_bits(found.distances, expected.distances));
        }
      }
  }
  std::string bytes = read_bytes(path);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  CHECK_THROWS_AS(ShardedIndex::load(devices, path), Error);
}
