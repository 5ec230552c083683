// The k nearest feature signatures of each query, or all within a radius.

#include <fmt/format.h>

#include "compare/nearest_or_within.hpp"
#include "compare/tasks.hpp"
#include "proxel/sharded_signatures.hpp"

namespace proxel::tool {
namespace {

class SignaturesTask : public Task {
 public:
  SignaturesTask(Shared<SignatureData> data, const Reach& reach, const SimilarityFunction& similarity)
      : data_(std::move(data)),
        similarity_(similarity),
        description_{.what = reach.radius ? "range" : "signatures",
                     .database_path = data_->name,
                     .objects = "signatures",
                     .rows = data_->database.size(),
                     .dimensions = data_->database.dimensions(),
                     .queries = data_->queries.size(),
                     .distance = "sqfd",
                     .reach = reach,
                     .how = similarity.kind == Similarity::minus
                                ? std::string(to_string(similarity.kind))
                                : fmt::format("{} alpha = {}", to_string(similarity.kind), similarity.alpha),
                     .baseline = "canonical"} {}

  const Description& description() const override { return description_; }
  // A similarity takes about ten times as long as a term: it is computed in pairs of binary32.
  double terms() const override {
    const std::uint64_t pairs = data_->database.offsets().back() * data_->queries.offsets().back();
    return 10 * static_cast<double>(pairs) * static_cast<double>(description_.dimensions);
  }
  std::vector<std::string> methods() const override { return {"auto", "canonical", "screened", "filtered"}; }
  std::vector<std::string> usual_methods() const override { return {"canonical", "screened"}; }

  ReadySearch prepare(Device& device, const Preparation& preparation, const Progress& progress) const override {
    return ready(std::make_shared<SignatureIndex>(device, data_->database, options_of(preparation), progress));
  }
  ReadySearch prepare_together(std::span<Device* const> devices, const Preparation& preparation,
                               const Progress& progress) const override {
    const ShardedSignatureOptions options = preparation.dividing.divided(options_of(preparation));
    return ready(std::make_shared<ShardedSignatureIndex>(devices, data_->database, options, progress));
  }

 private:
  SignatureIndexOptions options_of(const Preparation& preparation) const {
    return {.similarity = similarity_,
            .method = signature_method_from_string(preparation.method),
            .timing = preparation.timing};
  }
  template <typename Own>
  ReadySearch ready(std::shared_ptr<Own> index) const {
    return {.build_milliseconds = index->build_milliseconds(),
            .support = {},
            .method = "",
            .search = nearest_or_within(index, data_->queries, description_.reach),
            .divided = Divided(*index)};
  }

  Shared<SignatureData> data_;
  SimilarityFunction similarity_;
  Description description_;
};

}  // namespace

TaskPointer signatures_task(Shared<SignatureData> data, const Reach& reach, const SimilarityFunction& similarity) {
  return std::make_shared<SignaturesTask>(std::move(data), reach, similarity);
}

}  // namespace proxel::tool
