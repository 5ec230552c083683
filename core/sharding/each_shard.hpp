#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "proxel/index.hpp"

namespace proxel::sharding {

/// Rethrows what a device's work threw; where the device is what failed (not an argument or a file) the error's subject
/// becomes its id.
[[noreturn]] void rethrow_of(const std::string& device, const std::exception_ptr& failure);

/// What one device does of a call. @param progress  to be told; empty where nobody is
using Work = std::function<void(const Progress& progress)>;

struct Job {
  std::string device;  ///< its id
  double weight = 1;   ///< of all that is to be done
  Work work;
};

/// Does all jobs at once, each on a thread of its own. Returns when all have ended. What `progress` throws ends all, as
/// does, where there is a progress, the failure of one. It may also throw at its last call, when all is done.
/// Throws what the first job that failed threw; where the device is what failed (not an argument or a file, nor what every
/// one of several devices refuses) the error's subject is its id.
/// @param total   what the progress is told of, in the caller's unit
/// @param beside  what the calling thread does meanwhile, whose failure comes before those of jobs; may be empty
void do_all(const std::vector<Job>& jobs, const Progress& progress, std::uint64_t total,
            const std::function<void()>& beside = {});

}  // namespace proxel::sharding
