#include "words/edit_script.hpp"

#include <algorithm>

#include "proxel/matrix.hpp"

namespace demo {
namespace {

std::string text_of(std::uint32_t letter) {
  proxel::Strings one;
  one.append({&letter, 1});
  return one.text(0);
}

EditStep step(Edit edit, std::uint32_t letter) { return {edit, text_of(letter)}; }

// Place by place; what only one of the two has follows.
std::vector<EditStep> by_place(Letters query, Letters word) {
  std::vector<EditStep> script;
  for (std::size_t i = 0; i < std::max(query.size(), word.size()); ++i) {
    if (i >= word.size())
      script.push_back(step(Edit::removed, query[i]));
    else if (i >= query.size())
      script.push_back(step(Edit::inserted, word[i]));
    else
      script.push_back(step(query[i] == word[i] ? Edit::same : Edit::changed, word[i]));
  }
  return script;
}

}  // namespace

std::vector<EditStep> edit_script(Letters query, Letters word, proxel::StringDistance distance) {
  if (distance == proxel::StringDistance::hamming) return by_place(query, word);
  // Distances of all pairs of beginnings, by the recurrence.
  proxel::Matrix<std::uint32_t> table(query.size() + 1, word.size() + 1);
  for (std::size_t i = 0; i <= query.size(); ++i) table(i, 0) = static_cast<std::uint32_t>(i);
  for (std::size_t j = 0; j <= word.size(); ++j) table(0, j) = static_cast<std::uint32_t>(j);
  const auto differ = [&](std::size_t i, std::size_t j) { return query[i - 1] == word[j - 1] ? 0u : 1u; };
  for (std::size_t i = 1; i <= query.size(); ++i)
    for (std::size_t j = 1; j <= word.size(); ++j)
      table(i, j) = std::min({table(i - 1, j - 1) + differ(i, j), table(i - 1, j) + 1, table(i, j - 1) + 1});
  // Back along one shortest path.
  std::vector<EditStep> script;
  for (std::size_t i = query.size(), j = word.size(); i > 0 || j > 0;) {
    if (i > 0 && j > 0 && table(i, j) == table(i - 1, j - 1) + differ(i, j)) {
      script.push_back(step(differ(i, j) == 0 ? Edit::same : Edit::changed, word[j - 1]));
      --i, --j;
    } else if (j > 0 && table(i, j) == table(i, j - 1) + 1) {
      script.push_back(step(Edit::inserted, word[--j]));
    } else {
      script.push_back(step(Edit::removed, query[--i]));
    }
  }
  std::reverse(script.begin(), script.end());
  return script;
}

std::uint64_t edits(const std::vector<EditStep>& script) {
  return static_cast<std::uint64_t>(
      std::count_if(script.begin(), script.end(), [](const EditStep& s) { return s.edit != Edit::same; }));
}

}  // namespace demo
