#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxel/permutation.hpp"
#include "recall.hpp"
#include "words/edit_script.hpp"
#include "words/word_list.hpp"

namespace demo {

/// What is asked, and how.
struct WordQuestion {
  std::string text;
  proxel::StringDistance distance = proxel::StringDistance::levenshtein;
  std::uint64_t k = 10;
  std::uint32_t permutants = 64;  ///< m
  double fraction = 0.05;         ///< f

  bool operator==(const WordQuestion&) const = default;
};

/// Letters of a query that edits are shown for: its table grows with their number times a word's.
inline constexpr std::uint64_t most_letters_explained = 200;

struct FoundWord {
  std::uint32_t number = 0;  ///< in the list
  float distance = 0;
  std::string text;
  std::vector<EditStep> script;  ///< empty where either is longer than is explained
};

/// One way's answer to a question.
struct WordAnswer {
  std::vector<FoundWord> words;    ///< nearest first
  std::uint64_t compared = 0;      ///< words whose distance from the query was computed
  double device_milliseconds = 0;  ///< passes, as the device timed them
  double wall_milliseconds = 0;    ///< the whole call
  proxel::Neighbors neighbors;     ///< as it came
};

struct WordResult {
  WordQuestion question;
  std::string device;
  WordAnswer exact;
  WordAnswer approximate;
  proxel::tool::Recall recall;
  double build_milliseconds = 0;  ///< of the permutation index
};

/// Words on a device: all compared, or by a permutation index. One thread at a time.
class WordSearch {
 public:
  /// @param device  outlives the object
  WordSearch(proxel::Device& device, std::shared_ptr<const WordList> list);
  ~WordSearch();

  /// Whether a question needs what takes longer than a search: an index anew.
  bool ready(const WordQuestion& question) const;
  /// Makes the indexes that the question needs and that there are not. Throws proxel::Error.
  /// @param progress  of the permutation index, the longer work; may throw, which leaves the exact one
  void prepare(const WordQuestion& question, const proxel::Progress& progress = {});
  /// The same, but that the permutation index is a copy of another device's, which is ready for
  /// the question: making it is by far the longer work.
  void prepare_as(WordSearch& other, const WordQuestion& question);
  /// Throws proxel::Error: also invalid_argument for what is not UTF-8 or out of range.
  /// @param between  called between the two ways' searches; may throw. May be empty.
  WordResult search(const WordQuestion& question, const std::function<void()>& between = {});

  const WordList& list() const { return *list_; }

 private:
  void prepare_exact(const WordQuestion& question);
  WordAnswer told(const WordQuestion& question, const proxel::Strings& query, proxel::Neighbors neighbors) const;

  proxel::Device& device_;
  std::shared_ptr<const WordList> list_;
  std::optional<proxel::StringIndex> exact_;
  std::optional<proxel::PermutationIndex> approximate_;
  proxel::StringDistance distance_{};  // of the two
  std::uint32_t permutants_ = 0;       // of the latter
};

/// Where two devices' answers to one question first differ, in words; empty where they are
/// the same, words and bits of distances alike.
std::string difference(const WordResult& a, const WordResult& b);

}  // namespace demo
