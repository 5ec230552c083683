#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/comparison.hpp"
#include "compare/tasks.hpp"
#include "file_kinds.hpp"

namespace demo {

/// What is searched, and how, as `proxel compare --what` says it.
enum class Subject { vectors, range, graph, words, signatures, permutations };
inline constexpr Subject all_subjects[] = {Subject::vectors, Subject::range,      Subject::graph,
                                           Subject::words,   Subject::signatures, Subject::permutations};
inline constexpr const char* subject_names[] = {"vectors", "range", "graph", "words", "signatures", "permutations"};

/// Objects that it searches.
proxel::tool::SearchedObjects objects_of(Subject subject);

/// How made vectors lie.
enum class Distribution {
  uniform,   ///< in the unit cube
  clusters,  ///< around a few centres
  integers,  ///< 0 … 3, so that most distances are shared
};
inline constexpr const char* distribution_names[] = {"uniform", "clusters", "small integers"};

/// A search that is run on every device, as its controls say.
struct CompareTask {
  Subject subject = Subject::vectors;
  std::string file;  ///< of that subject; empty: made (words: the bundled list)
  int k = 10, queries = 50;
  bool together =
      false;  ///< all devices that divide the work are compared, too; of permutations there is no such search
  // Vectors, in a radius and in graphs too, have:
  Distribution distribution = Distribution::uniform;
  int rows = 5000, dimensions = 16;
  proxel::Metric metric = proxel::Metric::l2sq;
  proxel::Method method = proxel::Method::automatic;
  // Words, and permutations of them, have:
  proxel::StringDistance distance = proxel::StringDistance::levenshtein;
  // Signatures have:
  int signatures = 1000, centroids = 12;
  float alpha = 0.2f;
};

nlohmann::json to_json(const CompareTask& task);
/// Keeps what a value cannot be read for.
void from_json(const nlohmann::json& json, CompareTask& task);

/// A file of other objects than those that are searched becomes a search for the nearest of them.
void take_file(CompareTask& task, const std::string& path);

/// The search of the task, over what is read or made. On the worker.
/// @param bundled_words  the list that words are taken from unless there is a file
/// @param progress       told of the search that finds a radius
/// Throws proxel::Error that names the file.
proxel::tool::TaskPointer make_search(const CompareTask& task, const std::string& bundled_words,
                                      const proxel::Progress& progress = {});

/// An empty comparison that says what will be compared.
proxel::tool::Comparison describe(const proxel::tool::Task& search);
/// Who searches, in their order, the reference first: the plain one where the work is small.
std::vector<proxel::tool::Subject> compared_subjects(const CompareTask& task, const proxel::tool::Task& search,
                                                     const std::vector<std::string>& usable);
/// Searches as one of them. @param reference  filled where empty
proxel::tool::Measured measure_subject(const proxel::tool::Task& search, const proxel::tool::Subject& subject,
                                       std::optional<proxel::tool::Answer>& reference,
                                       const proxel::tool::Watch& watch);

}  // namespace demo
