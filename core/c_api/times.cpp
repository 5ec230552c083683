#include "c_api/times.hpp"

#include <utility>

#include "c_api/structs.hpp"

namespace proxel::c_api {

const std::vector<proxel_rung>& Times::keep(std::vector<RungCount> rungs) {
  named_rungs_ = std::move(rungs);
  rungs_.clear();
  for (const RungCount& rung : named_rungs_) rungs_.push_back({rung.rung.c_str(), rung.queries});
  return rungs_;
}

void Times::tell(const SearchReport& report, proxel_times* to) {
  const SearchTimes& times = report.times;
  named_passes_ = times.passes;
  passes_.clear();
  for (const PassTime& pass : named_passes_)
    passes_.push_back({pass.name.c_str(), pass.label.c_str(), pass.milliseconds});
  keep(report.rungs);
  write_struct(to,
               {.struct_size = 0,
                .upload_milliseconds = times.upload_milliseconds,
                .compute_milliseconds = times.compute_milliseconds,
                .readback_milliseconds = times.readback_milliseconds,
                .total_milliseconds = times.total_milliseconds,
                .pass_count = passes_.size(),
                .passes = passes_.data(),
                .rung_count = rungs_.size(),
                .rungs = rungs_.data()},
               "times");
}

}  // namespace proxel::c_api
