#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "conformance.hpp"

namespace proxel::conformance {

/// One line for each pass and device, or for each of its pipelines: registers, spills,
/// memory and occupancy. Of several pipelines the worst.
std::string pipelines_table(const Report& report, bool every_pipeline);

/// The pipelines with every statistic under the driver's own name.
nlohmann::ordered_json pipelines_json(const Report& report);

}  // namespace proxel::conformance
