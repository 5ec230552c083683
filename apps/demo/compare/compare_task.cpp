#include "compare/compare_task.hpp"

#include <algorithm>
#include <iterator>

#include "proxel/data.hpp"
#include "proxel/signature_file.hpp"
#include "seeded.hpp"
#include "words/word_list.hpp"

namespace demo {
namespace {

using proxel::Error;
using proxel::ErrorCode;
using proxel::tool::random_bits;

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t centres = 40;
// Up to so many terms the plain reference answers while one waits.
constexpr double reference_terms = 4e8;
constexpr double patience = 2;  // seconds of repeats on one device
constexpr std::uint32_t signature_dimensions = 7;

float uniform(std::uint64_t position, std::uint64_t stream) {
  return static_cast<float>(random_bits(position, stream) >> 40) * 0x1p-24f;
}

proxel::Matrix<float> make_rows(const CompareTask& task, std::uint64_t rows, std::uint64_t stream) {
  const auto columns = static_cast<std::uint64_t>(task.dimensions);
  proxel::Matrix<float> made(rows, columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t centre = random_bits(row, stream + 7) % centres;
    for (std::uint64_t column = 0; column < columns; ++column) {
      const float value = uniform(row * columns + column, stream);
      switch (task.distribution) {
        case Distribution::uniform:
          made(row, column) = value;
          break;
        case Distribution::clusters:
          made(row, column) = uniform(centre * columns + column, seed) + 0.1f * (value - 0.5f);
          break;
        case Distribution::integers:
          made(row, column) = static_cast<float>(static_cast<int>(value * 4));
          break;
      }
    }
  }
  return made;
}

proxel::Signatures make_signatures(const CompareTask& task, std::uint64_t count, std::uint64_t stream) {
  proxel::Signatures made(signature_dimensions);
  std::vector<float> centroids, weights;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto length = 1 + random_bits(i, stream) % static_cast<std::uint64_t>(task.centroids);
    centroids.clear();
    weights.clear();
    for (std::uint64_t c = 0; c < length; ++c) {
      weights.push_back((1 + uniform(i * 1000 + c, stream + 1)) / static_cast<float>(length));
      for (std::uint32_t d = 0; d < signature_dimensions; ++d)
        centroids.push_back(uniform((i * 1000 + c) * signature_dimensions + d, stream + 2));
    }
    made.add(centroids, weights);
  }
  return made;
}

// Some of a file's own rows, evenly spread, ask.
std::vector<std::uint64_t> asking(std::uint64_t size, int queries) {
  const std::uint64_t count = std::min<std::uint64_t>(size, static_cast<std::uint64_t>(queries));
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < count; ++i) chosen.push_back(i * size / count);
  return chosen;
}

void load_vectors(CompareData& data) {
  const CompareTask& task = data.task;
  if (task.file.empty()) {
    data.rows = make_rows(task, static_cast<std::uint64_t>(task.rows), seed);
    data.queries = make_rows(task, static_cast<std::uint64_t>(task.queries), seed + 1);
    return;
  }
  data.rows = proxel::read_matrix(task.file);
  const auto chosen = asking(data.rows.rows(), task.queries);
  data.queries = proxel::Matrix<float>(chosen.size(), data.rows.columns());
  for (std::uint64_t i = 0; i < chosen.size(); ++i)
    std::copy_n(data.rows.data() + chosen[i] * data.rows.columns(), data.rows.columns(),
                data.queries.data() + i * data.rows.columns());
}

// Words with one letter left out, so that the word itself is near and not the only one.
void load_words(CompareData& data, const std::string& bundled) {
  data.words = read_words(data.task.file.empty() ? bundled : data.task.file).words;
  data.asked = proxel::Strings(data.words.units());
  for (const std::uint64_t number : asking(data.words.size(), data.task.queries)) {
    const auto symbols = data.words[number];
    std::vector<std::uint32_t> shorter(symbols.begin(), symbols.end());
    if (shorter.size() > 1) shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(shorter.size() / 2));
    data.asked.append(shorter);
  }
}

