#include "proxel/division.hpp"

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel {

std::string_view to_string(Division division) { return division == Division::queries ? "queries" : "rows"; }

Division division_from_string(std::string_view name) {
  for (const Division division : {Division::rows, Division::queries})
    if (name == to_string(division)) return division;
  throw Error(ErrorCode::invalid_argument, "division",
              fmt::format("'{}' was given; rows and queries are allowed", name));
}

}  // namespace proxel
