#include <algorithm>
#include <vector>

#include "compare/tasks.hpp"

namespace proxel::tool {

float radius_of(const Task& nearest, const Progress& progress) {
  const auto device = open_device("cpu");
  const ReadySearch ready = nearest.prepare(*device, {.method = nearest.usual_methods().front()}, progress);
  if (!ready.support) throw Error(ErrorCode::unsupported, "cpu", ready.support.reason);
  const Answer answer = ready.search(progress);
  const AnswerView found(answer);
  // Without padding, whose distance is infinite.
  std::vector<float> farthest;
  for (std::uint64_t query = 0; query < found.queries(); ++query) {
    const auto indices = found.indices(query);
    const auto there = std::find(indices.begin(), indices.end(), no_neighbor) - indices.begin();
    if (there > 0) farthest.push_back(found.distances(query)[static_cast<std::size_t>(there - 1)]);
  }
  if (farthest.empty()) return 0;
  const auto middle = farthest.begin() + static_cast<std::ptrdiff_t>(farthest.size() / 2);
  std::nth_element(farthest.begin(), middle, farthest.end());
  return *middle;
}

}  // namespace proxel::tool
