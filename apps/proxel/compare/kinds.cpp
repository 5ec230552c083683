#include "compare/kinds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "answer_size.hpp"

namespace proxel::tool {
namespace {

using enum SearchedObjects;

TaskPointer nearest_of(CompareInput& input, const CompareOptions& options, SearchedObjects objects,
                       std::optional<float> radius) {
  const Reach reach{options.k, radius};
  switch (objects) {
    case vectors: {
      const auto& data = input.vectors();
      if (!radius) check_answer_size(data->queries.rows(), options.k, data->database.rows());
      return vectors_task(data, {reach, options.metric, options.index, options.raw});
    }
    case words:
      return words_task(input.words(), reach, options.distance);
    case signatures:
      return signatures_task(input.signatures(), reach, options.similarity);
  }
  return nullptr;
}

TaskPointer make_nearest(CompareInput& input, const CompareOptions& options, SearchedObjects objects, const Progress&) {
  return nearest_of(input, options, objects, std::nullopt);
}

TaskPointer make_range(CompareInput& input, const CompareOptions& options, SearchedObjects objects,
                       const Progress& progress) {
  if (options.radius && objects == vectors) check_radius(options.metric, *options.radius);
  return nearest_of(
      input, options, objects,
      options.radius ? *options.radius : radius_of(*nearest_of(input, options, objects, std::nullopt), progress));
}

TaskPointer make_graph(CompareInput& input, const CompareOptions& options, SearchedObjects, const Progress&) {
  const auto& data = input.rows();
  const std::uint64_t rows = data->database.rows();
  check_answer_size(rows, options.k, rows);
  return graph_task(data, {{options.k}, options.metric, options.index, false}, options.exclude_self);
}

TaskPointer make_permutations(CompareInput& input, const CompareOptions& options, SearchedObjects objects,
                              const Progress&) {
  const PermutationChoice& choice = options.permutation;
  check_permutations(choice);
  if (choice.permutants == 0)
    throw Error(ErrorCode::invalid_argument, "--permutants", "0 was given, which compares all; at least 1 is wanted");
  if (objects == vectors && options.index.storage != ElementType::float32)
    throw Error(ErrorCode::invalid_argument, "--storage", "is float32 in permutations, which keep rows as they are");
  if (objects == vectors && options.index.memory_limit != 0)
    throw Error(ErrorCode::invalid_argument, "--memory-limit",
                "is not for permutations, which have all rows on the device");
  const PermutationSearch search{
      options.k,
      permutation_options(choice, {.distance = options.distance, .scratch_limit = options.index.scratch_limit}),
      choice.fraction.value_or(PermutationChoice::usual_fraction), choice.recall};
  return objects == vectors ? permutations_task(input.vectors(), search, options.metric)
                            : permutations_task(input.words(), search);
}

}  // namespace

bool CompareKind::searches(SearchedObjects what) const {
  return std::find(objects.begin(), objects.end(), what) != objects.end();
}

SearchedObjects CompareKind::objects_of(const CompareInput& input) const {
  if (!input.objects()) return objects.front();
  if (searches(*input.objects())) return *input.objects();
  // Texts of numbers and of words are told apart by their looks: whoever names the search knows better. A file of
  // signatures is known for what it is.
  if (*input.objects() == signatures)
    throw Error(ErrorCode::invalid_argument, "--what",
                fmt::format("{} was given, and the file holds signatures, which it does not search", name));
  return objects.front();
}

const std::vector<CompareKind>& compare_kinds() {
  static const std::vector<CompareKind> kinds = {
      {"vectors", "the k nearest rows of each query", {vectors}, make_nearest},
      {"range", "everything within a radius, of any of these", {vectors, words, signatures}, make_range},
      {"graph", "the k nearest rows of every row", {vectors}, make_graph},
      {"words", "the k nearest words of a list", {words}, make_nearest},
      {"signatures", "the k nearest feature signatures", {signatures}, make_nearest},
      {"permutations", "a permutation index, of words or vectors", {words, vectors}, make_permutations},
  };
  return kinds;
}

std::vector<const CompareKind*> chosen_kinds(const CompareOptions& options, const CompareInput& input) {
  std::vector<std::string> names = options.what;
  if (names.empty()) names = {input.objects() ? std::string(to_string(*input.objects())) : "all"};
  const bool all = std::find(names.begin(), names.end(), "all") != names.end();
  std::vector<const CompareKind*> kinds;
  for (const CompareKind& kind : compare_kinds()) {
    const bool named = std::find(names.begin(), names.end(), kind.name) != names.end();
    if (named || (all && (!input.objects() || kind.searches(*input.objects())))) kinds.push_back(&kind);
  }
  return kinds;
}

}  // namespace proxel::tool
