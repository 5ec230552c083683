#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/error.hpp"
#include "proxel/export.h"
#include "proxel/pass.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

namespace interop {
class Sharing;
}

enum class BackendKind { cpu, vulkan, cuda };
std::string_view to_string(BackendKind kind);

/// What a device can do, probed when it is listed or wrapped.
struct Capabilities {
  std::uint64_t memory_bytes = 0;          ///< size of the largest device-local heap
  std::uint64_t max_allocation_bytes = 0;  ///< largest single buffer
  std::uint32_t subgroup_size = 1;         ///< lanes of a warp, wave or subgroup
  std::uint32_t max_workgroup_size = 1;    ///< invocations of one workgroup
  std::uint32_t shared_memory_bytes = 0;   ///< per workgroup
  std::uint32_t multiprocessors = 0;       ///< 0 where the driver does not tell
  std::uint32_t max_texture_extent = 0;    ///< width and height, texels
  std::uint32_t max_texture_layers = 0;
  bool timestamps = false;    ///< passes can be timed on the device
  bool runs_on_host = false;  ///< a processor posing as a GPU, or the CPU backend
};

/// One entry of a backend's list of devices.
struct DeviceInfo {
  BackendKind backend = BackendKind::cpu;
  std::uint32_t index = 0;              ///< position in the backend's list, from 0
  std::string id;                       ///< "cpu", "cpu:reference", "vulkan:0", "cuda:1"
  std::string name;                     ///< as the driver gives it
  std::string driver;                   ///< driver name and version
  std::array<std::uint8_t, 16> uuid{};  ///< zeros where unknown; equal for one GPU seen by Vulkan and CUDA
  Capabilities capabilities;
  Support usable;  ///< whether proxel can run on it, or why not
};

/// Where a buffer's memory lies and who may touch it.
enum class MemoryKind {
  device,    ///< fastest for kernels; mapped() is null
  upload,    ///< written by the host through mapped(), read by kernels
  readback,  ///< written by kernels, read by the host through mapped()
  /// Memory of the device's own that the host writes, in order, through mapped(), and does not read: kernels need no copy of it. Where there
  /// is none create_buffer() throws Error(unsupported), as on CUDA; where too little is left, and through Vulkan for more than a 32nd of
  /// what the host can write, Error(out_of_memory). On `cpu` it is memory like any other.
  direct,
};

class Device;

/// Linear memory that kernels reach by address. Freed by its destructor, which
/// the caller runs only after work that uses the buffer has finished.
class Buffer {
 public:
  virtual ~Buffer() = default;
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  /// The address that kernels of the same device use; at least 256-byte aligned where proxel made the buffer.
  std::uint64_t address() const { return address_; }
  /// Host pointer for all but device memory, coherent; null for device memory.
  void* mapped() const { return mapped_; }
  /// The device that it was made by or wrapped for; null where a class of the caller's does not say.
  /// Recordings of a device accept buffers whose device shares_addresses() with it, and no others.
  const Device* device() const { return owner_; }

 protected:
  const Device* owner_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t address_ = 0;
  void* mapped_ = nullptr;
};

/// A range of a buffer. Does not own it. Whether the range lies within the buffer is checked where it is used.
struct BufferView {
  Buffer* buffer = nullptr;
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t bytes = 0;

  BufferView() = default;
  BufferView(Buffer& whole) : buffer(&whole), bytes(whole.bytes()) {}
  BufferView(Buffer& of, std::uint64_t first_byte, std::uint64_t byte_count)
      : buffer(&of), offset(first_byte), bytes(byte_count) {}

  /// 0 without a buffer.
  std::uint64_t address() const { return buffer ? buffer->address() + offset : 0; }
  /// A part of this view. Throws Error(invalid_argument) when it does not fit.
  BufferView part(std::uint64_t first_byte, std::uint64_t byte_count) const;
};

enum class TexelFormat {
  rgba32_float,  ///< four binary32 values
  rgba32_uint,   ///< four 32-bit integers
};

/// A two-dimensional array texture with 16-byte texels. Vulkan keeps it as a
/// storage image; elsewhere it is linear memory, [layer][y][x], at address().
class Texture {
 public:
  virtual ~Texture() = default;
  Texture() = default;
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint32_t layers() const { return layers_; }
  TexelFormat format() const { return format_; }
  /// Address of texel (0, 0, layer 0), or 0 where the texture is opaque.
  std::uint64_t address() const { return address_; }

 protected:
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  std::uint32_t layers_ = 0;
  TexelFormat format_ = TexelFormat::rgba32_float;
  std::uint64_t address_ = 0;
};

/// Where work is written down. Nothing is allocated, submitted, waited for or
/// read back by these calls; a backend also implements this class over a
/// command buffer or stream that belongs to the caller.
class Recording {
 public:
  virtual ~Recording() = default;
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The device that executes it. Null where a class of the caller's does not say: plans then cannot check
  /// that they and the buffers they are given are of that device.
  virtual const Device* executes_on() const { return nullptr; }

  /// Adds a pass. Passes may overlap until a barrier separates them.
  virtual void record(const Pass& pass) = 0;
  /// Everything recorded before happens, and is visible, before anything
  /// recorded after: kernels, copies and fills alike.
  virtual void barrier() = 0;
  /// Copies from.bytes bytes; offsets and sizes are multiples of 4. This and fill() throw Error(invalid_argument)
  /// for a view without a buffer, past its end, or of another device.
  virtual void copy(const BufferView& from, const BufferView& to) = 0;
  /// Sets every byte of the view; offset and size are multiples of 4.
  virtual void fill(const BufferView& view, std::uint8_t byte) = 0;
  /// Opens a named group of passes, shown by RenderDoc, Nsight and --trace.
  virtual void push_label(std::string_view name) = 0;
  /// Closes the group that was opened last. Does nothing where none is open.
  virtual void pop_label() = 0;
};

