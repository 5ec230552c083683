#include "shell/comparison.hpp"

#include <cstring>
#include <vector>

#include "proxel/error.hpp"
#include "shell/backends.hpp"

namespace demo {
namespace {

struct Verdict {
  std::vector<std::string> same, refused;
  std::string difference;

  std::string text() const {
    std::string text;
    for (const std::string& id : same) text += (text.empty() ? "" : ", ") + id;
    for (const std::string& id : refused) text += "; not on " + id;
    return text;
  }
};

}  // namespace

std::string first_difference(const proxel::Neighbors& one, const proxel::Neighbors& other) {
  if (one.indices.rows() != other.indices.rows() || one.indices.columns() != other.indices.columns())
    return "the number of neighbours";
  for (std::uint64_t query = 0; query < one.indices.rows(); ++query)
    for (std::uint64_t place = 0; place < one.indices.columns(); ++place)
      if (one.indices(query, place) != other.indices(query, place) ||
          std::memcmp(&one.distances(query, place), &other.distances(query, place), sizeof(float)) != 0)
        return "query " + std::to_string(query) + ", place " + std::to_string(place);
  return {};
}

void compare_backends(Context& context, const std::string& key, Badge& badge, const std::string& on,
                      std::function<std::string(proxel::Device&, Progress&)> difference) {
  std::vector<std::string> others;
  for (const proxel::DeviceInfo& device : context.backends.usable())
    if (device.id != on) others.push_back(device.id);
  if (others.empty()) {
    badge.reset();
    return;
  }
  std::string names;
  for (const std::string& id : others) names += (names.empty() ? "" : ", ") + id;
  badge.comparing(names);
  const auto search = [&backends = context.backends, &badge, on, difference = std::move(difference),
                       others](Progress& progress) -> Worker::Ending {
    Verdict verdict;
    verdict.same.push_back(on);
    for (const std::string& id : others) {
      progress.check();
      try {
        const std::string where = difference(backends.device(id), progress);
        if (where.empty())
          verdict.same.push_back(id);
        else if (verdict.difference.empty())
          verdict.difference = id + " at " + where;
      } catch (const proxel::Error&) {
        verdict.refused.push_back(id);
      }
    }
    return [&badge, verdict] {
      if (!verdict.difference.empty())
        badge.differs(verdict.difference);
      else if (verdict.same.size() == 1)
        badge.reset();
      else
        badge.identical(verdict.text());
    };
  };
  context.worker.run(key, "Comparing backends", search, Urgency::idle);
}

void compare_backends(Context& context, const std::string& key, Badge& badge, Compared compared) {
  const std::string on = compared.on;
  compare_backends(context, key, badge, on,
                   [compared = std::move(compared)](proxel::Device& device, Progress& progress) {
    return first_difference(compared.answer, compared.search(device, progress));
  });
}

}  // namespace demo
