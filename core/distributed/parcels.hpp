#pragma once

// What ranks of a DistributedIndex send each other: questions and answers.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distributed/exchange.hpp"
#include "proxel/index.hpp"
#include "sharding/page.hpp"

namespace proxel::distributed {

/// What rank 0 asks of all. A call of the caller's is one or more of them.
enum class Step : std::uint64_t { search, range_search, read_rows, add, prepare, remove, compact };

/// What callers call, on all ranks the same.
enum class Call : std::uint64_t { search, search_rows, range_search, read_rows, add, remove, compact, knn_graph };
std::string_view name_of(Call call);

/// A question to all ranks.
struct Request {
  Call call = Call::search;
  Step step = Step::search;
  bool last = true;  ///< of its call
  std::uint64_t k = 0;
  Metric metric = Metric::l2sq;
  float radius = 0;
  bool ordered = false;
  std::uint64_t target = 0;            ///< the rank that rows are added to
  Matrix<float> rows;                  ///< queries, or rows that are added
  Matrix<std::uint32_t> filter;        ///< of all rows
  sharding::Keys behind;               ///< where a page begins, for each query; empty: at the nearest
  std::vector<std::uint32_t> numbers;  ///< each query's own row; or rows that are read or removed

  Shape shape() const;
  void make_room(const Shape& shape);
  Blobs blobs() { return {bytes_of(rows), bytes_of(filter), bytes_of(behind), bytes_of(numbers)}; }

  /// As options of a search of all rows, which borrow from this.
  SearchOptions options() const;
};

/// The numbers of a report that are brought together.
struct ReportParcel {
  std::vector<double> milliseconds = std::vector<double>(3);
  std::uint64_t compared = 0, evaluated = 0;
  std::vector<DeviceShare> ranks;

  void take(const SearchReport& report, std::uint32_t rank, std::uint32_t size);
  void add(const ReportParcel& other);
  void give(SearchReport& report) const;
};

/// The neighbours that some ranks have found, ordered.
struct NeighborsParcel {
  Neighbors found;
  std::string method;  ///< at most 15 bytes are kept of it
  ReportParcel report;

  Shape shape() const;
  void make_room(const Shape& shape);
  Blobs blobs();
};

/// The matches that some ranks have found, ordered.
struct RangeParcel {
  RangeNeighbors found;
  std::string method;
  ReportParcel report;

  Shape shape() const;
  void make_room(const Shape& shape);
  Blobs blobs();
};

/// Rows that some ranks have of those that were asked for.
struct RowsParcel {
  std::vector<std::uint32_t> places;  ///< among those that were asked for
  std::vector<float> values;          ///< of one row after the other

  Shape shape() const { return {places.size(), values.size()}; }
  void make_room(const Shape& shape) {
    places.resize(shape[0]);
    values.resize(shape[1]);
  }
  Blobs blobs() { return {bytes_of(places), bytes_of(values)}; }
};

/// Rows of a matrix.
struct MatrixParcel {
  Matrix<float> rows;

  Shape shape() const { return {rows.rows(), rows.columns()}; }
  void make_room(const Shape& shape) { rows = Matrix<float>(shape[0], shape[1]); }
  Blobs blobs() { return {bytes_of(rows)}; }
};

/// What a rank says of itself when an index is made, and of those that it has heard of.
struct Introduction {
  std::uint64_t is_there = 0, version = 0, rows = 0, removed = 0, dimensions = 0, storage = 0;
  std::array<char, 64> device = {}, host = {};
};
struct IntroductionsParcel {
  std::vector<Introduction> ranks;  ///< of all, in their order

  Shape shape() const { return {ranks.size()}; }
  void make_room(const Shape& shape) { ranks.resize(shape[0]); }
  Blobs blobs() { return {bytes_of(ranks)}; }
};

/// A number, of which all are added up.
struct SumParcel {
  std::uint64_t sum = 0;

  Shape shape() const { return {sum}; }
  void make_room(const Shape& shape) { sum = shape[0]; }
  Blobs blobs() { return {}; }
};

/// Which rows are left, of those that some ranks have.
struct KeptParcel {
  std::vector<std::uint32_t> words;   ///< a bit for each row of all, as a filter has them
  std::vector<std::uint64_t> counts;  ///< of each rank

  Shape shape() const { return {words.size(), counts.size()}; }
  void make_room(const Shape& shape) {
    words.resize(shape[0]);
    counts.resize(shape[1]);
  }
  Blobs blobs() { return {bytes_of(words), bytes_of(counts)}; }
  void add(const KeptParcel& other) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
};

/// A method's name as a literal, which SearchReport::method is.
std::string_view lasting(const std::string& method);

}  // namespace proxel::distributed
