#include "proxel/ground_truth.hpp"

#include <limits>

#include "proxel/data_stored.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

std::string counts(std::uint32_t one, std::uint32_t other) { return bytes_of(one) + bytes_of(other); }

GroundTruth sample(std::int64_t large = 7) {
  GroundTruth truth{Matrix<std::int64_t>(2, 3), Matrix<float>(2, 3)};
  const std::int64_t ids[] = {4, 0, -1, large, 2, 1};
  std::copy_n(ids, 6, truth.ids.data());
  for (int i = 0; i < 6; ++i) truth.distances.data()[i] = static_cast<float>(i) / 8;
  truth.distances(0, 2) = std::numeric_limits<float>::infinity();
  return truth;
}

const std::string ids_of_sample = bytes_of_all<std::int32_t>({4, 0, -1, 7, 2, 1});

}  // namespace

TEST_SUITE("ground truth") {
TEST_CASE("the layout of big-ann-benchmarks, byte by byte") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.ibin");
  const GroundTruth truth = sample();
  write_ground_truth(path, truth, Metric::l2sq);
  const std::string distances = bytes_of_all(std::vector<float>(truth.distances.data(), truth.distances.data() + 6));
  CHECK(read_bytes(path) == counts(2, 3) + ids_of_sample + distances);
  for (const char* name : {"gt.bin", "gt"}) {
    const GroundTruth read = read_ground_truth(folder.write(name, read_bytes(path)));
    CHECK(read.ids == truth.ids);
    CHECK(read.distances == truth.distances);
  }
  // Read as a file of integers it has the ids.
  check_matrix<std::int32_t>(read_integers(path), 2, 3, {4, 0, -1, 7, 2, 1});
  const GroundTruth alone = read_ground_truth(folder.write("ids.ibin", counts(2, 3) + ids_of_sample));
  CHECK(alone.ids == truth.ids);
  CHECK(alone.distances.columns() == 0);
}

TEST_CASE("other formats give the same ids") {
  const TemporaryFolder folder;
  const GroundTruth truth = sample();
  for (const char* name : {"gt.ivecs", "gt.npy", "gt.ibin", "gt.hdf5"}) {
    CAPTURE(name);
    const std::string path = folder.file(name);
#ifndef PROXEL_WITH_HDF5
    if (path.ends_with("hdf5")) {
      check_error([&] { write_ground_truth(path, truth, Metric::l2); }, ErrorCode::unsupported, path,
                  "this build has no HDF5; .ibin, .ivecs and .npy can be written");
      continue;
    }
#endif
    write_ground_truth(path, truth, Metric::l2);
    const GroundTruth read = read_ground_truth(path);
    CHECK(read.ids == truth.ids);
    CHECK((read.distances.columns() == 0) == !holds_distances(path));
    if (holds_distances(path)) CHECK(read.distances == truth.distances);
  }
}

TEST_CASE("ids above 2^31 need 64 bits") {
  const TemporaryFolder folder;
  const std::int64_t large = std::int64_t{5} << 32;
  for (const char* name : {"gt.ibin", "gt.ivecs"}) {
    const std::string path = folder.file(name);
    CHECK_THROWS_AS(write_ground_truth(path, sample(std::int64_t{1} << 31), Metric::l2sq), Error);
    CHECK_THROWS_AS(check_ground_truth_file(path, 1, 1, (std::uint64_t{1} << 31) + 1), Error);
    CHECK_NOTHROW(check_ground_truth_file(path, 1, 1, std::uint64_t{1} << 31));
    CHECK_NOTHROW(write_ground_truth(path, sample(INT32_MAX), Metric::l2sq));
  }
  const std::string path = folder.file("gt.npy");
  write_ground_truth(path, sample(large), Metric::l2sq);
  CHECK(read_ground_truth(path).ids(1, 0) == large);
  // Others write such ids without a sign.
  const GroundTruth read = read_ground_truth(folder.write("u.ibin", counts(1, 1) + bytes_of(0x80000001u)));
  CHECK(read.ids(0, 0) == 0x80000001);
}

TEST_CASE("files that are cut, too long or hostile") {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& path) {
    CHECK_THROWS_AS(read_ground_truth(path), Error);
    CHECK_THROWS_AS(read_range_ground_truth(path), Error);
  };
  refused(folder.write("empty.ibin", ""));
  refused(folder.write("head.ibin", counts(2, 3)));
  refused(folder.write("cut.ibin", counts(2, 3) + ids_of_sample + "abc"));
  refused(folder.write("huge.ibin", counts(UINT32_MAX, UINT32_MAX) + ids_of_sample));
  refused(folder.write("flat.ibin", counts(5, 0)));
  refused(folder.write("sum.ibin", counts(1, 2) + bytes_of(3u) + bytes_of_all<std::uint32_t>({1, 2, 3, 4, 5})));
  check_error([&] { write_ground_truth(folder.file("gt.csv"), sample(), Metric::l2); }, ErrorCode::unsupported,
              folder.file("gt.csv"), "ground truth can be written as .ibin, .ivecs, .npy, .hdf5 or .h5");
}

TEST_CASE("range searches") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.rangeres");
  RangeNeighbors found;
  found.offsets = {0, 2, 2, 3};
  found.indices = {5, 1, 9};
  found.distances = {0.5f, 0.75f, 0.25f};
  write_range_ground_truth(path, found);
  CHECK(read_bytes(path) ==
        counts(3, 3) + bytes_of_all<std::uint32_t>({2, 0, 1, 5, 1, 9}) + bytes_of_all<float>({0.5f, 0.75f, 0.25f}));
  const RangeNeighbors read = read_range_ground_truth(path);
  CHECK(read.offsets == found.offsets);
  CHECK(read.indices == found.indices);
  CHECK(read.distances == found.distances);
  found.indices[0] = 0x80000000u;
  CHECK_THROWS_AS(write_range_ground_truth(path, found), Error);
}

TEST_CASE("bytes with a sign and halves") {
  const TemporaryFolder folder;
  const std::int8_t bytes[] = {-128, 0, 127, 5};
  const std::string path = folder.file("a.i8bin");
  write_rows(path, {bytes, ElementType::int8, 2, 2, 2});
  check_matrix<float>(read_matrix(path), 2, 2, {-128, 0, 127, 5});
  CHECK(inspect_data(path).type == ElementType::int8);
  CHECK(MappedMatrix(path).type() == ElementType::int8);
  const std::uint16_t halves[] = {0x3C00, 0xC000};  // 1, -2
  write_rows(folder.file("a.f16bin"), {halves, ElementType::float16, 1, 2, 4});
  check_matrix<float>(read_matrix(folder.file("a.f16bin")), 1, 2, {1, -2});
}
}  // namespace suite
