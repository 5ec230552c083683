#include "suggestions.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proxel::tool {
namespace {

// Letters left out, added, changed, or swapped with their neighbours.
std::size_t typing_errors(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before, last(other.size() + 1), now(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const bool differ = one[i - 1] != other[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + differ});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = std::exchange(last, now);
  }
  return last.back();
}

// The names that differ least, where they differ little enough to be meant.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3);
  std::vector<std::string> found;
  for (const std::string& name : names) {
    // What was not typed to its end misses no letter.
    const bool begun = word.size() >= 3 && name.starts_with(word);
    const std::size_t errors = begun ? 0 : typing_errors(word, name);
    if (errors > fewest) continue;
    if (errors < fewest) found.clear();
    fewest = errors;
    found.push_back(name);
  }
  return found;
}

std::string question(std::string_view word, const std::vector<std::string>& names, std::string_view quoted) {
  const std::vector<std::string> meant = nearest(word, names);
  if (meant.empty()) return "";
  std::vector<std::string> shown;
  for (const std::string& name : meant) shown.push_back(fmt::format("'{}{}'", quoted, name));
  return fmt::format("; did you mean {}?", fmt::join(shown, " or "));
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return names;
}

}  // namespace

std::optional<std::string> unknown_word(const CLI::App& app, int count, char** words) {
  const CLI::App* command = &app;
  std::string called = app.get_name();
  for (int position = 1; position < count; ++position) {
    const std::string_view word = words[position];
    const std::vector<std::string> commands = command_names(*command);
    if (word == "--") return std::nullopt;
    if (word.starts_with("--")) {
      const std::string_view name = word.substr(2, word.find('=') == word.npos ? word.npos : word.find('=') - 2);
      const std::vector<std::string> options = option_names(*command);
      if (std::ranges::find(options, name) == options.end())
        return fmt::format("'--{}' is no option of '{}'{}", name, called, question(name, options, "--"));
    } else if (std::ranges::find(commands, word) != commands.end()) {
      command = command->get_subcommand(std::string(word));
      called += fmt::format(" {}", word);
    } else if (!commands.empty() && !word.starts_with("-")) {
      return fmt::format("'{}' is no command{}", word, question(word, commands, ""));
    }
  }
  return std::nullopt;
}

}  // namespace proxel::tool
