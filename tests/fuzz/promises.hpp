#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "proxel/error.hpp"

namespace proxel::fuzzing {

/// Aborts where it does not.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// The result, or nothing where the file was refused as it may be.
template <typename Action>
auto attempt(const std::string& file_name, const Action& action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const Error& error) {
    require(error.subject() == file_name, "an error names the file");
    require(std::string_view(error.what()).size() > file_name.size() + 2, "an error gives a reason");
    require(error.code() == ErrorCode::malformed_file || error.code() == ErrorCode::unsupported ||
                error.code() == ErrorCode::not_found || error.code() == ErrorCode::out_of_memory,
            "the error is one of those that a file's content can cause");
    return std::nullopt;
  }
}

}  // namespace proxel::fuzzing
