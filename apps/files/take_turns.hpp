#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "files/find_files.hpp"

namespace proxel::files {

/// Files that several threads take one after the other, of any size each.
/// @param visit     given the number of a path, by those threads at once; what it throws is the file's failure
/// @param progress  called by this thread meanwhile; what it throws ends the work
/// @return those that failed, in the order of the paths
std::vector<FileFailure> take_turns(const std::vector<std::string>& paths, unsigned threads,
                                    const std::function<void(std::size_t number)>& visit,
                                    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace proxel::files
