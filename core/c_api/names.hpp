#pragma once

// What is given by name. NULL is the default, which stands first.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/boundary.hpp"
#include "proxel/permutation.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

/// The position of a name. Throws Error(invalid_argument) that lists the names there are.
std::size_t find_name(const char* name, const char* argument, const std::vector<std::string_view>& names);

/// One of some enumerators by the name that to_string() has for it.
template <typename Enum>
Enum named(const char* name, const char* argument, std::initializer_list<Enum> choices) {
  std::vector<std::string_view> names;
  for (const Enum choice : choices) names.push_back(to_string(choice));
  return choices.begin()[find_name(name, argument, names)];
}

Metric metric_named(const char* name);
Timing timing_named(const char* name);
FilterKind filter_named(const char* name);
MemoryKind memory_named(const char* name);
StringUnits units_named(const char* name);
/// Never freed.
const char* name_of(StringUnits units);
StringDistance string_distance_named(const char* name, const char* argument);
SelectionMethod selection_named(const char* name, const char* argument);
ElementType element_named(const char* name, const char* argument);

/// The string, which must be given.
inline std::string text_of(const char* text, const char* argument) { return &required(text, argument); }

/// Whether a member that is 0 or 1 is 1. Throws Error(invalid_argument) for anything else.
bool is_set(std::uint64_t flag, const char* argument);

/// A number of 32 bits. Throws Error(invalid_argument) for a larger one.
std::uint32_t narrow(std::uint64_t number, const char* argument);

}  // namespace proxel::c_api
