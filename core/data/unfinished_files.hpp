#pragma once

#include <string>

namespace proxel::data {

/// Files whose paths begin with the stem are of this process, and unfinished.
void add_unfinished(const std::string& stem);
/// They are finished, or gone.
void end_unfinished(const std::string& stem) noexcept;

}  // namespace proxel::data
