#include "devices.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "console.hpp"

namespace proxel::tool {
namespace {

bool can_be_id(const std::string& id) {
  const std::string backend = id.substr(0, id.find(':'));
  if (backend != "cpu" && backend != "vulkan" && backend != "cuda") return false;
  if (backend.size() == id.size() || id == "cpu:reference") return true;
  const std::string index = id.substr(backend.size() + 1);
  return !index.empty() && index.size() <= 4 && std::all_of(index.begin(), index.end(), [](char digit) {
    return std::isdigit(static_cast<unsigned char>(digit));
  });
}

void check_id(const std::string& id) {
  if (!can_be_id(id))
    throw Error(ErrorCode::invalid_argument, "--device",
                fmt::format("'{}' was given; cpu, cpu:reference, vulkan, vulkan:N, cuda and cuda:N "
                            "are allowed",
                            id));
}

// A search goes on without its pipelines of last time, but somebody may want to know.
void warn_of_folders_among_pipelines() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(pipeline_cache_directory(), ignored))
    if (entry.path().extension() == ".bin" && entry.is_directory(ignored))
      warn(fmt::format("{} is a folder; pipelines cannot be kept there for the next run", entry.path().string()));
}

}  // namespace

std::unique_ptr<Device> open_checked(const std::string& id) {
  check_id(id);
  try {
    std::unique_ptr<Device> device = open_device(id);
    if (device->info().backend == BackendKind::vulkan) warn_of_folders_among_pipelines();
    return device;
  } catch (const Error& error) {
    throw DeviceUnavailable(error.code(), error.subject(), reason(error));
  }
}

std::vector<std::string> chosen_devices(const std::vector<std::string>& asked) {
  std::vector<std::string> ids;
  const auto add = [&ids](const std::string& id) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  };
  const std::vector<DeviceInfo> devices = list_devices();
  for (const std::string& id : asked) {
    check_id(id);
    // A backend's name alone means its first device.
    const auto found = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& device) {
      return device.id == id || (device.index == 0 && to_string(device.backend) == id);
    });
    add(found == devices.end() ? id : found->id);
  }
  if (asked.empty())
    for (const DeviceInfo& device : devices)
      if (device.usable && device.id != "cpu:reference") add(device.id);
  return ids;
}

std::string full_name(const DeviceInfo& device) {
  return device.driver.empty() ? device.name : fmt::format("{} ({})", device.name, device.driver);
}

nlohmann::ordered_json to_json(const DeviceInfo& device) {
  const Capabilities& can = device.capabilities;
  nlohmann::ordered_json json = {{"id", device.id},
                                 {"backend", to_string(device.backend)},
                                 {"name", device.name},
                                 {"driver", device.driver},
                                 {"usable", device.usable.supported}};
  if (!device.usable) json["reason"] = device.usable.reason;
  std::string uuid;
  for (const std::uint8_t byte : device.uuid) uuid += fmt::format("{:02x}", byte);
  json["uuid"] = uuid == std::string(32, '0') ? nlohmann::ordered_json() : nlohmann::ordered_json(uuid);
  json["capabilities"] = {{"memory_bytes", can.memory_bytes},
                          {"max_allocation_bytes", can.max_allocation_bytes},
                          {"subgroup_size", can.subgroup_size},
                          {"max_workgroup_size", can.max_workgroup_size},
                          {"shared_memory_bytes", can.shared_memory_bytes},
                          {"multiprocessors", can.multiprocessors},
                          {"max_texture_extent", can.max_texture_extent},
                          {"max_texture_layers", can.max_texture_layers},
                          {"timestamps", can.timestamps},
                          {"runs_on_host", can.runs_on_host}};
  return json;
}

}  // namespace proxel::tool