void load_signatures(CompareData& data) {
  const CompareTask& task = data.task;
  if (task.file.empty()) {
    data.signatures =
        std::make_unique<proxel::Signatures>(make_signatures(task, static_cast<std::uint64_t>(task.signatures), seed));
    data.like = std::make_unique<proxel::Signatures>(
        make_signatures(task, static_cast<std::uint64_t>(task.queries), seed + 10));
    return;
  }
  data.signatures = std::make_unique<proxel::Signatures>(proxel::read_signature_file(task.file).signatures);
  data.like = std::make_unique<proxel::Signatures>(data.signatures->dimensions());
  for (const std::uint64_t number : asking(data.signatures->size(), task.queries))
    data.like->add(data.signatures->centroids(number), data.signatures->weights(number));
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
  if (const auto found = json.find("alpha"); found != json.end() && found->is_number())
    task.alpha = std::clamp(found->get<float>(), 0.001f, 10.0f);
}

std::shared_ptr<const CompareData> load(const CompareTask& task, const std::string& bundled_words) {
  auto data = std::make_shared<CompareData>();
  data->task = task;
  switch (task.subject) {
    case Subject::vectors:
      load_vectors(*data);
      break;
    case Subject::words:
      load_words(*data, bundled_words);
      break;
    case Subject::signatures:
      load_signatures(*data);
      break;
  }
  return data;
}

proxel::tool::Comparison describe(const CompareData& data) {
  proxel::tool::Comparison comparison;
  const CompareTask& task = data.task;
  comparison.database_path = task.file.empty() ? "made" : task.file;
  comparison.k = static_cast<std::uint64_t>(task.k);
  switch (task.subject) {
    case Subject::vectors:
      comparison.rows = data.rows.rows();
      comparison.dimensions = data.rows.columns();
      comparison.queries = data.queries.rows();
      comparison.metric = task.metric;
      break;
    case Subject::words:
      if (task.file.empty()) comparison.database_path = "bundled words";
      comparison.rows = data.words.size();
      comparison.dimensions = data.words.longest();
      comparison.queries = data.asked.size();
      comparison.distance = to_string(task.distance);
      break;
    case Subject::signatures:
      comparison.rows = data.signatures->size();
      comparison.dimensions = data.signatures->dimensions();
      comparison.queries = data.like->size();
      comparison.distance = "sqfd";
      break;
  }
  return comparison;
}

std::vector<std::string> compared_devices(const CompareData& data, const std::vector<std::string>& usable) {
  const double terms = static_cast<double>(data.rows.rows()) * static_cast<double>(data.rows.columns()) *
                       static_cast<double>(data.queries.rows());
  std::vector<std::string> devices;
  if (data.task.subject == Subject::vectors && terms <= reference_terms) devices.push_back("cpu:reference");
  devices.insert(devices.end(), usable.begin(), usable.end());
  return devices;
}

proxel::tool::Measured measure_task(const CompareData& data, const std::string& device,
                                    std::optional<proxel::Neighbors>& reference, const proxel::tool::Watch& watch) {
  namespace tool = proxel::tool;
  const CompareTask& task = data.task;
  const auto k = static_cast<std::uint64_t>(task.k);
  // The plain reference is there to be right; its time means nothing.
  const double seconds = device == "cpu:reference" ? 0 : patience;
  if (task.subject == Subject::vectors) {
    tool::Task vectors{data.rows.view(), data.queries.view(), k, task.metric, {}, 5, seconds, false, seconds > 0};
    return tool::measure(device, device == "cpu:reference" ? proxel::Method::scan : task.method, vectors, reference,
                         watch);
  }
  watch.title(device + ": searching");
  const auto repeat = [&](auto& index, const auto& queries, tool::Measured& result) {
    result.build = index.build_milliseconds();
    // What pipelines cost is no part of an upload.
    return tool::repeat({[&] { return index.search(queries, k, watch.progress); }, 5, seconds, true}, reference,
                        result);
  };
  tool::Measured measured = tool::measure_on(device, [&](proxel::Device& opened, tool::Measured& result) {
    if (task.subject == Subject::words) {
      proxel::StringIndexOptions options;
      options.distance = task.distance;
      proxel::StringIndex index(opened, data.words, options);
      repeat(index, data.asked, result);
    } else {
      proxel::SignatureIndexOptions options;
      options.similarity.alpha = task.alpha;
      proxel::SignatureIndex index(opened, *data.signatures, options);
      result.how = repeat(index, *data.like, result);
    }
  });
  if (measured.how.empty()) measured.how = "exact";
  return measured;
}

}  // namespace demo
