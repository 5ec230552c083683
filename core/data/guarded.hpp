#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "proxel/error.hpp"

namespace proxel::data {

/// What the action returns. What the machine cannot hold is an error like any other:
/// Error(out_of_memory) that names the file.
template <typename Action>
auto guarded(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, file, "this machine's memory does not hold its content");
  } catch (const std::length_error&) {
    throw Error(ErrorCode::out_of_memory, file, "this machine's memory does not hold its content");
  }
}

}  // namespace proxel::data
