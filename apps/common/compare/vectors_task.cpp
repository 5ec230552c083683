// The k nearest rows of each query, or all within a radius.

#include "compare/tasks.hpp"
#include "proxel/sharded_index.hpp"

namespace proxel::tool {
namespace {

class VectorsTask : public Task {
 public:
  VectorsTask(Shared<VectorData> data, const VectorSearch& search)
      : data_(std::move(data)),
        search_(search),
        description_{.what = search.reach.radius ? "range" : "vectors",
                     .database_path = data_->name,
                     .objects = "",
                     .rows = data_->database.rows(),
                     .dimensions = data_->database.columns(),
                     .queries = data_->queries.rows(),
                     .distance = std::string(to_string(search.metric)),
                     .reach = search.reach} {}

  const Description& description() const override { return description_; }
  double terms() const override {
    return static_cast<double>(description_.rows * description_.dimensions) * static_cast<double>(description_.queries);
  }
  // Within a radius all methods do the same, but for texel search, which does not serve it.
  std::vector<std::string> methods() const override {
    return search_.reach.radius ? std::vector<std::string>{"scan"} : method_names();
  }
  std::vector<std::string> usual_methods() const override {
    return search_.reach.radius ? methods() : std::vector<std::string>{"scan", "texel"};
  }

  ReadySearch prepare(Device& device, const Preparation& preparation, const Progress& progress) const override {
    return ready(std::make_shared<Index>(device, data_->database.view(), options_of(preparation), progress),
                 preparation);
  }
  ReadySearch prepare_together(std::span<Device* const> devices, const Preparation& preparation,
                               const Progress& progress) const override {
    const ShardedOptions options = preparation.dividing.divided(options_of(preparation));
    return ready(std::make_shared<ShardedIndex>(devices, data_->database.view(), options, progress), preparation);
  }

 private:
  IndexOptions options_of(const Preparation& preparation) const {
    IndexOptions options = search_.index;
    options.method = method_from_string(preparation.method);
    options.timing = preparation.timing;
    return options;
  }
  template <typename Own>
  ReadySearch ready(std::shared_ptr<Own> index, const Preparation& preparation) const {
    // The reference is what raw answers are compared with.
    const std::optional<float> radius = search_.reach.radius;
    const bool raw = search_.raw && !preparation.reference;
    return {.build_milliseconds = index->build_milliseconds(),
            .support = radius ? Support{} : index->supports(search_.metric, search_.reach.k),
            .method = radius ? "scan" : "",
            .search = [this, index, raw, radius](const Progress& told) -> Answer {
      const SearchOptions with{.progress = told, .raw = raw};
      if (radius) return index->range_search(data_->queries.view(), *radius, search_.metric, with);
      return index->search(data_->queries.view(), search_.reach.k, search_.metric, with);
    },
            .divided = Divided(*index)};
  }

  Shared<VectorData> data_;
  VectorSearch search_;
  Description description_;
};

}  // namespace

TaskPointer vectors_task(Shared<VectorData> data, const VectorSearch& search) {
  return std::make_shared<VectorsTask>(std::move(data), search);
}

}  // namespace proxel::tool
