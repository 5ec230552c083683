// The k nearest rows of every row.

#include "compare/tasks.hpp"
#include "proxel/sharded_index.hpp"
#include "proxel/graph.hpp"

namespace proxel::tool {
namespace {

class GraphTask : public Task {
 public:
  GraphTask(Shared<VectorData> data, const VectorSearch& search, bool exclude_self)
      : data_(std::move(data)),
        search_(search),
        exclude_self_(exclude_self),
        description_{.what = "graph",
                     .database_path = data_->name,
                     .objects = "",
                     .rows = data_->database.rows(),
                     .dimensions = data_->database.columns(),
                     .queries = data_->database.rows(),
                     .distance = std::string(to_string(search.metric)),
                     .reach = search.reach,
                     .how = exclude_self ? "self excluded" : "self kept"} {}

  const Description& description() const override { return description_; }
  double terms() const override {
    return static_cast<double>(description_.rows * description_.dimensions) * static_cast<double>(description_.rows);
  }
  std::vector<std::string> methods() const override { return method_names(); }
  std::vector<std::string> usual_methods() const override { return {"scan", "texel"}; }

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
    // Texel search keeps its rows as textures, which cannot be read back.
    const bool is_texel = method_from_string(preparation.method) == Method::texel;
    return {.build_milliseconds = index->build_milliseconds(),
            .support = index->supports(search_.metric, search_.reach.k),
            .method = "",
            .search = [this, index, is_texel](const Progress& told) -> Answer {
      GraphOptions with{.exclude_self = exclude_self_, .rows = {}, .progress = told};
      if (is_texel) with.rows = data_->database.view();
      return knn_graph(*index, search_.reach.k, search_.metric, with);
    },
            .divided = Divided(*index)};
  }

  Shared<VectorData> data_;
  VectorSearch search_;
  bool exclude_self_;
  Description description_;
};

}  // namespace

TaskPointer graph_task(Shared<VectorData> data, const VectorSearch& search, bool exclude_self) {
  return std::make_shared<GraphTask>(std::move(data), search, exclude_self);
}

}  // namespace proxel::tool
