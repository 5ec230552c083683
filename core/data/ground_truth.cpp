#include "proxel/ground_truth.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "data/block_writer.hpp"
#include "data/ground_truth_layout.hpp"
#include "data/guarded.hpp"
#include "data/load.hpp"
#include "data/npy_header.hpp"
#include "data/output_file.hpp"
#include "data/parsers.hpp"
#include "proxel/data.hpp"
#include "proxel/error.hpp"

namespace proxel {
namespace {

using data::BlockWriter;

constexpr std::string_view written_formats[] = {"ibin", "ivecs", "npy", "hdf5"};

// The format of a file that is written.
std::string_view written_format(const std::string& path) {
  const std::string_view format = data::has_format(path) ? data::parse_file_name(path).format : "";
  if (std::ranges::find(written_formats, format) == std::end(written_formats))
    throw Error(ErrorCode::unsupported, path, "ground truth can be written as .ibin, .ivecs, .npy, .hdf5 or .h5");
  return format;
}

Matrix<std::int64_t> widened(const Matrix<std::int32_t>& read) {
  Matrix<std::int64_t> ids(read.rows(), read.columns());
  std::transform(read.data(), read.data() + read.rows() * read.columns(), ids.data(), [](std::int32_t id) {
    return id == -1 ? std::int64_t{-1} : static_cast<std::int64_t>(static_cast<std::uint32_t>(id));
  });
  return ids;
}

// Numbers of 64 bits, of which those that read_integers() refuses are ids too.
Matrix<std::int64_t> long_ids(const data::ByteSource& source, const data::StoredMatrix& stored) {
  Matrix<std::int64_t> ids(stored.rows, stored.columns);
  data::ByteCursor cursor(source, stored.first_byte);
  for (std::uint64_t slot = 0; slot < stored.rows * stored.columns; ++slot)
    ids.data()[slot] = data::load<std::int64_t>(cursor.take(sizeof(std::int64_t)).data(), stored.big_endian);
  return ids;
}

Matrix<std::int64_t> read_npy_ids(const std::string& path) {
  const data::FileSource source(path);
  const data::StoredMatrix stored = data::parse_npy(source);
  const bool is_long = stored.type == ElementType::int64 || stored.type == ElementType::uint64;
  if (!is_long || stored.column_major) return widened(read_integers(path));
  return data::guarded(path, [&] { return long_ids(source, stored); });
}

void require_ids(const std::string& path, const GroundTruth& truth) {
  const std::int64_t* const ids = truth.ids.data();
  for (std::uint64_t slot = 0; slot < truth.ids.rows() * truth.ids.columns(); ++slot)
    if (ids[slot] < -1)
      throw Error(
          ErrorCode::malformed_file, path,
          fmt::format("query {} has the neighbour {}; ids are at least -1", slot / truth.ids.columns(), ids[slot]));
}

GroundTruth read_any_truth(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!data::has_format(path) && (ending.empty() || ending == ".bin"))
    return data::parse_ground_truth(data::FileSource(path));
  const data::FileName name = data::parse_file_name(path);
  if (name.format == "ibin") return data::parse_ground_truth(data::FileSource(path));
  if (name.format == "npy") return {read_npy_ids(path), {}};
  if (name.format == "ivecs") return {widened(read_integers(path)), {}};
  if (name.format == "hdf5") {
    const std::vector<std::string> parts = inspect_data(name.path + "#neighbors").parts;
    GroundTruth truth{widened(read_integers(name.path + "#neighbors")), {}};
    if (std::ranges::find(parts, "distances") != parts.end()) truth.distances = read_matrix(name.path + "#distances");
    return truth;
  }
  throw Error(ErrorCode::unsupported, path, "ground truth is read from .ibin, .bin, .ivecs, .npy, .hdf5 and .h5");
}

void write_ids(BlockWriter& to, const GroundTruth& truth, bool row_prefix) {
  for (std::uint64_t query = 0; query < truth.ids.rows(); ++query) {
    if (row_prefix) to.value(static_cast<std::uint32_t>(truth.ids.columns()));
    for (std::uint64_t slot = 0; slot < truth.ids.columns(); ++slot)
      to.value(static_cast<std::int32_t>(truth.ids(query, slot)));
  }
}

// What the writer puts into a file that appears whole or not at all.
template <typename Write>
void write_file(const std::string& path, const Write& write) {
  data::OutputFile file(path);
  BlockWriter to([&](std::span<const std::byte> bytes) { file.write(bytes); });
  write(to);
  to.flush();
  file.finish();
}

}  // namespace

