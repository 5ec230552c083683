#include "compare/compare_task.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxel/data.hpp"
#include "proxel/signature_file.hpp"
#include "seeded.hpp"
#include "words/word_list.hpp"

namespace demo {
namespace {

namespace tool = proxel::tool;
using tool::random_bits;
using tool::random_value;

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t centres = 40;
// Up to so many terms the plain reference answers while one waits.
constexpr double reference_terms = 4e8;
constexpr double patience = 2;  // seconds of repeats on one device

proxel::Matrix<float> make_rows(const CompareTask& task, std::uint64_t rows, std::uint64_t stream) {
  const auto columns = static_cast<std::uint64_t>(task.dimensions);
  proxel::Matrix<float> made(rows, columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t centre = random_bits(row, stream + 7) % centres;
    for (std::uint64_t column = 0; column < columns; ++column) {
      const float value = random_value(row * columns + column, stream);
      switch (task.distribution) {
        case Distribution::uniform:
          made(row, column) = value;
          break;
        case Distribution::clusters:
          made(row, column) = random_value(centre * columns + column, seed) + 0.1f * (value - 0.5f);
          break;
        case Distribution::integers:
          made(row, column) = static_cast<float>(static_cast<int>(value * 4));
          break;
      }
    }
  }
  return made;
}

tool::Shared<tool::VectorData> load_vectors(const CompareTask& task) {
  auto data = std::make_shared<tool::VectorData>();
  data->name = task.file.empty() ? "made" : task.file;
  if (task.file.empty()) {
    data->database = make_rows(task, static_cast<std::uint64_t>(task.rows), seed);
    data->queries = make_rows(task, static_cast<std::uint64_t>(task.queries), seed + 1);
  } else {
    data->database = proxel::read_matrix(task.file);
    data->queries = tool::some_of(data->database, static_cast<std::uint64_t>(task.queries));
  }
  return data;
}

tool::Shared<tool::WordData> load_words(const CompareTask& task, const std::string& bundled) {
  auto data = std::make_shared<tool::WordData>();
  data->name = task.file.empty() ? "bundled words" : task.file;
  data->database = read_words(task.file.empty() ? bundled : task.file).words;
  data->queries = tool::some_of(data->database, static_cast<std::uint64_t>(task.queries));
  return data;
}

tool::Shared<tool::SignatureData> load_signatures(const CompareTask& task) {
  const auto count = static_cast<std::uint64_t>(task.queries), longest = static_cast<std::uint64_t>(task.centroids);
  if (task.file.empty())
    return std::make_shared<tool::SignatureData>(
        tool::SignatureData{"made", tool::made_signatures(static_cast<std::uint64_t>(task.signatures), longest, seed),
                            tool::made_signatures(count, longest, seed + 10)});
  proxel::Signatures signatures = proxel::read_signature_file(task.file).signatures;
  proxel::Signatures queries = tool::some_of(signatures, count);
  return std::make_shared<tool::SignatureData>(
      tool::SignatureData{task.file, std::move(signatures), std::move(queries)});
}

template <typename Enum, std::size_t count>
void keep_name(const nlohmann::json& json, const char* key, const char* const (&names)[count], Enum& value) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return;
  const auto name = std::find(std::begin(names), std::end(names), found->get<std::string>());
  if (name != std::end(names)) value = static_cast<Enum>(name - std::begin(names));
}

void keep_number(const nlohmann::json& json, const char* key, int least, int most, int& value) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_number_integer()) value = std::clamp(found->get<int>(), least, most);
}

}  // namespace

nlohmann::json to_json(const CompareTask& task) {
  return {{"subject", subject_names[static_cast<int>(task.subject)]},
          {"k", task.k},
          {"queries", task.queries},
          {"together", task.together},
          {"distribution", distribution_names[static_cast<int>(task.distribution)]},
          {"rows", task.rows},
          {"dimensions", task.dimensions},
          {"metric", to_string(task.metric)},
          {"method", to_string(task.method)},
          {"distance", to_string(task.distance)},
          {"signatures", task.signatures},
          {"centroids", task.centroids},
          {"alpha", task.alpha}};
}

