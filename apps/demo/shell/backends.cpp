#include "shell/backends.hpp"

#include <algorithm>

namespace demo {

Backends::Backends() {
  for (const proxel::Backend* backend : proxel::backends()) {
    if (const proxel::Support support = backend->available(); !support)
      missing_.emplace_back(proxel::to_string(backend->kind()), support.reason);
    for (const proxel::DeviceInfo& device : backend->devices()) {
      if (!device.usable)
        missing_.emplace_back(device.id, device.usable.reason);
      else if (device.id != "cpu:reference")
        usable_.push_back(device);
    }
  }
}

proxel::Device& Backends::device(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  auto& device = open_[id];
  if (!device) device = proxel::open_device(id);
  return *device;
}

bool Backends::choose(const std::string& id) {
  const bool known =
      std::any_of(usable_.begin(), usable_.end(), [&](const proxel::DeviceInfo& device) { return device.id == id; });
  if (known) chosen_ = id;
  return known;
}

std::string Backends::short_name(const std::string& id) const {
  for (const proxel::DeviceInfo& device : usable_)
    if (device.id == id) {
      const std::string name = device.name.substr(0, device.name.find(" ("));
      return name.size() > 28 ? name.substr(0, 27) + "…" : name;
    }
  return id;
}

}  // namespace demo
