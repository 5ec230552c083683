// Memory and semaphores that two devices share.
#include "proxel/interop.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include <fmt/format.h>

#include "c_api/handles.hpp"
#include "c_api/structs.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// A descriptor for an import to close; the caller keeps its own.
interop::FileDescriptor duplicate(int descriptor) {
  const int copy = descriptor < 0 ? -1 : ::dup(descriptor);
  if (copy < 0)
    refuse("descriptor", fmt::format("{} was given, which is none: {}", descriptor,
                                     descriptor < 0 ? "it is negative" : std::strerror(errno)));
  return interop::FileDescriptor(copy);
}

template <typename Shares>
proxel_status tell_sharing(proxel_device* exporter, proxel_device* importer, const Shares& shares,
                           const char* subject) {
  return guarded(
      [&] { require(shares(*handled(exporter, "exporter").device, *handled(importer, "importer").device), subject); });
}

}  // namespace

proxel_status proxel_shares_memory(proxel_device* exporter, proxel_device* importer) {
  return tell_sharing(exporter, importer, interop::shares_memory, "shared memory");
}

proxel_status proxel_shares_semaphores(proxel_device* exporter, proxel_device* importer) {
  return tell_sharing(exporter, importer, interop::shares_semaphores, "shared semaphore");
}

proxel_status proxel_buffer_create_shared(proxel_device* device, uint64_t bytes, proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = handled(device, "device").device;
    require(on->sharing().exports_memory(), "shared memory");
    *buffer = make_handle<proxel_buffer>(on, on, on->sharing().create_buffer(bytes));
  });
}

proxel_status proxel_buffer_export(const proxel_buffer* buffer, proxel_exported_memory* memory) {
  return guarded([&] {
    const HeldBuffer& own = handled(buffer, "buffer");
    check_writable(memory, "memory");
    interop::ExportedMemory exported = own.device->sharing().export_memory(*own.buffer);
    proxel_exported_memory told{};
    told.bytes = exported.bytes;
    told.allocation_bytes = exported.allocation_bytes;
    told.dedicated = exported.dedicated;
    told.descriptor = exported.descriptor.release();
    write_struct(memory, told, "memory");
  });
}

proxel_status proxel_buffer_import(proxel_device* device, const proxel_exported_memory* memory,
                                   proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = handled(device, "device").device;
    const proxel_exported_memory given = read_required(memory, "memory");
    require(on->sharing().imports_memory(), "shared memory");
    if (given.bytes == 0 || given.bytes > given.allocation_bytes)
      refuse("memory",
             fmt::format("has a buffer of {} bytes in an allocation of {}", given.bytes, given.allocation_bytes));
    if (given.dedicated > 1) refuse("dedicated", fmt::format("{} was given, 0 and 1 are allowed", given.dedicated));
    interop::ExportedMemory exported;
    exported.descriptor = duplicate(given.descriptor);
    exported.bytes = given.bytes;
    exported.allocation_bytes = given.allocation_bytes;
    exported.dedicated = given.dedicated == 1;
    *buffer = make_handle<proxel_buffer>(on, on, on->sharing().import_memory(std::move(exported)));
  });
}

proxel_status proxel_semaphore_create(proxel_device* device, uint64_t value, proxel_semaphore** semaphore) {
  return guarded([&] {
    required(semaphore, "semaphore");
    const auto& on = handled(device, "device").device;
    require(on->sharing().exports_semaphores(), "shared semaphore");
    *semaphore = make_handle<proxel_semaphore>(on, on, on->sharing().create_semaphore(value));
  });
}

proxel_status proxel_semaphore_export(const proxel_semaphore* semaphore, int* descriptor) {
  return guarded([&] {
    const HeldSemaphore& own = handled(semaphore, "semaphore");
    required(descriptor, "descriptor");
    *descriptor = own.device->sharing().export_semaphore(*own.semaphore).release();
  });
}

proxel_status proxel_semaphore_import(proxel_device* device, int descriptor, proxel_semaphore** semaphore) {
  return guarded([&] {
    required(semaphore, "semaphore");
    const auto& on = handled(device, "device").device;
    require(on->sharing().imports_semaphores(), "shared semaphore");
    *semaphore = make_handle<proxel_semaphore>(on, on, on->sharing().import_semaphore(duplicate(descriptor)));
  });
}

void proxel_semaphore_destroy(proxel_semaphore* semaphore) { destroy(semaphore); }
