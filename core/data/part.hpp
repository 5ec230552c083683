#pragma once

#include <string>
#include <vector>

#include "data/byte_source.hpp"

namespace proxel::data {

/// Which of a file's data sets or arrays is meant: the one that is named, otherwise
/// "train", as in the ann-benchmarks layout, otherwise the only one.
/// Throws Error(not_found) that lists them.
std::string chosen_part(const ByteSource& source, const std::vector<std::string>& parts, const std::string& named);

}  // namespace proxel::data
