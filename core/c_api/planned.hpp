#pragma once

// What a plan of the C API is, of whatever kind: over buffers that all kinds share.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/boundary.hpp"
#include "c_api/handle.hpp"
#include "c_api/rows_plan.hpp"
#include "proxel/index.hpp"
#include "proxel/proxel.h"
#include "proxel/range.hpp"
#include "proxel/selection.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

/// The caller's buffers, each checked to be of the plan's device when it is asked for.
class GivenBuffers {
 public:
  GivenBuffers(const proxel_search_buffers& given, const Device& device) : given_(given), device_(device) {}

  /// None where the caller gives none.
  BufferView operator()(proxel_buffer_view proxel_search_buffers::*member, const char* argument) const;
  /// Those of a search.
  SearchBuffers search() const;
  /// Those of a range search.
  RangeBuffers range() const;

 private:
  const proxel_search_buffers& given_;
  const Device& device_;
};

/// Which part of a search within a radius.
enum class RangePart { whole, count, fill };

class Planned {
 public:
  virtual ~Planned() = default;

  virtual proxel_requirements requirements() const = 0;
  /// Throws Error(invalid_argument) where what it was made from has changed, and for buffers that are not
  /// what is required; Error(unsupported) for a part that it does not have.
  virtual void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const = 0;
  virtual std::vector<RungCount> rungs() const { return {}; }
  virtual proxel_plan_info info() const { return {}; }
};

/// A proxel_plan that is `plan`, of that device.
proxel_plan* new_plan(std::shared_ptr<Device> device, std::unique_ptr<Planned> plan);

/// An index that a plan was made of and keeps.
class PlanOwner {
 public:
  /// @param changes  of the index, counted; each ends the plan
  PlanOwner(std::shared_ptr<const void> index, const std::uint64_t& changes)
      : index_(std::move(index)), changes_(changes), then_(changes) {}
  /// Throws Error(invalid_argument) where it has changed.
  void check() const;

 private:
  std::shared_ptr<const void> index_;
  const std::uint64_t& changes_;
  std::uint64_t then_;
};

/// Of an index of vectors, of strings or of signatures.
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedSearch> search);
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedRangeSearch> search);
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedStringSearch> search);
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedSignatureSearch> search);
/// Of rows of the caller's.
std::unique_ptr<Planned> planned(std::unique_ptr<RowsPlan> plan);
std::unique_ptr<Planned> planned_range(Device& device, const RangeDescription& description, std::uint32_t row_stride);
std::unique_ptr<Planned> planned_selection(Device& device, const SelectionDescription& description);

/// Among strings.
class StringPlan final : public Planned {
 public:
  StringPlan(PlanOwner owner, std::unique_ptr<PlannedStringSearch> search)
      : owner_(std::move(owner)), search_(std::move(search)) {}

  proxel_requirements requirements() const override;
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override;
  const PlannedStringSearch& search() const { return *search_; }

 private:
  PlanOwner owner_;
  std::unique_ptr<PlannedStringSearch> search_;
};

/// Among signatures.
class SignaturePlan final : public Planned {
 public:
  SignaturePlan(PlanOwner owner, std::unique_ptr<PlannedSignatureSearch> search)
      : owner_(std::move(owner)), search_(std::move(search)) {}

  proxel_requirements requirements() const override;
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override;
  proxel_plan_info info() const override;
  const PlannedSignatureSearch& search() const { return *search_; }

 private:
  PlanOwner owner_;
  std::unique_ptr<PlannedSignatureSearch> search_;
};

/// Gives a plan of an index, which the plan keeps.
/// @param make  plans by a member function of the index
template <typename Handle, typename Make>
proxel_status give_plan(Handle* index, proxel_plan** plan, const Make& make) {
  return guarded([&] {
    required(plan, "plan");
    const auto& kept = handled(index, "index").kept;
    auto search = make(kept->index);
    *plan = new_plan(kept->device, planned(PlanOwner(kept, kept->changes), std::move(search)));
  });
}

/// A plan of that kind. Throws Error(invalid_argument) that says what it is not.
template <typename Kind>
const Kind& plan_of(const Planned& plan, const char* what) {
  const auto* kind = dynamic_cast<const Kind*>(&plan);
  if (!kind) refuse("plan", std::string("is not a search among ") + what);
  return *kind;
}

}  // namespace proxel::c_api
