#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "proxel/device.hpp"

namespace demo {

/// proxel's devices, and which of them answers.
class Backends {
 public:
  Backends();

  /// Those that can be used, cpu first; without the plain reference "cpu:reference".
  const std::vector<proxel::DeviceInfo>& usable() const { return usable_; }
  /// What this machine or build lacks: id or backend, and the reason.
  const std::vector<std::pair<std::string, std::string>>& missing() const { return missing_; }
  /// Opened when first asked for, and kept. On the worker's thread alone: a device is used by one
  /// thread at a time. It is not the window's, even where it is the same GPU.
  proxel::Device& device(const std::string& id);

  const std::string& chosen() const { return chosen_; }
  /// Whether there is such a device.
  bool choose(const std::string& id);
  /// "llvmpipe (LLVM 15)", shortened for where there is little room.
  std::string short_name(const std::string& id) const;

 private:
  std::vector<proxel::DeviceInfo> usable_;
  std::vector<std::pair<std::string, std::string>> missing_;
  std::string chosen_ = "cpu";
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<proxel::Device>> open_;
};

}  // namespace demo
