#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "proxel/plan.hpp"
#include "search/distance_answers.hpp"
#include "strings/string_distances.hpp"

namespace proxel::strings {

/// Describes one search: how many queries, how long.
struct StringSearchDescription {
  std::uint32_t queries = 0;
  std::uint32_t longest_query = 0;
  std::uint64_t k = 1;
  std::optional<float> radius = {};  // instead of k
  std::uint64_t scratch_limit = 0;

  bool operator==(const StringSearchDescription&) const = default;
};

/// What becomes of the distances of such a search.
search::AnswerDescription answers_wanted(const StringSearchDescription& description, const StringDistances& distances);
/// The largest distance that such a search is interested in.
std::uint32_t bound_of(const StringSearchDescription& description);

/// Brute force: tables of the queries, all distances of some queries at a time, of which
/// each query's answer is taken.
class StringSearch {
 public:
  static constexpr std::string_view method = "scan";

  StringSearch(Device& device, const StoredStrings& strings, const StringSearchDescription& description);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const SearchBuffers& buffers) const;

 private:
  StringSearchDescription description_;
  StringDistances distances_;
  BufferView by_place_;  // numbers, within a radius
  std::unique_ptr<search::DistanceAnswers> answers_;
  std::uint64_t carries_offset_ = 0;
  std::uint64_t distances_offset_ = 0;
  std::uint64_t answers_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::strings
