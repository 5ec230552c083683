#pragma once

#include <memory>

#include "index/storage.hpp"
#include "proxel/range.hpp"

namespace proxel::index {

/// A range search over the tiles of an index, for queries as a caller has them: where the
/// metric asks for it they are normalised into scratch memory first.
std::unique_ptr<PlannedRangeSearch> plan_range(Storage& storage, const RangeDescription& description);

}  // namespace proxel::index
