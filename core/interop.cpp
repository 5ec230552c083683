#include "proxel/interop.hpp"

#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace proxel {
namespace interop {
namespace {

// Stands for devices that share nothing.
class NoSharing final : public Sharing {
 public:
  Support exports_memory() const override { return refusal(); }
  Support imports_memory() const override { return refusal(); }
  Support exports_semaphores() const override { return refusal(); }
  Support imports_semaphores() const override { return refusal(); }
  std::unique_ptr<Buffer> create_buffer(std::uint64_t) override { refuse(); }
  ExportedMemory export_memory(const Buffer&) override { refuse(); }
  std::unique_ptr<Buffer> import_memory(ExportedMemory) override { refuse(); }
  std::unique_ptr<Semaphore> create_semaphore(std::uint64_t) override { refuse(); }
  FileDescriptor export_semaphore(const Semaphore&) override { refuse(); }
  std::unique_ptr<Semaphore> import_semaphore(FileDescriptor) override { refuse(); }

 private:
  static Support refusal() { return Support::no("this backend shares nothing with other devices"); }
  [[noreturn]] static void refuse() { throw Error(ErrorCode::unsupported, "sharing", refusal().reason); }
};

Support shares(Device& exporter, Device& importer, Support (Sharing::*exports)() const,
               Support (Sharing::*imports)() const) {
  const auto of = [](Device& device, Support support) {
    if (!support) support.reason = fmt::format("{}: {}", device.info().id, support.reason);
    return support;
  };
  if (Support support = of(exporter, (exporter.sharing().*exports)()); !support) return support;
  if (Support support = of(importer, (importer.sharing().*imports)()); !support) return support;
  if (exporter.info().uuid != importer.info().uuid)
    return Support::no(fmt::format("{} ({}) and {} ({}) are not the same GPU", exporter.info().id, exporter.info().name,
                                   importer.info().id, importer.info().name));
  return Support::yes();
}

void require(const Support& support, const char* subject) {
  if (!support) throw Error(ErrorCode::unsupported, subject, support.reason);
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int FileDescriptor::release() { return std::exchange(number_, -1); }

Support shares_memory(Device& exporter, Device& importer) {
  return shares(exporter, importer, &Sharing::exports_memory, &Sharing::imports_memory);
}

Support shares_semaphores(Device& exporter, Device& importer) {
  return shares(exporter, importer, &Sharing::exports_semaphores, &Sharing::imports_semaphores);
}

SharedBuffer::SharedBuffer(Device& exporter, Device& importer, std::uint64_t bytes) {
  require(shares_memory(exporter, importer), "shared memory");
  exported_ = exporter.sharing().create_buffer(bytes);
  imported_ = importer.sharing().import_memory(exporter.sharing().export_memory(*exported_));
}

SharedSemaphore::SharedSemaphore(Device& exporter, Device& importer, std::uint64_t value) {
  require(shares_semaphores(exporter, importer), "shared semaphore");
  exported_ = exporter.sharing().create_semaphore(value);
  imported_ = importer.sharing().import_semaphore(exporter.sharing().export_semaphore(*exported_));
}

}  // namespace interop

interop::Sharing& Device::sharing() {
  static interop::NoSharing none;
  return none;
}

}  // namespace proxel
