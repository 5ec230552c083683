#pragma once

// What was found, as people and programs read it.

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "photos/photo_search.hpp"
#include "signatures/contact_sheet.hpp"
#include "table.hpp"

namespace proxel::tool {

/// [{"rank", "name", "distance", "votes", "inliers", "verified"}], without what was not asked for in that way.
nlohmann::ordered_json found_json(std::span<const FoundPhoto> found, std::span<const Photo> photos, PhotoWay way);
Table found_table(std::span<const FoundPhoto> found, std::span<const Photo> photos, PhotoWay way);
/// A row of the query and what was found for it.
/// @param with_names  whether captions have room for names
SheetRow found_row(const std::string& query, std::span<const FoundPhoto> found, std::span<const Photo> photos,
                   PhotoWay way, bool with_names);

}  // namespace proxel::tool
