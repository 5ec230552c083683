#pragma once

#include "proxel/search.hpp"

namespace proxel::index {

/// What a search in few dimensions (1…8) takes a GPU, milliseconds, so that methods can be
/// compared. Fitted to an H200 (docs/lab/few-dimensions.md, "Which method answers"); other devices
/// differ by a factor that is much the same for all of them.
double expected_bvh_milliseconds(const SearchDescription& description);
double expected_fused_milliseconds(const SearchDescription& description);
double expected_scan_milliseconds(const SearchDescription& description);

}  // namespace proxel::index
