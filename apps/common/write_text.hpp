#pragma once

#include <string>
#include <string_view>

namespace proxel::tool {

/// Writes a new file, to a place that Outputs::write() gave. Throws Error(input_output).
void write_text(const std::string& place, std::string_view text);

}  // namespace proxel::tool
