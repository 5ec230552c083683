#pragma once

#include <string_view>

#include <doctest/doctest.h>

#include "proxel/error.hpp"

namespace proxel::unit {

/// Checks that a call throws Error of that code about that subject.
template <typename Call>
void check_refused(const Call& call, std::string_view subject, ErrorCode code = ErrorCode::invalid_argument) {
  CAPTURE(subject);
  try {
    call();
    FAIL("was not refused");
  } catch (const Error& error) {
    CHECK(error.code() == code);
    CHECK(error.subject() == subject);
  }
}

}  // namespace proxel::unit
