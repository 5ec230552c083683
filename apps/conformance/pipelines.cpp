#include "pipelines.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proxel::conformance {
namespace {

// A column of the table, and what drivers call it: RADV, NVIDIA, Intel, CUDA.
struct Column {
  const char* heading;
  std::vector<std::string_view> names;
  bool worst_is_least = false;
};

const Column columns[] = {
    {"registers", {"VGPRs", "Register Count", "registers"}},
    {"scalar", {"SGPRs"}},
    {"spilled", {"Spilled VGPRs", "Spill count"}},
    {"scalar spilled", {"Spilled SGPRs"}},
    {"scratch B", {"Scratch size", "Scratch memory size", "Local Memory Size", "local memory"}},
    {"shared B", {"LDS size", "LDS Size", "Shared Memory Size", "Workgroup memory size", "shared memory"}},
    {"waves", {"Subgroups per SIMD", "workgroups per multiprocessor"}, true},
    {"instructions", {"Instructions", "Instruction Count", "Instruction count"}},
};

std::optional<double> told(const PipelineReport& pipeline, const Column& column) {
  for (const CompilerStatistic& statistic : pipeline.statistics)
    if (std::find(column.names.begin(), column.names.end(), statistic.name) != column.names.end())
      return statistic.value;
  return {};
}

std::string constants_of(const PipelineReport& pipeline) {
  std::string text;
  for (const auto& [name, value] : pipeline.constants)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

std::string worst_of(std::span<const PipelineReport* const> pipelines, const Column& column) {
  std::optional<double> worst;
  for (const PipelineReport* one : pipelines)
    if (const auto value = told(*one, column))
      if (!worst || (column.worst_is_least ? *value < *worst : *value > *worst)) worst = value;
  return worst ? fmt::format("{:.0f}", *worst) : "-";
}

std::string lanes_of(std::span<const PipelineReport* const> pipelines) {
  std::set<std::uint32_t> sizes;
  for (const PipelineReport* one : pipelines) sizes.insert(one->subgroup_size);
  return sizes == std::set<std::uint32_t>{0} ? "-" : fmt::format("{}", fmt::join(sizes, ","));
}

std::string line_of(const std::string& name, const std::string& counted,
                    std::span<const PipelineReport* const> pipelines) {
  std::string line = fmt::format("{:<44} {:>9} {:>8}", name, counted, lanes_of(pipelines));
  for (const Column& column : columns)
    line += fmt::format(" {:>{}}", worst_of(pipelines, column), std::string_view(column.heading).size());
  return line + "\n";
}

std::string headings(const char* counted) {
  std::string line = fmt::format("{:<44} {:>9} {:>8}", "pass", counted, "subgroup");
  for (const Column& column : columns) line += fmt::format(" {}", column.heading);
  return line + "\n";
}

}  // namespace

std::string pipelines_table(const Report& report, bool every_pipeline) {
  std::map<std::string, std::map<std::string, std::vector<const PipelineReport*>>> devices;
  for (const PipelineReport& pipeline : report.pipelines) devices[pipeline.device][pipeline.pass].push_back(&pipeline);
  std::string text;
  for (const auto& [device, passes] : devices) {
    std::size_t failed = 0, compiled = 0;
    text += fmt::format("\n{}\n{}", device, headings(every_pipeline ? "workgroup" : "pipelines"));
    for (const auto& [name, pipelines] : passes) {
      for (const PipelineReport* one : pipelines) {
        ++(one->error.empty() ? compiled : failed);
        if (every_pipeline)
          text +=
              line_of(fmt::format("{} {}", name, constants_of(*one)), std::to_string(one->workgroup_size), {&one, 1});
        if (!one->error.empty())
          text += fmt::format("    constants {}: {} ({})\n", constants_of(*one), one->error, one->first_case);
      }
      if (!every_pipeline) text += line_of(name, std::to_string(pipelines.size()), pipelines);
    }
    text += fmt::format("{} passes, {} pipelines compiled, {} failed\n", passes.size(), compiled, failed);
  }
  for (const DeviceReport& device : report.devices)
    if (!device.untold.empty())
      text += fmt::format("{} tells nothing of its pipelines: {}\n", device.id, device.untold);
  return text;
}

nlohmann::ordered_json pipelines_json(const Report& report) {
  auto list = nlohmann::ordered_json::array();
  for (const PipelineReport& one : report.pipelines) {
    nlohmann::ordered_json entry{{"device", one.device}, {"pass", one.pass}};
    auto& constants = entry["constants"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : one.constants) constants[name] = value;
    entry["workgroup_size"] = one.workgroup_size;
    if (one.subgroup_size != 0) entry["subgroup_size"] = one.subgroup_size;
    if (!one.error.empty()) entry["error"] = one.error;
    entry["first_case"] = one.first_case;
    entry["families"] = one.families;
    for (const CompilerStatistic& statistic : one.statistics) entry["statistics"][statistic.name] = statistic.value;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace proxel::conformance
