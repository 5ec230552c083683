#include "architectures.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace proxel::cuda {
namespace {

// One entry: "80", "80-real", "90a-virtual" …
bool covers(std::string_view entry, int capability) {
  int built_for = 0;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), built_for);
  // "native", "all" and "all-major" have no number; opening the device decides.
  if (error != std::errc()) return true;
  const std::string_view rest = entry.substr(static_cast<std::size_t>(end - entry.data()));
  const bool machine_code = rest.find("-virtual") == std::string_view::npos;
  const bool portable_code = rest.find("-real") == std::string_view::npos;
  // "90a" runs on 9.0 and nothing else.
  if (rest.starts_with('a')) return capability == built_for;
  // Machine code runs within its generation, portable code on all that follow.
  const bool same_generation = capability / 10 == built_for / 10;
  return capability >= built_for && (portable_code || (machine_code && same_generation));
}

}  // namespace

Support kernels_run_on(std::string_view architectures, int major, int minor) {
  for (std::string_view rest = architectures; !rest.empty();) {
    const std::size_t length = std::min(rest.find(','), rest.size());
    if (covers(rest.substr(0, length), 10 * major + minor)) return Support::yes();
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return Support::no(Limit::build, fmt::format("has compute capability {}.{}; this build holds kernels for {}", major,
                                               minor, architectures));
}

}  // namespace proxel::cuda
