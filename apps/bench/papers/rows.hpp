#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "bench/papers/exhibit.hpp"

namespace proxel::tool::papers {

/// Device of the rows that this machine's processor measured as a baseline.
inline constexpr const char* host = "host";

/// Adds the paper's own points: `like` says all but x and y.
inline void add_paper(Exhibit& exhibit, Row like, std::initializer_list<std::pair<double, double>> points) {
  like.of_paper = true;
  for (const auto& [x, y] : points) {
    like.x = x;
    like.y = y;
    exhibit.rows.push_back(like);
  }
}

/// Adds a point that this run measured, of quantity "time" unless it says otherwise.
inline void add_measured(Exhibit& exhibit, Role role, const std::string& device, const std::string& method,
                         const std::string& curve, double x, double y, const std::string& quantity = "time") {
  exhibit.rows.push_back({false, role, Source::measured, device, method, curve, x, quantity, y});
}

/// Adds the times of this run's rows on devices once more, each divided by its x and multiplied by `scale`.
inline void add_per_x(Exhibit& exhibit, const std::string& quantity, double scale) {
  std::vector<Row> made;
  for (Row row : exhibit.rows) {
    if (row.of_paper || row.device == host || row.quantity != "time") continue;
    row.source = Source::computed;
    row.quantity = quantity;
    row.y *= scale / row.x;
    made.push_back(std::move(row));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
}

}  // namespace proxel::tool::papers
