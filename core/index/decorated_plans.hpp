#pragma once

#include <memory>

#include "index/live_rows.hpp"
#include "index/storage.hpp"
#include "proxel/index.hpp"
#include "proxel/range.hpp"

namespace proxel::index {

/// Queries of a search of rows.
struct QueryShape {
  std::uint32_t count = 0;
  std::uint32_t dimensions = 0;
};

/// The plan for queries as a caller has them: where the metric asks for it they are normalised into scratch memory
/// first. @param device  that it was made for
std::unique_ptr<Plan> normalizing(const Device& device, Metric metric, QueryShape queries, std::unique_ptr<Plan> plan);

/// A plan whose info() says which method answers.
std::unique_ptr<Plan> answering(Method method, std::unique_ptr<Plan> plan);

/// The plan of a search for k + 1 as one for k, whose queries are rows and do not find themselves (SearchBuffers::self).
/// @param wider  the search for k + 1
std::unique_ptr<Plan> leaving_self_out(Device& device, const SearchDescription& wider, std::unique_ptr<Plan> plan);

/// A plan with a shared filter as one without, which finds live rows alone. Uploads the filter, and waits.
std::unique_ptr<Plan> finding_live_rows(Device& device, const LiveRows& live, std::unique_ptr<Plan> plan);

/// Every row within a radius, of queries as a caller has them.
std::unique_ptr<Plan> plan_range(Storage& storage, const RangeDescription& description);

}  // namespace proxel::index
