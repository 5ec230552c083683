#pragma once

// What handles stand for. A handle is a number, not an address: that of a slot, and how often the slot has been
// used. So one that has been destroyed, is of another kind or was never made is known without being followed.

#include <cstdint>
#include <memory>
#include <span>

namespace proxel {
class Device;
}

namespace proxel::c_api {

enum class HandleKind : std::uint8_t {
  device,
  device_list,
  buffer,
  recording,
  semaphore,
  answer,
  index,
  plan,
  signature_file,
  data,
  vulkan_wishes,
};

/// What a call does with a handle.
enum class Use {
  alone,   ///< nobody else uses the same device, or anything made from it, meanwhile
  reading  ///< of what never changes
};

/// One call from C: what it uses is kept, and kept from others, until it ends.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  friend struct CallStack;
  Call* outer_;              // whose progress callback made this one
  std::size_t kept_, used_;  // of those before it
};

/// A new handle. @param devices  that the object was made from
void* add_handle(HandleKind kind, std::shared_ptr<void> object, std::span<Device* const> devices);

/// What a handle, which is not null, stands for, until the latest Call of this thread ends. Throws
/// Error(invalid_argument) that names `argument` where it stands for nothing of that kind, or somebody else uses
/// the device.
void* resolve(const void* handle, HandleKind kind, Use use, const char* argument);

/// Ends a handle; null is none. What it stood for goes when nobody uses it or its device any more. Sets the error
/// of the thread where there is no such handle.
void destroy_handle(const void* handle, HandleKind kind) noexcept;

}  // namespace proxel::c_api
