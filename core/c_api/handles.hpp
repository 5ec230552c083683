#pragma once

// What the handles of the C API stand for. What is made from something holds it, so that handles may be
// destroyed in any order.

#include <memory>
#include <utility>
#include <vector>

#include "c_api/handle.hpp"
#include "c_api/planned.hpp"
#include "c_api/times.hpp"
#include "proxel/device.hpp"
#include "proxel/index.hpp"
#include "proxel/interop.hpp"
#include "proxel/permutation.hpp"
#include "proxel/proxel.h"
#include "proxel/signature_file.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/vector_permutation.hpp"

namespace proxel::c_api {

struct OpenDevice {
  std::shared_ptr<Device> device;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
};

struct HeldBuffer {
  std::shared_ptr<Device> device;
  std::unique_ptr<Buffer> buffer;
};

struct HeldRecording {
  std::shared_ptr<Device> device;
  std::unique_ptr<Recording> recording;
  Commands* commands = nullptr;  // the same, where it is proxel's own
  std::uint64_t labels = 0;      // that are open
  // A recording of proxel's own alone has:
  bool begun = false;
  bool ended = false;
};

struct HeldSemaphore {
  std::shared_ptr<Device> device;
  std::unique_ptr<interop::Semaphore> semaphore;
};

struct HeldMatches {
  RangeNeighbors found;
};

/// An index with the device that it needs. Plans hold what `kept` points to.
template <typename Kind>
struct IndexHandle {
  struct Kept {
    std::shared_ptr<Device> device;
    Kind index;
    std::uint64_t changes = 0;  // of what it holds; each ends the plans made before
  };
  IndexHandle(std::shared_ptr<Device> on, Kind made)
      : device(std::move(on)), kept(std::make_shared<Kept>(Kept{device, std::move(made)})), index(kept->index) {}

  std::shared_ptr<Device> device;
  std::shared_ptr<Kept> kept;
  Kind& index;
  SearchReport report;  // of the latest search
  Times times;

  /// Remembers the report of an answer, which it hands on.
  template <typename Answer>
  Answer keep(Answer answer) {
    report = answer.report;
    return answer;
  }
};

struct HeldPlan {
  std::shared_ptr<Device> device;
  PlanOwner owner;
  std::unique_ptr<Plan> plan;  // goes before what it was made of
  Times times;
};

struct HeldSignatureFile {
  SignatureFile file;
};

// What the handles of this list stand for.

template <>
struct ObjectOf<proxel_device> : ObjectOfKind<OpenDevice, HandleKind::device> {};
template <>
struct ObjectOf<proxel_device_list> : ObjectOfKind<DeviceList, HandleKind::device_list> {};
template <>
struct ObjectOf<proxel_buffer> : ObjectOfKind<HeldBuffer, HandleKind::buffer> {};
template <>
struct ObjectOf<proxel_recording> : ObjectOfKind<HeldRecording, HandleKind::recording> {};
template <>
struct ObjectOf<proxel_semaphore> : ObjectOfKind<HeldSemaphore, HandleKind::semaphore> {};
template <>
struct ObjectOf<proxel_matches> : ObjectOfKind<HeldMatches, HandleKind::matches> {};
template <>
struct ObjectOf<proxel_index> : ObjectOfKind<IndexHandle<Index>, HandleKind::index> {};
template <>
struct ObjectOf<proxel_plan> : ObjectOfKind<HeldPlan, HandleKind::plan> {};
template <>
struct ObjectOf<proxel_signature_file> : ObjectOfKind<HeldSignatureFile, HandleKind::signature_file> {};
template <>
struct ObjectOf<proxel_string_index> : ObjectOfKind<IndexHandle<StringIndex>, HandleKind::string_index> {};
template <>
struct ObjectOf<proxel_signature_index> : ObjectOfKind<IndexHandle<SignatureIndex>, HandleKind::signature_index> {};
template <>
struct ObjectOf<proxel_permutation_index> : ObjectOfKind<IndexHandle<PermutationIndex>, HandleKind::permutation_index> {
};
template <>
struct ObjectOf<proxel_vector_permutation_index>
    : ObjectOfKind<IndexHandle<VectorPermutationIndex>, HandleKind::vector_permutation_index> {};

/// The index, whose contents are about to change: what was planned before is not recorded any more.
template <typename Handle>
auto& changing(Handle* index) {
  auto& kept = *handled(index, "index").kept;
  ++kept.changes;
  return kept.index;
}

/// A device as a handle of the caller's.
inline void give_device(std::shared_ptr<Device> opened, proxel_device** device) {
  *device = make_handle<proxel_device>(opened, opened);
}

}  // namespace proxel::c_api
