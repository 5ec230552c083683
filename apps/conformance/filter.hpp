#pragma once

#include <string_view>

namespace proxel::conformance {

/// Whether a name is selected: by a pattern for the whole name where the
/// filter holds '*' (any characters) or '?' (any one), otherwise by being a
/// part of the name. Where it holds '|', by either side. An empty filter selects
/// everything; one that begins with '!' what the rest of it does not.
bool selected(std::string_view filter, std::string_view name);

}  // namespace proxel::conformance
