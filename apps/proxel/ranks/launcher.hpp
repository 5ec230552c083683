#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proxel::tool {

/// What mpirun, or another launcher of MPI's, has told a process that it started.
struct Launch {
  std::string told_by;  ///< the environment variable that says so
  std::uint32_t rank = 0;
  std::uint32_t size = 1;   ///< processes that were started together
  std::uint32_t local = 0;  ///< this one's number among those of its host
};

/// Nothing where the process was not started so. Slurm's own variables are not among what is looked at: they are also
/// set for a script that is no part of a step.
std::optional<Launch> launched();

}  // namespace proxel::tool
