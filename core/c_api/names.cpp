#include "c_api/names.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proxel::c_api {
namespace {

// Enumerators that the library itself has no names for, in the order of their names.
template <typename Enum>
Enum one_of(const char* name, const char* argument, const std::vector<std::string_view>& names,
            std::initializer_list<Enum> choices) {
  return choices.begin()[find_name(name, argument, names)];
}

}  // namespace

std::size_t find_name(const char* name, const char* argument, const std::vector<std::string_view>& names) {
  if (!name) return 0;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    refuse(argument, fmt::format("'{}' was given; {} and {} are allowed", name,
                                 fmt::join(names.begin(), names.end() - 1, ", "), names.back()));
  return static_cast<std::size_t>(found - names.begin());
}

Metric metric_named(const char* name) { return name ? metric_from_string(name) : Metric::l2sq; }

Timing timing_named(const char* name) {
  return one_of(name, "timing", {"whole", "none", "passes"}, {Timing::whole, Timing::none, Timing::passes});
}

FilterKind filter_named(const char* name) {
  return one_of(name, "filter", {"none", "shared", "per-query"},
                {FilterKind::none, FilterKind::shared, FilterKind::per_query});
}

MemoryKind memory_named(const char* name) {
  return one_of(name, "kind", {"device", "upload", "readback", "direct"},
                {MemoryKind::device, MemoryKind::upload, MemoryKind::readback, MemoryKind::direct});
}

StringUnits units_named(const char* name) {
  return one_of(name, "units", {name_of(StringUnits::code_points), name_of(StringUnits::bytes)},
                {StringUnits::code_points, StringUnits::bytes});
}

const char* name_of(StringUnits units) { return units == StringUnits::bytes ? "bytes" : "code-points"; }

StringDistance string_distance_named(const char* name, const char* argument) {
  return named(name, argument, {StringDistance::levenshtein, StringDistance::hamming});
}

SelectionMethod selection_named(const char* name, const char* argument) {
  return named(
      name, argument,
      {SelectionMethod::automatic, SelectionMethod::streaming, SelectionMethod::threshold, SelectionMethod::radix_sort,
       SelectionMethod::quick_multi_select_subgroup, SelectionMethod::quick_multi_select_workgroup,
       SelectionMethod::quick_sort, SelectionMethod::radix_select, SelectionMethod::bucket_select,
       SelectionMethod::truncated_bitonic_sort, SelectionMethod::sample_select});
}

ElementType element_named(const char* name, const char* argument) {
  return named(name, argument, {ElementType::float32, ElementType::float16, ElementType::int8, ElementType::uint8});
}

bool is_set(std::uint64_t flag, const char* argument) {
  if (flag > 1) refuse(argument, fmt::format("{} was given, 0 and 1 are allowed", flag));
  return flag == 1;
}

std::uint32_t narrow(std::uint64_t number, const char* argument) {
  if (number > UINT32_MAX) refuse(argument, fmt::format("{} was given, up to {} is allowed", number, UINT32_MAX));
  return static_cast<std::uint32_t>(number);
}

}  // namespace proxel::c_api
