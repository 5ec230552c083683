#include "cpu/device.hpp"

#include <new>

#include <fmt/format.h>

#include "cpu/commands.hpp"
#include "cpu/memory.hpp"
#include "search/check.hpp"

namespace proxel::cpu {

HostDevice::HostDevice(DeviceInfo info, bool plain, std::uint32_t threads) : plain_(plain), workers_(threads) {
  info_ = std::move(info);
}

Support HostDevice::supports(const Pass& pass) const {
  if (!pass.kind || !pass.kind->reference)
    return Support::no(Limit::kernel, fmt::format("the host has no pass '{}'", pass.name()));
  const Capabilities& has = capabilities();
  if (pass.workgroup_size > has.max_workgroup_size)
    return Support::no(fmt::format("needs workgroups of {} invocations, the device has {}", pass.workgroup_size,
                                   has.max_workgroup_size));
  if (pass.shared_bytes > has.shared_memory_bytes)
    return Support::no(
        fmt::format("needs {} bytes of shared memory, the device has {}", pass.shared_bytes, has.shared_memory_bytes));
  return Support::yes();
}

void HostDevice::prepare(const Pass& pass) {
  if (const Support support = supports(pass); !support)
    throw Error(ErrorCode::unsupported, pass.name(), support.reason);
}

std::unique_ptr<Buffer> HostDevice::create_buffer(std::uint64_t bytes, MemoryKind kind) {
  search::require_enumerator("memory kind", kind, MemoryKind::direct);
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "buffer size", "0 bytes were given, at least 1 is allowed");
  if (bytes > capabilities().max_allocation_bytes)
    throw Error(ErrorCode::out_of_memory, "buffer",
                fmt::format("{} bytes were asked for, the machine has {}", bytes, capabilities().max_allocation_bytes));
  return std::make_unique<HostBuffer>(*this, bytes, kind);
}

std::unique_ptr<Buffer> HostDevice::pin(const void* memory, std::uint64_t bytes) {
  search::require_pinnable(memory, bytes);
  return std::make_unique<PinnedBuffer>(*this, memory, bytes);
}

std::unique_ptr<Texture> HostDevice::create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                                    TexelFormat format) {
  search::require_enumerator("texel format", format, TexelFormat::rgba32_uint);
  const Capabilities& has = capabilities();
  if (width == 0 || height == 0 || layers == 0 || width > has.max_texture_extent || height > has.max_texture_extent ||
      layers > has.max_texture_layers)
    throw Error(ErrorCode::invalid_argument, "texture size",
                fmt::format("{} x {} x {} layers were given, 1 to {} x {} x {} are allowed", width, height, layers,
                            has.max_texture_extent, has.max_texture_extent, has.max_texture_layers));
  const std::uint64_t bytes = std::uint64_t{width} * height * layers * 16;
  if (bytes > has.max_allocation_bytes)
    throw Error(ErrorCode::out_of_memory, "texture",
                fmt::format("{} bytes were asked for, the machine has {}", bytes, has.max_allocation_bytes));
  return std::make_unique<HostTexture>(width, height, layers, format);
}

std::unique_ptr<Commands> HostDevice::create_commands(Timing timing) {
  search::require_enumerator("timing", timing, Timing::passes);
  return std::make_unique<HostCommands>(*this, plain_, timing);
}

void HostDevice::submit(Commands& commands) {
  const InUse::Scope in_use(in_use_, info_.id.c_str());
  Machine machine{workers_, usable_kernels().front()};
  try {
    dynamic_cast<HostCommands&>(commands).run(machine);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, info_.id, "the working memory of a pass could not be allocated");
  }
}

}  // namespace proxel::cpu
