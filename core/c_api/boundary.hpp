#pragma once

// Where calls from C enter: what is thrown inside becomes a status and the error of the thread.

#include <string>

#include "c_api/registry.hpp"
#include "proxel/error.hpp"
#include "proxel/index.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

/// Thrown where a progress callback asks for the end.
struct Cancelled {};

/// What the exception that is being handled comes to; keeps its message.
proxel_status remember_failure() noexcept;

template <typename Body>
proxel_status guarded(const Body& body) noexcept {
  try {
    const Call call;
    body();
    return PROXEL_OK;
  } catch (...) {
    return remember_failure();
  }
}

[[noreturn]] inline void refuse(const std::string& argument, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, argument, why);
}

inline void require_given(const void* pointer, const char* argument) {
  if (!pointer) refuse(argument, "is a null pointer");
}

/// What a pointer that must be given points to.
template <typename T>
T& required(T* pointer, const char* argument) {
  require_given(pointer, argument);
  return *pointer;
}

/// Throws Error(unsupported) with the reason where something is not.
inline void require(const Support& support, const std::string& subject) {
  if (!support) throw Error(ErrorCode::unsupported, subject, support.reason);
}

/// A callback that throws Cancelled where the caller's asks for the end.
Progress progress_of(proxel_progress callback, void* user);

/// Writes a number where the caller wants it.
template <typename T, typename Value>
void tell(T* to, const Value& value) {
  if (to) *to = static_cast<T>(value);
}

}  // namespace proxel::c_api
