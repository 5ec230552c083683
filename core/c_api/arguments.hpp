#pragma once

// Values of the caller's as the C++ interface takes them, checked.

#include <span>

#include "c_api/handles.hpp"
#include "c_api/structs.hpp"

namespace proxel::c_api {

/// Numbers that may be null where there are none.
std::span<const std::uint32_t> numbers_of(const std::uint32_t* numbers, std::uint64_t count, const char* argument);

/// A limit of which 0 is the default.
inline std::uint64_t limit_or(std::uint64_t given, std::uint64_t usual) { return given != 0 ? given : usual; }

/// The part of a buffer, which must be of that device; none where the view has no buffer.
BufferView view_of(const proxel_buffer_view& view, const Device& device, const char* argument);

/// Copies a text as get_text functions do.
void copy_text(const std::string& from, char* text, std::uint64_t capacity, std::uint64_t* bytes);

}  // namespace proxel::c_api