GroundTruth read_ground_truth(const std::string& path) {
  GroundTruth truth = read_any_truth(path);
  require_ids(path, truth);
  const Matrix<float>& distances = truth.distances;
  if (distances.rows() != 0 && (distances.rows() != truth.ids.rows() || distances.columns() != truth.ids.columns()))
    throw Error(ErrorCode::malformed_file, path,
                fmt::format("has {} x {} neighbours and {} x {} distances", truth.ids.rows(), truth.ids.columns(),
                            distances.rows(), distances.columns()));
  return truth;
}

bool holds_distances(const std::string& path) {
  const std::string_view format = written_format(path);
  return format == "ibin" || format == "hdf5";
}

void check_ground_truth_file(const std::string& path, std::uint64_t queries, std::uint64_t k, std::uint64_t rows) {
  const std::string_view format = written_format(path);
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::invalid_argument, path, why); };
  if (format == "hdf5") data::require_hdf5(path);
  if (k == 0) refuse("ground truth without neighbours cannot be written");
  if (format == "ivecs" && queries == 0) refuse("a file of this format cannot hold the answers of no queries");
  const bool narrow = format == "ibin" || format == "ivecs";
  if (narrow && rows > static_cast<std::uint64_t>(data::largest_short_id) + 1)
    refuse(fmt::format(
        "its ids are of 32 bits, up to 2,147,483,647, and there are {} rows; .npy and .hdf5 have ids of 64", rows));
  if (narrow && std::max(queries, k) > INT32_MAX)
    refuse(fmt::format("it can count 2,147,483,647 queries and neighbours of each, {} and {} were given", queries, k));
}

void write_ground_truth(const std::string& path, const GroundTruth& truth, Metric metric) {
  const Matrix<float>& distances = truth.distances;
  const std::uint64_t queries = truth.ids.rows(), k = truth.ids.columns(), slots = queries * k;
  check_ground_truth_file(path, queries, k, data::has_long_ids(truth) ? UINT64_MAX : 0);
  if (distances.columns() != 0 && (distances.rows() != queries || distances.columns() != k))
    throw Error(ErrorCode::invalid_argument, path, "the distances have another shape than the ids");
  const std::string_view format = written_format(path);
  if (format == "hdf5") return data::write_ground_truth_hdf5(path, truth, metric);
  write_file(path, [&](BlockWriter& to) {
    if (format == "npy") {
      to.text(data::npy_header("<i8", fmt::format("({}, {})", queries, k)));
      for (std::uint64_t slot = 0; slot < slots; ++slot) to.value(truth.ids.data()[slot]);
      return;
    }
    if (format == "ibin") {
      to.value(static_cast<std::uint32_t>(queries));
      to.value(static_cast<std::uint32_t>(k));
    }
    write_ids(to, truth, format == "ivecs");
    if (format == "ibin" && distances.columns() != 0) to.values(std::span(distances.data(), slots));
  });
}

RangeNeighbors read_range_ground_truth(const std::string& path) {
  return data::parse_range_ground_truth(data::FileSource(path));
}

void write_range_ground_truth(const std::string& path, const RangeNeighbors& truth) {
  const std::uint64_t queries = truth.offsets.empty() ? 0 : truth.offsets.size() - 1, matches = truth.indices.size();
  const auto largest = std::ranges::max_element(truth.indices);
  if (std::max(queries, matches) > INT32_MAX || (matches != 0 && *largest > INT32_MAX))
    throw Error(ErrorCode::invalid_argument, path,
                fmt::format("a file of this format counts queries, matches and rows up to 2,147,483,647; there are {} "
                            "queries and {} matches",
                            queries, matches));
  write_file(path, [&](BlockWriter& to) {
    to.value(static_cast<std::uint32_t>(queries));
    to.value(static_cast<std::uint32_t>(matches));
    for (std::uint64_t query = 0; query < queries; ++query) to.value(static_cast<std::uint32_t>(truth.count(query)));
    to.values(truth.indices);
    to.values(truth.distances);
  });
}

}  // namespace proxel
