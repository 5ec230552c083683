#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "proxel/device.hpp"

namespace proxel::tool {

/// An Error for which the device is to blame, not what the user typed.
class DeviceUnavailable : public Error {
 public:
  using Error::Error;
};

/// Opens a device by id. Throws Error(invalid_argument) where the text cannot
/// be an id, DeviceUnavailable where it can but the machine cannot serve it.
std::unique_ptr<Device> open_checked(const std::string& id);

/// The ids that were asked for, in full and once each; with none, every usable
/// device except the plain CPU reference. The CPU comes first.
std::vector<std::string> chosen_devices(const std::vector<std::string>& asked);

/// "NVIDIA H200 (NVIDIA 580.65)"
std::string full_name(const DeviceInfo& device);

nlohmann::ordered_json to_json(const DeviceInfo& device);

/// Help text that every --device option shows.
inline constexpr const char* device_help =
    "Device: cpu, vulkan, vulkan:N, cuda or cuda:N ('proxel devices' lists them)";

}  // namespace proxel::tool