void from_json(const nlohmann::json& json, CompareTask& task) {
  if (!json.is_object()) return;
  keep_name(json, "subject", subject_names, task.subject);
  keep_name(json, "distribution", distribution_names, task.distribution);
  keep_number(json, "k", 1, 1000, task.k);
  keep_number(json, "queries", 1, 10000, task.queries);
  keep_number(json, "rows", 100, 1000000, task.rows);
  keep_number(json, "dimensions", 1, 1024, task.dimensions);
  keep_number(json, "signatures", 100, 100000, task.signatures);
  keep_number(json, "centroids", 1, 100, task.centroids);
  const auto named = [&](const char* key, const auto& from_name) {
    if (const auto found = json.find(key); found != json.end() && found->is_string())
      from_name(found->get<std::string>());
  };
  named("metric", [&](const std::string& name) { task.metric = proxel::metric_from_string(name); });
  named("method", [&](const std::string& name) { task.method = proxel::method_from_string(name); });
  named("distance", [&](const std::string& name) { task.distance = proxel::string_distance_from_string(name); });
  if (const auto found = json.find("together"); found != json.end() && found->is_boolean())
    task.together = found->get<bool>();
  if (const auto found = json.find("alpha"); found != json.end() && found->is_number())
    task.alpha = std::clamp(found->get<float>(), 0.001f, 10.0f);
}

tool::SearchedObjects objects_of(Subject subject) {
  switch (subject) {
    case Subject::vectors:
    case Subject::range:
    case Subject::graph:
      return tool::SearchedObjects::vectors;
    case Subject::words:
    case Subject::permutations:
      return tool::SearchedObjects::words;
    case Subject::signatures:
      return tool::SearchedObjects::signatures;
  }
  return tool::SearchedObjects::vectors;
}

void take_file(CompareTask& task, const std::string& path) {
  task.file = path;
  const tool::SearchedObjects objects = tool::objects_in(path);
  if (objects_of(task.subject) == objects) return;
  for (const Subject subject : {Subject::vectors, Subject::words, Subject::signatures})
    if (objects_of(subject) == objects) task.subject = subject;
}

tool::TaskPointer make_search(const CompareTask& task, const std::string& bundled_words,
                              const proxel::Progress& progress) {
  const auto k = static_cast<std::uint64_t>(task.k);
  tool::VectorSearch search{{k}, task.metric};
  switch (task.subject) {
    case Subject::vectors:
      return tool::vectors_task(load_vectors(task), search);
    case Subject::range: {
      const auto data = load_vectors(task);
      search.reach.radius = tool::radius_of(*tool::vectors_task(data, search), progress);
      return tool::vectors_task(data, search);
    }
    case Subject::graph:
      return tool::graph_task(load_vectors(task), search, true);
    case Subject::words:
      return tool::words_task(load_words(task, bundled_words), {k}, task.distance);
    case Subject::signatures:
      return tool::signatures_task(load_signatures(task), {k}, {.alpha = task.alpha});
    case Subject::permutations:
      return tool::permutations_task(load_words(task, bundled_words),
                                     tool::PermutationSearch{.k = k, .index = {.string_distance = task.distance}});
  }
  return nullptr;
}

tool::Comparison describe(const tool::Task& search) {
  tool::Comparison comparison(search.description());
  // That is what "auto" comes to.
  if (comparison.what == "signatures") comparison.baseline = "screened";
  return comparison;
}

std::vector<tool::Subject> compared_subjects(const CompareTask& task, const tool::Task& search,
                                             const std::vector<std::string>& usable) {
  std::vector<std::string> methods;
  if (task.subject == Subject::vectors || task.subject == Subject::graph)
    methods = {std::string(to_string(task.method))};
  if (task.subject == Subject::signatures) methods = {"auto"};
  std::vector<std::string> competitors = usable;
  if (task.together && usable.size() > 1 && task.subject != Subject::permutations)
    competitors.push_back(fmt::format("{}", fmt::join(usable, "+")));
  return tool::subjects_of(search, "", competitors, methods, reference_terms);
}

tool::Measured measure_subject(const tool::Task& search, const tool::Subject& subject,
                               std::optional<tool::Answer>& reference, const tool::Watch& watch) {
  // What pipelines cost is no part of an upload.
  return tool::measure(subject, search, {.repeats = 5, .seconds = patience, .second = true}, reference, watch);
}

}  // namespace demo
