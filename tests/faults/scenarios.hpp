#pragma once

// Small calls of every part of the library, each on a device that is open.

#include <string>
#include <vector>

#include "proxel/device.hpp"
#include "trials.hpp"

namespace proxel::faults {

/// Indices of vectors: made, searched in every way by every method, changed. The device outlives them.
std::vector<Scenario> vector_scenarios(Device& device);
/// The same of strings and permutations, of feature signatures, and of Krulis's index of them, which has threads.
std::vector<Scenario> string_scenarios(Device& device);
std::vector<Scenario> signature_scenarios(Device& device);
std::vector<Scenario> krulis_scenarios(Device& device);

/// Files written, in place of others, and read, in a folder of their own.
std::vector<Scenario> file_scenarios(Device& device, const std::string& folder);

}  // namespace proxel::faults
