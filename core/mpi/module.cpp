// proxel_mpi.so, by which the tool talks to the other ranks that mpirun has started.
#include "module.h"

#include <memory>
#include <string>

#include "proxel/mpi/messages.hpp"

namespace {

std::unique_ptr<proxel::mpi::Messages> messages;
std::string reason, name;
ProxelMpiRanks ranks;

void leave() {
  messages.reset();
  MPI_Finalize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const ProxelMpiRanks* proxel_mpi_join(const char** library,
                                                                                        const char** why) {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  std::string version(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  name = version.substr(0, version.find_first_of(",\n"));
  *library = name.c_str();
  reason = proxel::mpi::Messages::why_not();
  *why = reason.c_str();
  if (!reason.empty()) return nullptr;
  messages = std::make_unique<proxel::mpi::Messages>(MPI_COMM_WORLD);
  ranks = {static_cast<std::uint32_t>(messages->rank()),
           static_cast<std::uint32_t>(messages->size()),
           [](const void* bytes, std::size_t count, std::uint32_t to) {
    messages->send({static_cast<const std::byte*>(bytes), count}, static_cast<int>(to));
  },
           [](void* bytes, std::size_t count, std::uint32_t from) {
    messages->receive({static_cast<std::byte*>(bytes), count}, static_cast<int>(from));
  },
           [](std::uint64_t call) { messages->warn(call); },
           [](std::uint64_t call) { return messages->warned(call) ? 1 : 0; },
           [](const char* text, std::size_t count, int code) { messages->abort({text, count}, code); },
           leave};
  return &ranks;
}
