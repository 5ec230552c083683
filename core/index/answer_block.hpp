#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "proxel/index.hpp"
#include "search/distance_answers.hpp"

namespace proxel::index {

/// What the queries of a block are asked for.
struct AnswerShape {
  std::uint32_t queries = 0;
  std::uint64_t k = 1;
  std::optional<float> radius = {};  // instead of k
};

/// A block of queries with memory for its answers and its recorded commands, submitted
/// any number of times.
class AnswerBlock {
 public:
  using Record = std::function<void(Recording&, const search::AnswerBuffers&)>;
  /// @param matches  slots for what lies within a radius
  /// @param record   of the whole search
  AnswerBlock(Device& device, const AnswerShape& shape, std::uint64_t matches,
              std::uint64_t scratch_bytes, Timing timing, const Record& record);
  ~AnswerBlock();

  std::uint64_t slots() const { return slots_; }

  /// The k nearest of each query. Adds to the times, as the other does.
  void run(std::uint32_t* indices, float* distances, SearchTimes& times);
  /// Appends the matches, unless they are more than there are slots. Returns how many they are.
  std::uint64_t run(RangeNeighbors& found, SearchTimes& times);

 private:
  bool within() const { return shape_.radius.has_value(); }
  void compute(SearchTimes& times);
  template <typename Element>
  void read(Buffer& from, Element* to, std::uint64_t count);

  Device& device_;
  AnswerShape shape_;
  std::uint64_t slots_;
  std::unique_ptr<Buffer> scratch_, indices_, distances_, matches_, matches_read_;
  bool timed_;
  std::unique_ptr<Commands> commands_;
};

/// Answers within a radius, block by block: memory for matches is as large as blocks have
/// needed before, and a block with too many of them is split.
class MatchBlocks {
 public:
  /// Matches per query that there is room for at first.
  static constexpr std::uint64_t usual_matches = 64;

  /// @param objects  a lone query's matches are at most these
  /// @param run      (first, count, matches): has the queries first … first + count - 1
  ///                 answered with slots for so many; returns how many there are, and has
  ///                 appended them where they fit
  template <typename Run>
  void answer(std::uint64_t first, std::uint64_t count, std::uint64_t objects, const Run& run) {
    const std::uint64_t most = count == 1 ? std::max(most_matches, objects) : most_matches;
    for (std::uint64_t matches = std::max(count * usual_matches, matches_);;) {
      matches = std::min(matches, most);
      const std::uint64_t found = run(first, count, matches);
      if (found <= matches) return;
      if (found > most) break;
      matches = matches_ = found + found / 8;
    }
    answer(first, count / 2, objects, run);
    answer(first + count / 2, count - count / 2, objects, run);
  }

 private:
  static constexpr std::uint64_t most_matches = std::uint64_t{1} << 25;
  std::uint64_t matches_ = 0;  // of a block, as many as there were before
};

/// Room for the k nearest. Throws Error(invalid_argument | out_of_memory).
Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k);

}  // namespace proxel::index
