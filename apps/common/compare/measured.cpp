#include "compare/measured.hpp"

#include <chrono>

#include <fmt/format.h>

#include "devices.hpp"
#include "median.hpp"

namespace proxel::tool {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(Device& device, Method method, const Task& task, std::optional<Neighbors>& reference, const Watch& watch,
         Measured& result) {
  IndexOptions options = task.options;
  options.method = method;
  watch.title(fmt::format("{} {}: uploading", result.device.id, to_string(method)));
  Index index(device, task.database, options, watch.progress);
  result.build = index.build_milliseconds();
  if (const Support support = index.supports(task.metric, task.k); !support) {
    result.outcome = Measured::Outcome::not_supported;
    result.reason = support.reason;
    return;
  }
  watch.title(fmt::format("{} {}: searching", result.device.id, to_string(method)));
  // The reference is what raw answers are compared with.
  const bool raw = task.raw && reference.has_value();
  const std::string_view answering = repeat({[&] {
    return index.search(task.queries, task.k, task.metric, {.progress = watch.progress, .raw = raw});
  }, task.repeats, task.seconds, task.second},
                                            reference, result);
  if (!answering.empty()) result.method = method_from_string(answering);
}

}  // namespace

std::string_view repeat(const Repeated& repeated, std::optional<Neighbors>& reference, Measured& result) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> upload, compute, readback, total;
  result.outcome = reference ? Measured::Outcome::identical : Measured::Outcome::reference;
  std::string_view method;
  const auto search = [&] {
    Neighbors found = repeated.search();
    const SearchTimes times = found.report.times;
    method = found.report.method;
    // Every repeat is compared: an answer that changes from run to run is wrong too.
    if (!reference)
      reference = std::move(found);
    else if (!result.difference)
      result.difference = first_difference(*reference, found);
    result.passes = times.passes;
    upload.push_back(times.upload_milliseconds);
    compute.push_back(times.compute_milliseconds);
    readback.push_back(times.readback_milliseconds);
    total.push_back(times.total_milliseconds);
  };
  // The first search pays for pipelines and scratch. It counts only where the
  // time is used up by it.
  search();
  if (repeated.second || seconds_since(start) < repeated.seconds) {
    result.first = total.front();
    for (auto* times : {&upload, &compute, &readback, &total}) times->clear();
    do search();
    while (total.size() < repeated.repeats && seconds_since(start) < repeated.seconds);
  }
  result.upload = median(upload);
  result.compute = median(compute);
  result.readback = median(readback);
  result.total = median(total);
  result.repeats = static_cast<std::uint32_t>(total.size());
  if (result.difference) result.outcome = Measured::Outcome::different;
  return method;
}

Measured measure(const std::string& device_id, Method method, const Task& task, std::optional<Neighbors>& reference,
                 const Watch& watch) {
  Measured measured = measure_on(device_id, [&](Device& device, Measured& result) {
    result.method = method;
    run(device, method, task, reference, watch, result);
  });
  if (!measured.timed()) measured.method = method;
  return measured;
}

Measured measure_on(const std::string& device_id, const std::function<void(Device&, Measured&)>& search) {
  Measured result;
  result.device.id = device_id;
  try {
    const auto device = open_checked(device_id);
    result.device = device->info();
    search(*device, result);
  } catch (const Error& error) {
    // What the caller typed is wrong on every device: nothing to compare.
    if (error.code() == ErrorCode::invalid_argument) throw;
    const bool refused = error.code() == ErrorCode::unsupported && !dynamic_cast<const DeviceUnavailable*>(&error);
    result.outcome = refused ? Measured::Outcome::not_supported : Measured::Outcome::failed;
    result.reason = error.what();
  }
  return result;
}

}  // namespace proxel::tool
