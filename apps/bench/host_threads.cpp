#include "bench/host_threads.hpp"

#include <cstdlib>
#include <string>

#include "devices.hpp"

namespace proxel::tool {

std::unique_ptr<Device> open_with_threads(std::uint32_t threads) {
  constexpr const char* name = "PROXEL_CPU_THREADS";
  const char* before = std::getenv(name);
  const std::string kept = before ? before : "";
  setenv(name, std::to_string(threads).c_str(), 1);
  auto device = open_checked("cpu");
  if (before)
    setenv(name, kept.c_str(), 1);
  else
    unsetenv(name);
  return device;
}

}  // namespace proxel::tool
