#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"

namespace proxel::tool {

/// What the user typed for what the library calls a parameter: "--memory-limit" for memory_limit.
class OptionNames {
 public:
  OptionNames() = default;
  /// Those of the command that was chosen.
  explicit OptionNames(const CLI::App& program);

  /// The option that sets it; the parameter itself, where the command has none.
  std::string option_of(std::string_view parameter) const;
  /// The same of what a message begins with: "memory_limit: 5 was given".
  std::string translated(std::string_view message) const;

 private:
  std::vector<std::string> options_;
};

}  // namespace proxel::tool
