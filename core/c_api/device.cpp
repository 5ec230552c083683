// Devices, and the work that they are given.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

void tell_device(const DeviceInfo& info, proxel_device_info* to) {
  const Capabilities& has = info.capabilities;
  proxel_device_info told{};
  told.backend = to_string(info.backend).data();  // of a literal
  told.id = info.id.c_str();
  told.name = info.name.c_str();
  told.driver = info.driver.c_str();
  told.unusable = info.usable ? nullptr : info.usable.reason.c_str();
  std::copy(info.uuid.begin(), info.uuid.end(), told.uuid);
  told.memory_bytes = has.memory_bytes;
  told.max_allocation_bytes = has.max_allocation_bytes;
  told.subgroup_size = has.subgroup_size;
  told.max_workgroup_size = has.max_workgroup_size;
  told.shared_memory_bytes = has.shared_memory_bytes;
  told.multiprocessors = has.multiprocessors;
  told.timestamps = has.timestamps;
  told.runs_on_host = has.runs_on_host;
  write_struct(to, told, "info");
}

}  // namespace

proxel_status proxel_device_list_create(proxel_device_list** list) {
  return guarded([&] {
    required(list, "list");
    *list = make_lone_handle<proxel_device_list>(list_devices());
  });
}

uint64_t proxel_device_list_count(const proxel_device_list* list) {
  return read_handle(list, "list", [](const DeviceList& own) { return own.devices.size(); });
}

proxel_status proxel_device_list_get(const proxel_device_list* list, uint64_t position, proxel_device_info* info) {
  return guarded([&] {
    const auto& devices = handled(list, "list").devices;
    if (position >= devices.size())
      refuse("position", fmt::format("{} was given, there are {} devices", position, devices.size()));
    tell_device(devices[position], info);
  });
}

void proxel_device_list_destroy(proxel_device_list* list) { destroy(list); }

proxel_status proxel_backend_available(const char* backend) {
  return guarded([&] {
    std::vector<std::string_view> names;
    for (const Backend* one : backends()) names.push_back(to_string(one->kind()));
    const std::size_t position = find_name(&required(backend, "backend"), "backend", names);
    require(backends()[position]->available(), backend);
  });
}

proxel_status proxel_device_open(const char* id, proxel_device** device) {
  return guarded([&] {
    required(device, "device");
    give_device(open_device(id ? id : "cpu"), device);
  });
}

proxel_status proxel_device_get_info(const proxel_device* device, proxel_device_info* info) {
  return guarded([&] { tell_device(handled(device, "device", Use::reading).device->info(), info); });
}

proxel_status proxel_device_submit(proxel_device* device, proxel_recording* recording) {
  return guarded([&] {
    Device& on = *handled(device, "device").device;
    const HeldRecording& given = handled(recording, "recording");
    if (given.device.get() != &on)
      refuse("recording", fmt::format("is of {}, not of this device, {}", given.device->info().id, on.info().id));
    if (!given.commands) refuse("recording", "is over a command buffer or stream of the caller's, who submits it");
    if (!given.ended) refuse("recording", "has not been ended");
    on.submit(*given.commands);
  });
}

proxel_status proxel_device_wait(proxel_device* device) {
  return guarded([&] { handled(device, "device").device->wait(); });
}

void proxel_device_destroy(proxel_device* device) { destroy(device); }
