#include "cpu/processor.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

namespace proxel::cpu {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "host processor";
}

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return std::uint64_t{1} << 32;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

std::uint32_t thread_count() {
  if (const char* text = std::getenv("PROXEL_CPU_THREADS")) {
    const std::string_view view(text);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), count);
    if (error == std::errc{} && end == view.data() + view.size() && count >= 1 && count <= 1024) return count;
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace proxel::cpu
