#pragma once

#include "../data/support.hpp"

namespace demo::test {

using Folder = proxel::testing::TemporaryFolder;

/// The error that something ends in.
template <typename Action>
proxel::Error error_of(const Action& action) {
  try {
    action();
  } catch (const proxel::Error& error) {
    return error;
  }
  FAIL("nothing was refused");
  return {proxel::ErrorCode::backend_failure, "", ""};
}

}  // namespace demo::test
