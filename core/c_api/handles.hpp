#pragma once

// What the handles of the C API stand for. What is made from something holds it, so that handles may be
// destroyed in any order.

#include <memory>
#include <utility>
#include <vector>

#include "c_api/handle.hpp"
#include "c_api/planned.hpp"
#include "proxel/device.hpp"
#include "proxel/interop.hpp"
#include "proxel/proxel.h"
#include "proxel/signature_file.hpp"

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

struct HeldPlan {
  std::shared_ptr<Device> device;
  PlanOwner owner;
  std::unique_ptr<Plan> plan;  // goes before what it was made of
  // The rungs of the latest execution, as they were told:
  std::vector<RungCount> named_rungs;
  std::vector<proxel_rung> rungs;
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
struct ObjectOf<proxel_plan> : ObjectOfKind<HeldPlan, HandleKind::plan> {};
template <>
struct ObjectOf<proxel_signature_file> : ObjectOfKind<HeldSignatureFile, HandleKind::signature_file> {};

/// A device as a handle of the caller's.
inline void give_device(std::shared_ptr<Device> opened, proxel_device** device) {
  *device = make_handle<proxel_device>(opened, opened);
}

}  // namespace proxel::c_api
