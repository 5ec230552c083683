#pragma once

// Plans of every kind are one kind to the C API: a proxel::Plan over a table of buffers.

#include <memory>
#include <string>
#include <utility>

#include "c_api/boundary.hpp"
#include "c_api/handle.hpp"
#include "proxel/plan.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

/// What a plan requires, and the caller's buffers, each checked to be of the plan's device.
proxel_requirements requirements_of(const Plan& plan);
SearchBuffers buffers_of(const proxel_search_buffers& given, const Device& device);

/// An index that a plan was made of and keeps; nothing of rows of the caller's.
class PlanOwner {
 public:
  PlanOwner() = default;
  /// @param changes  of the index, counted; each ends the plan
  PlanOwner(std::shared_ptr<const void> index, const std::uint64_t& changes)
      : index_(std::move(index)), changes_(&changes), then_(changes) {}
  /// Throws Error(invalid_argument) where it has changed.
  void check() const;

 private:
  std::shared_ptr<const void> index_;
  const std::uint64_t* changes_ = nullptr;
  std::uint64_t then_ = 0;
};

/// A proxel_plan that is `plan`, of that device.
proxel_plan* new_plan(std::shared_ptr<Device> device, std::unique_ptr<Plan> plan, PlanOwner owner = {});

/// A plan of that kind. Throws Error(invalid_argument) that says what it is not.
template <typename Kind>
const Kind& plan_of(const Plan& plan, const char* what) {
  const auto* kind = dynamic_cast<const Kind*>(&plan);
  if (!kind) refuse("plan", std::string("is not a search among ") + what);
  return *kind;
}

}  // namespace proxel::c_api
