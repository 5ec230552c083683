#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>

namespace proxel::tool {

/// Refuses infinities and NaN, which lie within any CLI::Range.
inline CLI::Validator finite() {
  const auto check = [](std::string& text) {
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                             : "Value " + text + " is not a finite number";
  };
  return {check, ""};
}

}  // namespace proxel::tool
