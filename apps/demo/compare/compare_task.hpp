#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/comparison.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"

namespace demo {

/// What is searched.
enum class Subject { vectors, words, signatures };
inline constexpr const char* subject_names[] = {"vectors", "words", "signatures"};

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
  // Vectors have:
  Distribution distribution = Distribution::uniform;
  int rows = 5000, dimensions = 16;
  proxel::Metric metric = proxel::Metric::l2sq;
  proxel::Method method = proxel::Method::automatic;
  // Words have:
  proxel::StringDistance distance = proxel::StringDistance::levenshtein;
  // Signatures have:
  int signatures = 1000, centroids = 12;
  float alpha = 0.2f;
};

nlohmann::json to_json(const CompareTask& task);
/// Keeps what a value cannot be read for.
void from_json(const nlohmann::json& json, CompareTask& task);

/// What the task searches, read or made. On the worker.
struct CompareData {
  CompareTask task;
  proxel::Matrix<float> rows, queries;
  proxel::Strings words, asked;
  std::unique_ptr<proxel::Signatures> signatures, like;
};
/// @param bundled_words  the list that words are taken from unless there is a file
/// Throws proxel::Error that names the file.
std::shared_ptr<const CompareData> load(const CompareTask& task, const std::string& bundled_words);

/// An empty comparison that says what will be compared.
proxel::tool::Comparison describe(const CompareData& data);
/// The devices in their order, the reference first: the plain one where the work is small.
std::vector<std::string> compared_devices(const CompareData& data, const std::vector<std::string>& usable);
/// Searches on one device. @param reference  filled where empty
proxel::tool::Measured measure_task(const CompareData& data, const std::string& device,
                                    std::optional<proxel::Neighbors>& reference, const proxel::tool::Watch& watch);

}  // namespace demo
