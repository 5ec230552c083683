#include "bench/papers/page.hpp"

namespace proxel::tool::papers {
namespace {

nlohmann::ordered_json to_json(const Row& row) {
  return {{"whose", row.of_paper ? "paper" : "proxel"},
          {"role", to_string(row.role)},
          {"device", row.device},
          {"method", row.method},
          {"curve", row.curve},
          {"x", row.x},
          {"quantity", row.quantity},
          {"y", row.y},
          {"source", to_string(row.source)}};
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices) {
  auto list = nlohmann::ordered_json::array();
  for (const Exhibit& exhibit : exhibits) {
    nlohmann::ordered_json one = {{"paper", exhibit.paper},  {"name", exhibit.name}, {"caption", exhibit.caption},
                                  {"data", exhibit.data},    {"x", exhibit.x_label}, {"categories", exhibit.categories},
                                  {"absent", exhibit.absent}};
    one["rows"] = nlohmann::ordered_json::array();
    for (const Row& row : exhibit.rows) one["rows"].push_back(to_json(row));
    one["judgements"] = nlohmann::ordered_json::array();
    for (const Judgement& judged : judge(exhibit, devices))
      one["judgements"].push_back(
          {{"claim", judged.claim->words},
           {"quantity", judged.claim->quantity},
           {"combine", to_string(judged.claim->combine)},
           {"direction", judged.claim->direction == Direction::at_least ? "at least" : "at most"},
           {"number", judged.claim->number},
           {"device", judged.device},
           {"measured", judged.verdict == Verdict::not_measured ? nlohmann::ordered_json()
                                                                : nlohmann::ordered_json(judged.measured)},
           {"verdict", to_string(judged.verdict)},
           {"why", judged.why}});
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace proxel::tool::papers
