#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "proxel/strings.hpp"

namespace demo {

/// What becomes of one letter where a query is turned into a word.
enum class Edit {
  same,
  changed,   ///< another letter stands here
  inserted,  ///< the word has it, the query does not
  removed,   ///< the query has it, the word does not
};

struct EditStep {
  Edit edit = Edit::same;
  std::string letter;  ///< the word's, UTF-8; the query's where it was removed

  bool operator==(const EditStep&) const = default;
};

using Letters = std::span<const std::uint32_t>;  ///< code points

/// One of the shortest ways from the query to the word, letter by letter of the word. Where
/// several are as short, letters are changed rather than moved.
std::vector<EditStep> edit_script(Letters query, Letters word, proxel::StringDistance distance);

/// The steps that are edits: the distance.
std::uint64_t edits(const std::vector<EditStep>& script);

}  // namespace demo
