#include "option_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <CLI/CLI.hpp>

namespace proxel::tool {
namespace {

// Options that are not called as the parameter is. Of an index what can be wrong for a single search is its method.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> otherwise_called = {
    {{"division", "--divide"}, {"options", "--method"}, {"pivot count", "--pivots"}}};
// An option of that name says something else.
constexpr std::string_view not_an_option = "rows";

std::string name_of(std::string_view parameter) {
  for (const auto& [called, option] : otherwise_called)
    if (called == parameter) return std::string(option);
  std::string option = "--" + std::string(parameter);
  std::ranges::replace(option, '_', '-');
  return option;
}

}  // namespace

OptionNames::OptionNames(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  for (const CLI::Option* option : command->get_options())
    for (const std::string& name : option->get_lnames()) options_.push_back("--" + name);
}

std::string OptionNames::option_of(std::string_view parameter) const {
  const std::string option = name_of(parameter);
  const bool is_one = parameter != not_an_option && std::ranges::find(options_, option) != options_.end();
  return is_one ? option : std::string(parameter);
}

std::string OptionNames::translated(std::string_view message) const {
  const std::size_t end = message.find(": ");
  if (end == std::string_view::npos) return std::string(message);
  return option_of(message.substr(0, end)) + std::string(message.substr(end));
}

}  // namespace proxel::tool
