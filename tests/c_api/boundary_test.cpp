// What no argument brings about: exceptions of the host, from the inside.
#include <new>
#include <stdexcept>

#include "c_api/boundary.hpp"
#include "support.hpp"

using proxel::c_api::guarded;

TEST_CASE("whatever is thrown becomes a status") {
  CHECK(guarded([] {}) == PROXEL_OK);
  CHECK(guarded([] { throw std::bad_alloc(); }) == PROXEL_OUT_OF_MEMORY);
  CHECK(std::string(proxel_last_error()).find("memory") != std::string::npos);
  CHECK(guarded([] { throw std::logic_error("a fault"); }) == PROXEL_INTERNAL_ERROR);
  CHECK(std::string(proxel_last_error()) == "a fault");
  CHECK(std::string(proxel_last_error_subject()).empty());
  CHECK(guarded([] { throw 5; }) == PROXEL_INTERNAL_ERROR);
  for (int code = 1; code <= 8; ++code) {
    CHECK(guarded([&] { throw proxel::Error(static_cast<proxel::ErrorCode>(code), "this", "is wrong"); }) == code);
    CHECK(std::string(proxel_last_error()) == "this: is wrong");
    CHECK(std::string(proxel_last_error_subject()) == "this");
  }
}
