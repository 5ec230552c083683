#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>

namespace proxel::tool {

/// Refuses infinities and NaN, which lie within any CLI::Range.
inline CLI::Validator finite() {
  return CLI::Validator("", [](std::string& text) {
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                             : "Value " + text + " is not a finite number";
  }, "");
}

}  // namespace proxel::tool
