#pragma once

#include <functional>
#include <string>

#include "bench/bandwidth.hpp"
#include "bench/knn_workload.hpp"
#include "bench/yardsticks.hpp"
#include "proxel/device.hpp"

namespace proxel::tool {

/// Brute force on a device: what every method's answers there must equal.
/// Compared with the plain reference's sample; a difference is recorded.
/// @return the neighbours of all queries
Neighbors brute_force(Device& device, const KnnWorkload& work, Recorder& recorder, ProgressBar& bar);

/// What a method is called in rows. @param distances_only  whether it returns distances alone
std::string name_of(Method method, bool distances_only);

/// Times one case on one device by every method that was asked for, answers
/// checked: a row with yardsticks, and one of the whole call under GROUP_call.
/// What a method cannot serve is noted.
/// @return what brute_force() found
Neighbors measure_knn(Device& device, const KnnWorkload& work, const Rates& rates, const BenchOptions& options,
                      Recorder& recorder, ProgressBar& bar);

/// Runs cases on all devices: makes each workload once and measures it on every
/// device that it fits. A processor posing as a device is spared cases that
/// would take it minutes; what is left out is noted.
/// @param make   the workload of a case
/// @param after  called for each case when its devices are done, with the answers
///               of the first; may be empty
void run_knn_cases(const std::vector<KnnCase>& cases, const BenchOptions& options, Recorder& recorder, ProgressBar& bar,
                   const std::function<KnnWorkload(const KnnCase&)>& make,
                   const std::function<void(const KnnWorkload&, const Neighbors&)>& after = {});

/// The cases that --rows, --dimensions and --largest-rows leave.
std::vector<KnnCase> chosen_cases(const std::vector<KnnCase>& all, const BenchOptions& options);

}  // namespace proxel::tool
