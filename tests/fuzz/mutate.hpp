#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proxel::fuzzing {

/// A damaged copy of one of the inputs, the same one for the same seed and case.
std::string mutated(const std::vector<std::string>& inputs, std::uint64_t seed, std::uint64_t case_number);

}  // namespace proxel::fuzzing
