// The k nearest words of each query, or all within a radius.

#include "compare/nearest_or_within.hpp"
#include "compare/tasks.hpp"
#include "proxel/sharded_strings.hpp"

namespace proxel::tool {
namespace {

class WordsTask : public Task {
 public:
  WordsTask(Shared<WordData> data, const Reach& reach, StringDistance distance)
      : data_(std::move(data)),
        distance_(distance),
        description_{.what = reach.radius ? "range" : "words",
                     .database_path = data_->name,
                     .objects = "words",
                     .rows = data_->database.size(),
                     .dimensions = data_->database.longest(),
                     .queries = data_->queries.size(),
                     .distance = std::string(to_string(distance)),
                     .reach = reach,
                     .baseline = "exact"} {}

  const Description& description() const override { return description_; }
  double terms() const override {
    return static_cast<double>(data_->database.symbols().size()) * static_cast<double>(data_->queries.symbols().size());
  }
  std::vector<std::string> methods() const override { return {"exact"}; }

  ReadySearch prepare(Device& device, const Preparation& preparation, const Progress&) const override {
    return ready(std::make_shared<StringIndex>(device, data_->database, options_of(preparation)));
  }
  ReadySearch prepare_together(std::span<Device* const> devices, const Preparation& preparation,
                               const Progress&) const override {
    const ShardedStringOptions options = preparation.dividing.divided(options_of(preparation));
    return ready(std::make_shared<ShardedStringIndex>(devices, data_->database, options));
  }

 private:
  StringIndexOptions options_of(const Preparation& preparation) const {
    return {.distance = distance_, .timing = preparation.timing};
  }
  template <typename Own>
  ReadySearch ready(std::shared_ptr<Own> index) const {
    return {.build_milliseconds = index->build_milliseconds(),
            .support = {},
            .method = "exact",
            .search = nearest_or_within(index, data_->queries, description_.reach),
            .divided = Divided(*index)};
  }

  Shared<WordData> data_;
  StringDistance distance_;
  Description description_;
};

}  // namespace

TaskPointer words_task(Shared<WordData> data, const Reach& reach, StringDistance distance) {
  return std::make_shared<WordsTask>(std::move(data), reach, distance);
}

}  // namespace proxel::tool
