// proxel devices: what this machine can search on, and why not on the rest.

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "proxel/trial.hpp"
#include "proxel/version.h"
#include "table.hpp"
#include "tool.hpp"

namespace proxel::tool::devices_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel devices
      every backend and device, with what it can do, or why it cannot be used
  proxel devices --json | jq -r '.devices[] | select(.usable) | .id'
      the ids that --device takes, for a script)";

// A device is tried when it is opened: whether it can be used is known only then.
Trial tried(DeviceInfo& device) {
  if (!device.usable) return {};
  try {
    return trial_of(*open_device(device.id));
  } catch (const Error& error) {
    device.usable = Support::no(reason(error));
    return {};
  }
}

nlohmann::ordered_json tried_as_json(DeviceInfo device) {
  const Trial trial = tried(device);
  nlohmann::ordered_json json = to_json(device);
  if (device.usable)
    json["trial"] = {{"keeps_subnormals", trial.keeps_subnormals},
                     {"ends_long_loops", trial.ends_long_loops},
                     {"remarks", trial.remarks}};
  return json;
}

int run_json() {
  nlohmann::ordered_json document = {{"command", "devices"}, {"version", PROXEL_VERSION_STRING}};
  document["backends"] = nlohmann::ordered_json::array();
  for (const Backend* backend : backends()) {
    const Support available = backend->available();
    nlohmann::ordered_json entry = {{"backend", to_string(backend->kind())}, {"available", available.supported}};
    if (!available) entry["reason"] = available.reason;
    document["backends"].push_back(entry);
  }
  document["devices"] = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : list_devices()) document["devices"].push_back(tried_as_json(device));
  print(document);
  return exit_success;
}

std::string or_dash(std::uint64_t value, const std::string& text) { return value == 0 ? "–" : text; }

int run_table() {
  Table table({{"device"},
               {"usable"},
               {"memory", true},
               {"buffer up to", true},
               {"subgroup", true},
               {"workgroup", true},
               {"shared", true},
               {"texture", true},
               {"layers", true},
               {"timestamps"},
               {"name"}});
  std::vector<std::string> notes;
  for (const Backend* backend : backends()) {
    const Support available = backend->available();
    const auto devices = backend->devices();
    if (!available || devices.empty())
      table.add({std::string(to_string(backend->kind())), Cell("no", Style::bad), "", "", "", "", "", "", "", "",
                 Cell(available ? "no devices" : available.reason, Style::faint)});
    for (DeviceInfo device : devices) {
      const Trial trial = tried(device);
      const Capabilities& can = device.capabilities;
      table.add({device.id, device.usable ? Cell("yes", Style::good) : Cell("no", Style::bad),
                 or_dash(can.memory_bytes, as_bytes(can.memory_bytes)),
                 or_dash(can.max_allocation_bytes, as_bytes(can.max_allocation_bytes)),
                 std::to_string(can.subgroup_size), std::to_string(can.max_workgroup_size),
                 or_dash(can.shared_memory_bytes, as_bytes(can.shared_memory_bytes)),
                 or_dash(can.max_texture_extent, std::to_string(can.max_texture_extent)),
                 or_dash(can.max_texture_layers, std::to_string(can.max_texture_layers)), can.timestamps ? "yes" : "no",
                 full_name(device)});
      if (!device.usable) notes.push_back(fmt::format("{} cannot be used: {}", device.id, device.usable.reason));
      for (const std::string& remark : trial.remarks) notes.push_back(fmt::format("{} {}", device.id, remark));
    }
  }
  table.print();
  for (const std::string& note : notes) fmt::print("{}\n", note);
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "devices", "List every backend and device, with its capabilities", examples);
  command->callback([&context] { context.action = [&context] { return context.json ? run_json() : run_table(); }; });
}

}  // namespace proxel::tool::devices_command
