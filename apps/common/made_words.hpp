#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proxel::tool {

/// Words of 3 to 14 letters, common letters more often. The seed decides them.
std::vector<std::string> made_words(std::uint64_t count, std::uint64_t seed);

}  // namespace proxel::tool
