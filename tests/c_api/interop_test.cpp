// Memory and semaphores that two devices of one GPU share.
#include "proxel/interop.hpp"

#include <unistd.h>

#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("what devices share is what the C++ interface says") {
  for (const std::string& from : device_ids())
    for (const std::string& to : device_ids()) {
      CAPTURE(from);
      CAPTURE(to);
      const DeviceHandle exporter = open(from), importer = open(to);
      const auto own_from = open_device(from), own_to = open_device(to);
      const Support memory = interop::shares_memory(*own_from, *own_to);
      const Support semaphores = interop::shares_semaphores(*own_from, *own_to);
      CHECK((proxel_shares_memory(exporter, importer) == PROXEL_OK) == bool(memory));
      if (!memory) CHECK(std::string(proxel_last_error()).find(memory.reason) != std::string::npos);
      CHECK((proxel_shares_semaphores(exporter, importer) == PROXEL_OK) == bool(semaphores));
      if (!memory) continue;

      BufferHandle exported, imported;
      CHECK_OK(proxel_buffer_create_shared(exporter, 1024, &exported));
      proxel_exported_memory handed = PROXEL_EXPORTED_MEMORY_INIT;
      CHECK_OK(proxel_buffer_export(exported, &handed));
      CHECK(handed.bytes == 1024);
      CHECK_OK(proxel_buffer_import(importer, &handed, &imported));
      ::close(handed.descriptor);
      std::vector<std::uint32_t> values(256), seen(256);
      for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = 7 * i;
      CHECK_OK(proxel_buffer_write(exported, 0, values.data(), 1024));
      CHECK_OK(proxel_device_wait(exporter));
      CHECK_OK(proxel_buffer_read(imported, 0, seen.data(), 1024));
      CHECK(seen == values);
      if (!semaphores) continue;
      SemaphoreHandle made, known;
      int descriptor = -1;
      CHECK_OK(proxel_semaphore_create(exporter, 3, &made));
      CHECK_OK(proxel_semaphore_export(made, &descriptor));
      CHECK_OK(proxel_semaphore_import(importer, descriptor, &known));
      ::close(descriptor);
      if (to.rfind("cuda", 0) != 0) continue;
      CHECK_OK(proxel_cuda_signal(known, nullptr, 4));
      CHECK_OK(proxel_cuda_wait(known, nullptr, 4));
      CHECK_OK(proxel_device_wait(importer));
    }
}

TEST_CASE("devices that share nothing say so, and arguments are checked") {
  const DeviceHandle cpu = open("cpu");
  BufferHandle plain, none;
  SemaphoreHandle semaphore;
  CHECK_OK(proxel_buffer_create(cpu, 64, nullptr, &plain));
  proxel_exported_memory memory = PROXEL_EXPORTED_MEMORY_INIT;
  int descriptor = -1;
  CHECK_FAILS(proxel_shares_memory(cpu, cpu), PROXEL_UNSUPPORTED, "shared memory");
  CHECK_FAILS(proxel_shares_semaphores(nullptr, cpu), PROXEL_INVALID_ARGUMENT, "exporter");
  CHECK_FAILS(proxel_buffer_create_shared(cpu, 64, &none), PROXEL_UNSUPPORTED, "shared memory");
  CHECK(proxel_buffer_export(plain, &memory) == PROXEL_UNSUPPORTED);
  CHECK(memory.descriptor == -1);
  CHECK_FAILS(proxel_buffer_import(cpu, &memory, &none), PROXEL_UNSUPPORTED, "shared memory");
  CHECK_FAILS(proxel_buffer_import(cpu, nullptr, &none), PROXEL_INVALID_ARGUMENT, "memory");
  CHECK_FAILS(proxel_semaphore_create(cpu, 0, &semaphore), PROXEL_UNSUPPORTED, "shared semaphore");
  CHECK_FAILS(proxel_semaphore_import(cpu, 0, &semaphore), PROXEL_UNSUPPORTED, "shared semaphore");
  CHECK_FAILS(proxel_semaphore_export(nullptr, &descriptor), PROXEL_INVALID_ARGUMENT, "semaphore");
  CHECK(none == nullptr);
  CHECK(semaphore == nullptr);
}
