#include "words/word_search.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

namespace demo {

using proxel::Neighbors;

namespace {

// A file of this process, gone with the object.
class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / fmt::format("proxel-demo-{}.index", getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

WordSearch::WordSearch(proxel::Device& device, std::shared_ptr<const WordList> list)
    : device_(device), list_(std::move(list)) {}

WordSearch::~WordSearch() = default;

bool WordSearch::ready(const WordQuestion& question) const {
  return exact_ && approximate_ && distance_ == question.distance && permutants_ == question.permutants;
}

// All words, and room for the index.
void WordSearch::prepare_exact(const WordQuestion& question) {
  approximate_.reset();
  if (exact_ && distance_ == question.distance) return;
  exact_.emplace(device_, list_->words, proxel::StringIndexOptions{.distance = question.distance});
  distance_ = question.distance;
}

void WordSearch::prepare(const WordQuestion& question, const proxel::Progress& progress) {
  if (ready(question)) return;
  prepare_exact(question);
  const proxel::PermutationOptions options{.permutants = question.permutants, .string_distance = question.distance};
  approximate_.emplace(device_, list_->words, options, progress);
  permutants_ = question.permutants;
}

void WordSearch::prepare_as(WordSearch& other, const WordQuestion& question) {
  if (ready(question)) return;
  prepare_exact(question);
  const TemporaryFile file;
  other.approximate_->save(file.path());
  approximate_.emplace(proxel::PermutationIndex::load(device_, file.path(), {.distance = question.distance}));
  permutants_ = question.permutants;
}

WordAnswer WordSearch::told(const WordQuestion& question, const proxel::Strings& query, Neighbors neighbors) const {
  WordAnswer answer;
  answer.device_milliseconds = neighbors.report.times.compute_milliseconds;
  answer.wall_milliseconds = neighbors.report.times.total_milliseconds;
  answer.compared = neighbors.report.compared;
  for (std::uint64_t rank = 0; rank < neighbors.indices.columns(); ++rank) {
    const std::uint32_t number = neighbors.indices(0, rank);
    if (number == proxel::no_neighbor) break;
    FoundWord word{number, neighbors.distances(0, rank), list_->words.text(number), {}};
    const Letters letters = list_->words[number];
    if (query[0].size() <= most_letters_explained && letters.size() <= most_letters_explained)
      word.script = edit_script(query[0], letters, question.distance);
    answer.words.push_back(std::move(word));
  }
  answer.neighbors = std::move(neighbors);
  return answer;
}

WordResult WordSearch::search(const WordQuestion& question, const std::function<void()>& between) {
  prepare(question);
  proxel::Strings query;
  query.add(question.text);
  // Slots that no word can fill would count as missed.
  const std::uint64_t k = std::min<std::uint64_t>(question.k, list_->words.size());
  WordResult result;
  result.question = question;
  result.device = device_.info().id;
  result.exact = told(question, query, exact_->search(query, k));
  if (between) between();
  result.approximate = told(question, query, approximate_->search(query, k, question.fraction));
  result.recall = proxel::tool::recall_of(result.exact.neighbors, result.approximate.neighbors);
  result.build_milliseconds = approximate_->build_milliseconds();
  return result;
}

namespace {

std::string difference(const char* way, const Neighbors& a, const Neighbors& b) {
  if (a.indices.columns() != b.indices.columns())
    return fmt::format("{}: {} words, {} words", way, a.indices.columns(), b.indices.columns());
  for (std::uint64_t rank = 0; rank < a.indices.columns(); ++rank)
    if (a.indices(0, rank) != b.indices(0, rank) ||
        std::bit_cast<std::uint32_t>(a.distances(0, rank)) != std::bit_cast<std::uint32_t>(b.distances(0, rank)))
      return fmt::format("{}: at place {}, word {} at {}, word {} at {}", way, rank + 1, a.indices(0, rank),
                         a.distances(0, rank), b.indices(0, rank), b.distances(0, rank));
  return {};
}

}  // namespace

std::string difference(const WordResult& a, const WordResult& b) {
  if (a.question != b.question) return "two questions";
  const std::string text = difference("exact", a.exact.neighbors, b.exact.neighbors);
  return text.empty() ? difference("permutation index", a.approximate.neighbors, b.approximate.neighbors) : text;
}

}  // namespace demo
