#include "compare/measured.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    result.latest = report;
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

// "cpu+vulkan:0" as ids.
std::vector<std::string> ids_of(const std::string& joined) {
  std::vector<std::string> ids;
  for (std::size_t first = 0; first <= joined.size();) {
    const std::size_t end = std::min(joined.find('+', first), joined.size());
    ids.push_back(joined.substr(first, end - first));
    first = end + 1;
  }
  return ids;
}

// Several devices as what a line of the table is of.
DeviceInfo together(const std::vector<std::unique_ptr<Device>>& devices, const std::string& id) {
  DeviceInfo info = devices.front()->info();
  info.id = id;
  std::vector<std::string> names;
  for (const auto& device : devices) names.push_back(device->info().name);
  info.name = fmt::format("{}", fmt::join(names, " and "));
  return info;
}

void search_on(std::span<Device* const> devices, const Subject& subject, const Task& task, const Effort& effort,
               std::optional<Answer>& reference, const Watch& watch, Measured& result) {
  const auto title = [&](const char* doing) {
    watch.title(fmt::format("{} {}: {}", result.device.id, subject.method, doing));
  };
  title("uploading");
  const Preparation preparation{subject.method, !reference.has_value(), effort.timing, effort.dividing};
  const ReadySearch ready = devices.size() == 1 ? task.prepare(*devices.front(), preparation, watch.progress)
                                                : task.prepare_together(devices, preparation, watch.progress);
  result.build = ready.build_milliseconds;
  result.divided = ready.divided;
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

ReadySearch Task::prepare_together(std::span<Device* const>, const Preparation&, const Progress&) const {
  return {.build_milliseconds = 0,
          .support = {false, fmt::format("several devices together do not search {}", description().what)},
          .method = {},
          .search = {}};
}

std::vector<std::string> chosen_competitors(const std::vector<std::string>& asked, const Dividing& dividing) {
  const auto refuse_alone = [&](bool given, const char* option) {
    const bool joined = std::ranges::any_of(asked, [](const std::string& one) { return ids_of(one).size() > 1; });
    if (given && !joined)
      throw Error(ErrorCode::invalid_argument, option, "is for several devices, which --device joins by +");
  };
  refuse_alone(dividing.divide.has_value(), "--divide");
  refuse_alone(!dividing.shares.empty(), "--shares");
  if (asked.empty()) return chosen_devices({});
  std::vector<std::string> competitors;
  for (const std::string& joined : asked) {
    const std::vector<std::string> parts = ids_of(joined), ids = chosen_devices(parts);
    if (ids.size() != parts.size())
      throw Error(ErrorCode::invalid_argument, "--device", fmt::format("{} names a device twice", joined));
    if (ids.size() > 1 && !dividing.shares.empty() && dividing.shares.size() != ids.size())
      throw Error(ErrorCode::invalid_argument, "--shares",
                  fmt::format("{} were given for the {} devices of {}", dividing.shares.size(), ids.size(), joined));
    const std::string competitor = fmt::format("{}", fmt::join(ids, "+"));
    if (std::ranges::find(competitors, competitor) == competitors.end()) competitors.push_back(competitor);
  }
  return competitors;
}

Effort Effort::of(const std::string& device) const {
  Effort effort = *this;
  if (std::ranges::count(ids_of(device), "cpu:reference") != 0) {
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
  result.chosen = subject.method == "auto";
  try {
    std::vector<std::unique_ptr<Device>> devices;
    for (const std::string& id : ids_of(subject.device)) devices.push_back(open_checked(id));
    result.device = devices.size() == 1 ? devices.front()->info() : together(devices, subject.device);
    std::vector<Device*> used;
    for (const auto& device : devices) used.push_back(device.get());
    search_on(used, subject, task, effort.of(subject.device), reference, watch, result);
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
