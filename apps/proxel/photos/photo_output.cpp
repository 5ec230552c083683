#include "photos/photo_output.hpp"

#include <fmt/format.h>

#include "format.hpp"
#include "json_output.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {

nlohmann::ordered_json found_json(std::span<const FoundPhoto> found, std::span<const Photo> photos, PhotoWay way) {
  auto document = nlohmann::ordered_json::array();
  for (const FoundPhoto& photo : found) {
    nlohmann::ordered_json one = {{"rank", document.size() + 1}, {"name", photos[photo.number].path}};
    if (way != PhotoWay::features)
      one["distance"] = photo.distance ? json_float(*photo.distance) : nlohmann::ordered_json();
    if (way != PhotoWay::signature)
      one.update({{"votes", photo.votes}, {"inliers", photo.inliers}, {"verified", photo.is_verified()}});
    document.push_back(one);
  }
  return document;
}

Table found_table(std::span<const FoundPhoto> found, std::span<const Photo> photos, PhotoWay way) {
  std::vector<Column> columns = {{"rank", true}};
  if (way != PhotoWay::features) columns.push_back({"distance", true});
  if (way != PhotoWay::signature) columns.insert(columns.end(), {{"votes", true}, {"inliers", true}});
  columns.push_back({"name"});
  Table table(columns);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<Cell> cells = {std::to_string(i + 1)};
    if (way != PhotoWay::features) cells.push_back(found[i].distance ? as_float(*found[i].distance) : "");
    if (way != PhotoWay::signature)
      cells.insert(cells.end(), {std::to_string(found[i].votes), std::to_string(found[i].inliers)});
    cells.push_back(
        {printable_name(photos[found[i].number].path), found[i].is_verified() ? Style::good : Style::plain});
    table.add(cells);
  }
  return table;
}

SheetRow found_row(const std::string& query, std::span<const FoundPhoto> found, std::span<const Photo> photos,
                   PhotoWay way, bool with_names) {
  SheetRow row{query, {query, "query"}, {}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::string caption = fmt::format("{}:", i + 1);
    if (way == PhotoWay::features || found[i].is_verified())
      caption += fmt::format(" {} {}", found[i].inliers, with_names ? "inliers" : "inl.");
    else if (found[i].distance)
      caption += fmt::format(" {:.4f}", *found[i].distance);
    if (with_names) caption += " " + photos[found[i].number].path;
    row.neighbors.push_back({photos[found[i].number].path, caption});
  }
  return row;
}

}  // namespace proxel::tool