/// Device time of one pass, copy or fill.
struct PassTime {
  /// The pass's name, "copy" or "fill". The last of a recording is "rest": what the whole took longer than all others.
  std::string name;
  std::string label;  ///< labels that were open around it, joined by '/'
  double milliseconds = 0;
};

enum class Timing {
  none,
  whole,   ///< two timestamps, around everything
  passes,  ///< around every pass as well; costs a little between passes
};

/// A recording that proxel owns and can submit any number of times.
class Commands : public Recording {
 public:
  /// Forgets what was recorded and starts anew.
  virtual void begin() = 0;
  virtual void end() = 0;
  /// Device time of the latest completed submission, milliseconds.
  /// Zero when created with Timing::none or on a device without timestamps.
  virtual double milliseconds() const = 0;
  /// The latest completed submission in the order in which it was recorded, the same names on every backend.
  /// Empty unless Timing::passes, and on a device without timestamps.
  virtual std::vector<PassTime> pass_times() const = 0;
};

/// One opened device. Not thread-safe: one thread at a time records to and
/// submits on a device. To submit or wait beside another thread's submit() or wait() is
/// Error(invalid_argument), as is to search an index that another thread searches. Outlives every object made from it.
class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return info_; }
  const Capabilities& capabilities() const { return info_.capabilities; }
  /// Whether an address means the same memory on both devices, so that the buffers of one serve the other:
  /// all devices of the host, devices that wrap one VkDevice, those of one CUDA ordinal.
  virtual bool shares_addresses(const Device& other) const { return this == &other; }

  /// Whether this pass, with these constants and this grid, can run here.
  virtual Support supports(const Pass& pass) const = 0;
  /// Builds what the pass needs (a Vulkan pipeline) so that recording it later
  /// allocates nothing. Throws Error(unsupported) with supports()'s reason.
  virtual void prepare(const Pass& pass) = 0;

  /// @param bytes 1 … capabilities().max_allocation_bytes; contents undefined.
  /// Throws Error(out_of_memory) and leaves the device usable.
  virtual std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) = 0;
  virtual std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                                  TexelFormat format) = 0;
  virtual std::unique_ptr<Commands> create_commands(Timing timing) = 0;

  /// Starts the recorded work and returns at once; submissions run in order.
  virtual void submit(Commands& commands) = 0;
  /// Returns when everything submitted has finished. Where it throws, that has finished as well, or the device is
  /// lost: what it used may be destroyed.
  virtual void wait() = 0;

  /// Whether copies run beside submitted work. Another thread than that which submits may then start them and wait for
  /// them, one thread at a time.
  virtual bool copies_beside() const { return false; }
  /// Starts a copy from upload memory to device memory, beside submitted work where copies_beside() says so: the caller
  /// keeps work that touches either side apart from it. Elsewhere the copy is done when this returns.
  virtual void start_copy(const BufferView& from, const BufferView& to);
  /// Returns when every copy that was started has finished: what is submitted then sees what they wrote.
  /// @param but  of the copies that were started last so many, at most 7, may still run
  virtual void wait_copies(std::uint32_t but = 0) { static_cast<void>(but); }

  /// Whether pin() serves here, or why not.
  virtual Support supports_pinning() const;
  /// Locks host memory of the caller's where it lies, so that start_copy() reads it without a copy of the host's in
  /// between. Whole pages are: mapped() of the result is `memory`, or up to a page before. The memory stays until the
  /// result has been destroyed, which unlocks it, and nobody writes to it beside a copy.
  /// @param bytes  from 1; with those pages at most capabilities().max_allocation_bytes
  /// Throws Error(unsupported) with supports_pinning()'s reason or that of the system, Error(out_of_memory) where it
  /// locks no more.
  virtual std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes);

  /// Memory and semaphores that this device shares with others (proxel/interop.hpp).
  virtual interop::Sharing& sharing();

 protected:
  DeviceInfo info_;
};

/// Copies host memory into a device buffer through upload memory, and waits.
void upload(Device& device, const BufferView& to, const void* from);
/// Copies a device buffer to host memory through readback memory, and waits.
void download(Device& device, const BufferView& from, void* to);

/// A family of devices. Entries live as long as the program.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual BackendKind kind() const = 0;
  /// Whether this backend was built in and its driver was found, or why not.
  virtual Support available() const = 0;
  /// Every device, usable or not. Empty when not available.
  virtual std::vector<DeviceInfo> devices() const = 0;
  /// Opens devices()[index]. Throws Error(not_found | unsupported).
  virtual std::unique_ptr<Device> open(std::uint32_t index) const = 0;
};

/// All backends in the order cpu, vulkan, cuda; one that was left out of the
/// build is listed with its reason.
const std::vector<const Backend*>& backends();

/// Devices of all backends.
std::vector<DeviceInfo> list_devices();

/// Where compiled pipelines are kept between runs. Empty (the default): nowhere.
/// Takes effect for devices opened afterwards; a missing directory is created,
/// one that cannot be written is ignored.
void set_pipeline_cache_directory(const std::string& path);
const std::string& pipeline_cache_directory();

/// Opens a device by id: "cpu", "cpu:reference", "vulkan", "vulkan:1", "cuda:0";
/// a backend's name alone means its device 0.
/// Throws Error(not_found) that lists the ids there are.
std::unique_ptr<Device> open_device(std::string_view id);

}  // namespace proxel
PROXEL_PUBLIC_END
