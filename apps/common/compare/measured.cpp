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

void repeat(const ReadySearch& ready, const Task& task, const Effort& effort, std::optional<Answer>& reference,
            const Progress& progress, Measured& result) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> upload, compute, readback, total;
  result.outcome = reference ? Measured::Outcome::identical : Measured::Outcome::reference;
  const auto search = [&] {
    Answer found = ready.search(progress);
    const SearchReport report = AnswerView(found).report();
    if (ready.method.empty() && !report.method.empty()) result.method = report.method;
    result.recall = task.recall(found);
    // Every repeat is compared: an answer that changes from run to run is wrong too.
    if (!reference)
      reference = std::move(found);
    else if (!result.difference)
      result.difference = first_difference(*reference, found);
    result.passes = report.times.passes;
    upload.push_back(report.times.upload_milliseconds);
    compute.push_back(report.times.compute_milliseconds);
    readback.push_back(report.times.readback_milliseconds);
    total.push_back(report.times.total_milliseconds);
  };
  // The first search pays for pipelines and scratch. It counts only where the
  // time is used up by it.
  search();
  if (effort.second || seconds_since(start) < effort.seconds) {
    result.first = total.front();
    for (auto* times : {&upload, &compute, &readback, &total}) times->clear();
    do search();
    while (total.size() < effort.repeats && seconds_since(start) < effort.seconds);
  }
  result.upload = median(upload);
  result.compute = median(compute);
  result.readback = median(readback);
  result.total = median(total);
  result.repeats = static_cast<std::uint32_t>(total.size());
  if (result.difference) result.outcome = Measured::Outcome::different;
}

void search_on(Device& device, const Subject& subject, const Task& task, const Effort& effort,
               std::optional<Answer>& reference, const Watch& watch, Measured& result) {
  const auto title = [&](const char* doing) {
    watch.title(fmt::format("{} {}: {}", result.device.id, subject.method, doing));
  };
  title("uploading");
  const ReadySearch ready =
      task.prepare(device, {subject.method, !reference.has_value(), effort.timing}, watch.progress);
  result.build = ready.build_milliseconds;
  if (!ready.method.empty()) result.method = ready.method;
  if (!ready.support) {
    result.outcome = Measured::Outcome::not_supported;
    result.reason = ready.support.reason;
    return;
  }
  title("searching");
  repeat(ready, task, effort, reference, watch.progress, result);
}

}  // namespace

Effort Effort::of(const std::string& device) const {
  Effort effort = *this;
  if (device == "cpu:reference") {
    effort.seconds = 0;
    effort.second = false;
  }
  return effort;
}

Measured measure(const Subject& subject, const Task& task, const Effort& effort, std::optional<Answer>& reference,
                 const Watch& watch) {
  Measured result;
  result.device.id = subject.device;
  result.method = subject.method;
  try {
    const auto device = open_checked(subject.device);
    result.device = device->info();
    search_on(*device, subject, task, effort.of(subject.device), reference, watch, result);
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
