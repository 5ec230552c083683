#include "documents/documents.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "console.hpp"
#include "features/feature_kinds.hpp"
#include "features/terms.hpp"
#include "interrupt.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

// The rows that are wanted, in place.
void keep(Matrix<float>& rows, const std::vector<std::size_t>& wanted) {
  Matrix<float> kept(wanted.size(), rows.columns());
  for (std::size_t row = 0; row < wanted.size(); ++row)
    std::copy_n(rows.data() + wanted[row] * rows.columns(), rows.columns(), kept.data() + row * rows.columns());
  rows = std::move(kept);
}

}  // namespace

Documents read_documents(const std::vector<std::string>& folders, std::uint32_t dimensions, bool all_files,
                         const Progress& progress) {
  files::FoundFiles found = files::find_files(folders, endings_of_texts(all_files), throw_if_interrupted);
  if (found.paths.empty())
    throw Error(ErrorCode::not_found, folders.front(),
                all_files ? "no file is there" : "no .txt, .text or .md file is there; --all-files takes any");
  const FeatureWork work{std::move(found.paths), std::max(1u, std::thread::hardware_concurrency()), progress,
                         NamesFile("")};
  std::vector<std::uint64_t> terms;
  FileRows made = count_terms_of_files(work, dimensions, terms);
  Documents documents;
  documents.failures = std::move(found.failures);
  documents.failures.insert(documents.failures.end(), made.failures.begin(), made.failures.end());
  std::vector<std::size_t> wanted;
  for (std::size_t row = 0; row < made.of.size(); ++row)
    if (terms[made.of[row]] != 0) {
      wanted.push_back(row);
      documents.paths.push_back(work.paths[made.of[row]]);
    }
  documents.without_terms = made.of.size() - wanted.size();
  if (wanted.empty() && documents.failures.empty())
    throw Error(ErrorCode::not_found, folders.front(), "no text there has a word");
  if (wanted.empty())
    throw Error(ErrorCode::not_found, folders.front(),
                fmt::format("none of {} texts there could be read; the first, {}: {}", work.paths.size(),
                            one_line(documents.failures.front().path), documents.failures.front().reason));
  documents.rows = std::move(made.rows);
  if (documents.without_terms != 0) keep(documents.rows, wanted);
  documents.weights = features::rarity_weights(documents.rows);
  features::weigh(documents.rows, documents.weights);
  return documents;
}

void row_of_text(const std::string& name, std::string_view text, const Documents& like, float* row) {
  const auto dimensions = static_cast<std::uint32_t>(like.weights.size());
  std::fill_n(row, dimensions, 0.0f);
  if (features::count_terms(name, text, dimensions, row) == 0)
    throw Error(ErrorCode::invalid_argument, name, "has no word to look for");
  for (std::uint32_t d = 0; d < dimensions; ++d) row[d] = static_cast<float>(row[d] * like.weights[d]);
}

std::vector<std::string> shared_terms(std::string_view text, std::string_view other, const Documents& like,
                                      std::size_t most) {
  std::set<std::string, std::less<>> of_other;
  features::for_each_term(other, [&](std::string_view term) { of_other.emplace(term); });
  std::map<std::string, double, std::less<>> weights;
  features::for_each_term(text, [&](std::string_view term) {
    if (of_other.contains(term))
      weights[std::string(term)] += like.weights[features::term_hash(term) % like.weights.size()];
  });
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [term, weight] : weights) order.emplace_back(-weight, term);
  std::sort(order.begin(), order.end());
  std::vector<std::string> shared;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) shared.push_back(order[i].second);
  return shared;
}

}  // namespace proxel::tool
