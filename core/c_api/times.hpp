#pragma once

#include <vector>

#include "proxel/index.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

/// Times as C sees them, kept for as long as their pointers are promised to be valid.
class Times {
 public:
  /// Writes where the time went; throws Error(invalid_argument) unless there is a struct to write.
  void tell(const SearchReport& report, proxel_times* to);
  /// Keeps and returns rungs.
  const std::vector<proxel_rung>& keep(std::vector<RungCount> rungs);

 private:
  std::vector<PassTime> named_passes_;
  std::vector<RungCount> named_rungs_;
  std::vector<proxel_pass_time> passes_;
  std::vector<proxel_rung> rungs_;
};

}  // namespace proxel::c_api
