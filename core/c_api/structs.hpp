#pragma once

// Sized structs: what callers of another version give and expect (proxel/c/base.h).

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "c_api/boundary.hpp"

namespace proxel::c_api {

/// Throws Error(invalid_argument) for a size that no version of a struct has.
void check_struct_size(std::size_t size, const char* argument);
/// Throws Error(unsupported) unless bytes from … to - 1 are zero.
void check_unknown_members(const void* given, std::size_t from, std::size_t to, const char* argument);

/// The caller's struct as this version has it; members that it lacks are zero, which is their default.
/// All of them are where the caller gives none.
template <typename Struct>
Struct read_struct(const Struct* given, const char* argument) {
  static_assert(std::is_trivially_copyable_v<Struct> && sizeof(Struct) % 8 == 0);
  Struct known{};
  known.struct_size = sizeof known;
  if (!given) return known;
  const std::size_t size = given->struct_size;
  check_struct_size(size, argument);
  check_unknown_members(given, sizeof known, size, argument);
  std::memcpy(&known, given, std::min(size, sizeof known));
  return known;
}

/// The same for a struct that has to be given.
template <typename Struct>
Struct read_required(const Struct* given, const char* argument) {
  return read_struct(&required(given, argument), argument);
}

/// Throws Error(invalid_argument) unless a struct can be written there, before the work whose result it is.
template <typename Struct>
void check_writable(const Struct* to, const char* argument) {
  check_struct_size(required(to, argument).struct_size, argument);
}

/// Writes what the caller's struct has room for, and zero to members that this version does not know.
template <typename Struct>
void write_struct(Struct* to, Struct value, const char* argument) {
  check_writable(to, argument);
  const std::size_t size = to->struct_size;
  value.struct_size = size;
  std::memcpy(to, &value, std::min(size, sizeof value));
  if (size > sizeof value) std::memset(reinterpret_cast<std::byte*>(to) + sizeof value, 0, size - sizeof value);
}

}  // namespace proxel::c_api
