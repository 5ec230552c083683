#include "index/methods.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proxel {
namespace index {
namespace {

constexpr MethodEntry entries[] = {
    {Method::texel, "texel", make_texel_searcher},
    {Method::fused, "fused", make_fused_searcher},
    {Method::scan, "scan", make_scan_searcher},
    {Method::bvh, "bvh", make_bvh_searcher},
    {Method::garcia_direct, "garcia-direct", make_garcia_direct_searcher},
    {Method::garcia_gemm, "garcia-gemm", make_garcia_gemm_searcher},
    {Method::komarov, "komarov", make_komarov_searcher},
};

// Where supported and worthwhile; the last serves everything.
constexpr Method best_first[] = {Method::bvh, Method::fused, Method::scan};
constexpr std::string_view automatic_name = "auto";

}  // namespace

std::span<const MethodEntry> methods() { return entries; }

std::span<const Method> answering_methods(const Method& method) {
  if (method == Method::automatic) return best_first;
  return {&method, 1};
}

const MethodEntry& entry_of(Method method) {
  const auto entry =
      std::find_if(std::begin(entries), std::end(entries), [&](const MethodEntry& e) { return e.method == method; });
  if (entry == std::end(entries))
    throw Error(ErrorCode::invalid_argument, "method",
                fmt::format("{} is not the value of a method", static_cast<int>(method)));
  return *entry;
}

}  // namespace index

std::string_view to_string(Method method) {
  for (const index::MethodEntry& entry : index::methods())
    if (entry.method == method) return entry.name;
  return method == Method::automatic ? index::automatic_name : "unknown";
}

std::vector<std::string> method_names() {
  std::vector<std::string> names{std::string(index::automatic_name)};
  for (const index::MethodEntry& entry : index::methods()) names.emplace_back(entry.name);
  return names;
}

Method method_from_string(std::string_view name) {
  if (name == index::automatic_name) return Method::automatic;
  for (const index::MethodEntry& entry : index::methods())
    if (entry.name == name) return entry.method;
  const std::vector<std::string> names = method_names();
  throw Error(ErrorCode::invalid_argument, "method",
              fmt::format("'{}' was given; {} and {} are allowed", name,
                          fmt::join(names.begin(), names.end() - 1, ", "), names.back()));
}

}  // namespace proxel
