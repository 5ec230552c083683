#include "c_api/structs.hpp"

#include <fmt/format.h>

namespace proxel::c_api {

void check_struct_size(std::size_t size, const char* argument) {
  constexpr std::size_t least = 8, most = 4096;
  if (size % 8 != 0 || size < least || size > most)
    refuse(argument, fmt::format("a struct_size of {} was given; multiples of 8 from {} to {} are allowed, and "
                                 "PROXEL_..._INIT sets the right one",
                                 size, least, most));
}

void check_unknown_members(const void* given, std::size_t from, std::size_t to, const char* argument) {
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = from; i < to; ++i)
    if (bytes[i] != 0)
      throw Error(ErrorCode::unsupported, argument,
                  fmt::format("has members from byte {} on that this version of proxel, {}, does not know, and they "
                              "are not zero",
                              from, PROXEL_VERSION_STRING));
}

}  // namespace proxel::c_api
