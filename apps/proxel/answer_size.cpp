#include "answer_size.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "console.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// A number alone in a file of the system's; unlimited where there is none.
std::uint64_t number_in(const char* path) {
  std::uint64_t number = 0;
  return std::ifstream(path) >> number ? number : unlimited;
}

// What Linux believes to have without swapping.
std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
  }
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

// What Linux has, and what a container leaves of it.
std::uint64_t free_memory() {
  const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
  const std::uint64_t left = most == unlimited || used == unlimited ? unlimited : most - std::min(most, used);
  return std::min(available_memory(), left);
}

void check_answer_size(std::uint64_t queries, std::uint64_t k, std::uint64_t rows, std::uint64_t as_json) {
  constexpr std::uint64_t neighbor_bytes = 8;  // index and distance
  constexpr std::uint64_t json_bytes = 320;    // its objects and its text, as they were measured
  constexpr std::uint64_t worth_a_word = std::uint64_t{1} << 26;
  const double exact = static_cast<double>(k) *
                       (static_cast<double>(queries) * neighbor_bytes + static_cast<double>(as_json) * json_bytes);
  const std::uint64_t bytes = exact < 0x1p63 ? static_cast<std::uint64_t>(exact) : unlimited;
  if (const std::uint64_t memory = free_memory(); bytes > memory)
    throw Error(
        ErrorCode::invalid_argument, "--k",
        fmt::format("{} neighbours of {} queries are {}{}, and {} are free{}", with_separators(k),
                    with_separators(queries), as_bytes(bytes), as_json != 0 ? " with their JSON" : "", as_bytes(memory),
                    k > rows ? fmt::format("; there are {} rows to find", with_separators(rows)) : ""));
  if (k > rows && queries * (k - rows) * neighbor_bytes >= worth_a_word)
    warn(fmt::format("k is {}, and there are {} rows: {} of the answer are padding", with_separators(k),
                     with_separators(rows), as_bytes(queries * (k - rows) * neighbor_bytes)));
}

void check_radius(Metric metric, float radius, const char* option) {
  if (std::isnan(radius))
    throw Error(ErrorCode::invalid_argument, option, "nan was given; no distance can be compared with it");
  const bool never_negative =
      metric == Metric::l1 || metric == Metric::l2sq || metric == Metric::l2 || metric == Metric::linf;
  if (never_negative && radius < 0)
    throw Error(ErrorCode::invalid_argument, option,
                fmt::format("{} was given; no {} distance is negative", as_float(radius), to_string(metric)));
}

}  // namespace proxel::tool
