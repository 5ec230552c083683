#pragma once

#include <memory>
#include <utility>

#include "proxel/device.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Throws Error(invalid_argument): the plan is empty.
[[noreturn]] void refuse_empty_plan();

/// What a plan came to; copies of the plan share it. None for an empty plan: one that was default-constructed, or has
/// been moved from.
template <typename Implementation>
class Planned {
 public:
  Planned() = default;
  explicit Planned(std::shared_ptr<const Implementation> made) : made_(std::move(made)) {}

  bool empty() const { return made_ == nullptr; }
  /// Throws Error(invalid_argument) where there is none.
  const Implementation& operator*() const {
    if (empty()) refuse_empty_plan();
    return *made_;
  }
  const Implementation* operator->() const { return &**this; }

 private:
  std::shared_ptr<const Implementation> made_;
};

/// The device that a plan was made for. None for an empty plan: one that was default-constructed, or has been
/// moved from.
class PlannedFor {
 public:
  PlannedFor() = default;
  /// @param device  outlives the plan
  explicit PlannedFor(const Device& device) : device_(&device) {}
  ~PlannedFor() = default;
  PlannedFor(const PlannedFor&) = default;
  PlannedFor& operator=(const PlannedFor&) = default;
  PlannedFor(PlannedFor&& other) noexcept : device_(std::exchange(other.device_, nullptr)) {}
  PlannedFor& operator=(PlannedFor&& other) noexcept {
    device_ = std::exchange(other.device_, nullptr);
    return *this;
  }

  bool empty() const { return device_ == nullptr; }
  /// Throws Error(invalid_argument) where there is none.
  const Device& device() const;

 private:
  const Device* device_ = nullptr;
};

}  // namespace proxel
PROXEL_PUBLIC_END
