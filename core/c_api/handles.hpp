#pragma once

// What the handles of the C API stand for. What is made from something holds it, so that handles may be
// destroyed in any order.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

struct proxel_device {
  std::shared_ptr<proxel::Device> device;
};

struct proxel_device_list {
  std::vector<proxel::DeviceInfo> devices;
};

struct proxel_buffer {
  std::shared_ptr<proxel::Device> device;
  std::unique_ptr<proxel::Buffer> buffer;
};

struct proxel_recording {
  std::shared_ptr<proxel::Device> device;
  std::unique_ptr<proxel::Recording> recording;
  proxel::Commands* commands = nullptr;  // the same, where it is proxel's own
  std::uint64_t labels = 0;  // that are open
  // Of proxel's own:
  bool begun = false;
  bool ended = false;
};

struct proxel_semaphore {
  std::shared_ptr<proxel::Device> device;
  std::unique_ptr<proxel::interop::Semaphore> semaphore;
};

struct proxel_matches {
  proxel::RangeNeighbors found;
};

namespace proxel::c_api {

/// An index with the device that it needs.
struct HeldIndex {
  std::shared_ptr<Device> device;
  Index index;
  std::uint64_t changes = 0;  // of its rows; each ends the plans made before

  template <typename... Arguments>
  explicit HeldIndex(std::shared_ptr<Device> on, Arguments&&... arguments)
      : device(std::move(on)), index(*device, std::forward<Arguments>(arguments)...) {}
};

/// An index of another kind. Plans hold what `kept` points to.
template <typename Kind>
struct IndexHandle {
  struct Kept {
    std::shared_ptr<Device> device;
    Kind index;
    std::uint64_t changes = 0;  // as in HeldIndex
  };
  IndexHandle(std::shared_ptr<Device> on, Kind made)
      : device(std::move(on)), kept(std::make_shared<Kept>(Kept{device, std::move(made)})), index(kept->index) {}

  std::shared_ptr<Device> device;
  std::shared_ptr<Kept> kept;
  Kind& index;
  Times times;
};

}  // namespace proxel::c_api

struct proxel_index {
  std::shared_ptr<proxel::c_api::HeldIndex> held;
  proxel::c_api::Times times;
};

struct proxel_plan {
  std::shared_ptr<proxel::Device> device;
  std::unique_ptr<proxel::c_api::Planned> planned;
  proxel::c_api::Times times;
};

struct proxel_signature_file {
  proxel::SignatureFile file;
};

struct proxel_string_index : proxel::c_api::IndexHandle<proxel::StringIndex> {};
struct proxel_signature_index : proxel::c_api::IndexHandle<proxel::SignatureIndex> {};
struct proxel_permutation_index : proxel::c_api::IndexHandle<proxel::PermutationIndex> {};
struct proxel_vector_permutation_index : proxel::c_api::IndexHandle<proxel::VectorPermutationIndex> {};
