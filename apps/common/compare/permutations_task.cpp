// The k nearest of what a permutation index puts first, of words and of vectors.

#include <fmt/format.h>

#include "compare/tasks.hpp"
#include "proxel/vector_permutation.hpp"
#include "recall.hpp"

namespace proxel::tool {
namespace {

// What the two kinds of objects do each in a way of its own.
struct WordObjects {
  Shared<WordData> data;
  StringDistance distance;

  const Strings& queries() const { return data->queries; }
  Strings sample() const { return Strings(data->queries.units()); }
  PermutationIndex make(Device& device, const PermutationOptions& options, const Progress& progress) const {
    return PermutationIndex(device, data->database, options, progress);
  }
  ShardedPermutationIndex make(std::span<Device* const> devices, const ShardedPermutationOptions& options,
                               const Progress& progress) const {
    return ShardedPermutationIndex(devices, data->database, options, progress);
  }
  Neighbors exact(Device& device, std::uint64_t k, const Progress& progress) const {
    return StringIndex(device, data->database, {.distance = distance}).search(data->queries, k, progress);
  }
  bool largest_first() const { return false; }
  double terms(std::uint64_t permutants) const {
    const double each =
        static_cast<double>(data->database.symbols().size()) / static_cast<double>(data->database.size());
    return static_cast<double>(data->database.symbols().size()) * each * static_cast<double>(permutants);
  }
};

struct VectorObjects {
  Shared<VectorData> data;
  Metric metric;

  MatrixView<float> queries() const { return data->queries.view(); }
  MatrixView<float> sample() const { return {}; }
  VectorPermutationIndex make(Device& device, const PermutationOptions& options, const Progress& progress) const {
    return VectorPermutationIndex(device, data->database.view(), metric, options, progress);
  }
  ShardedVectorPermutationIndex make(std::span<Device* const> devices, const ShardedPermutationOptions& options,
                                     const Progress& progress) const {
    return ShardedVectorPermutationIndex(devices, data->database.view(), metric, options, progress);
  }
  Neighbors exact(Device& device, std::uint64_t k, const Progress& progress) const {
    return Index(device, data->database.view(), {}, progress).search(queries(), k, metric, {.progress = progress});
  }
  bool largest_first() const { return metric == Metric::ip; }
  double terms(std::uint64_t permutants) const {
    return static_cast<double>(data->database.rows() * data->database.columns()) * static_cast<double>(permutants);
  }
};

template <typename Objects>
class PermutationsTask : public Task {
 public:
  PermutationsTask(Objects objects, const PermutationSearch& search, Description description)
      : objects_(std::move(objects)), search_(search), description_(std::move(description)) {
    description_.what = "permutations";
    description_.database_path = objects_.data->name;
    description_.reach.k = search.k;
    description_.how = fmt::format("{} permutants, {}", search.index.permutants,
                                   search.recall ? fmt::format("for a recall of {}", *search.recall)
                                                 : fmt::format("a fraction of {}", search.fraction));
    description_.baseline = method;
  }

  const Description& description() const override { return description_; }
  double terms() const override { return objects_.terms(search_.index.permutants + description_.queries); }
  std::vector<std::string> methods() const override { return {method}; }

  ReadySearch prepare(Device& device, const Preparation& preparation, const Progress& progress) const override {
    // What recall is a share of, found once, on the device that is asked first.
    if (!exact_) exact_ = objects_.exact(device, search_.k, progress);
    return ready(objects_.make(device, options_of(preparation), progress), progress);
  }
  ReadySearch prepare_together(std::span<Device* const> devices, const Preparation& preparation,
                               const Progress& progress) const override {
    if (!exact_) exact_ = objects_.exact(*devices.front(), search_.k, progress);
    return ready(objects_.make(devices, preparation.dividing.divided(options_of(preparation)), progress), progress);
  }

  std::optional<double> recall(const Answer& answer) const override {
    const Neighbors* found = AnswerView(answer).nearest();
    if (!exact_ || !found || found->indices.rows() == 0) return std::nullopt;
    return recall_of(*exact_, *found, objects_.largest_first()).with_ties;
  }

 private:
  static constexpr const char* method = "permutation";

  PermutationOptions options_of(const Preparation& preparation) const {
    PermutationOptions options = search_.index;
    options.timing = preparation.timing;
    return options;
  }
  template <typename Own>
  ReadySearch ready(Own&& made, const Progress& progress) const {
    const auto index = std::make_shared<Own>(std::move(made));
    const double fraction =
        search_.recall ? index->choose_fraction(*search_.recall, search_.k, objects_.sample(), progress).fraction
                       : search_.fraction;
    index->candidates(search_.k, fraction);  // refuses a fraction that is none
    return {.build_milliseconds = index->build_milliseconds(),
            .support = {},
            .method = method,
            .search = [this, index, fraction](const Progress& told) -> Answer {
      return index->search(objects_.queries(), search_.k, fraction, told);
    },
            .divided = Divided(*index)};
  }

  Objects objects_;
  PermutationSearch search_;
  Description description_;
  mutable std::optional<Neighbors> exact_;
};

}  // namespace

TaskPointer permutations_task(Shared<WordData> data, const PermutationSearch& search) {
  const Description description{.what = "",
                                .database_path = "",
                                .objects = "words",
                                .rows = data->database.size(),
                                .dimensions = data->database.longest(),
                                .queries = data->queries.size(),
                                .distance = std::string(to_string(search.index.string_distance))};
  return std::make_shared<PermutationsTask<WordObjects>>(WordObjects{std::move(data), search.index.string_distance},
                                                         search, description);
}

TaskPointer permutations_task(Shared<VectorData> data, const PermutationSearch& search, Metric metric) {
  const Description description{.what = "",
                                .database_path = "",
                                .objects = "",
                                .rows = data->database.rows(),
                                .dimensions = data->database.columns(),
                                .queries = data->queries.rows(),
                                .distance = std::string(to_string(metric))};
  return std::make_shared<PermutationsTask<VectorObjects>>(VectorObjects{std::move(data), metric}, search, description);
}

}  // namespace proxel::tool
