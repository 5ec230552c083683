#include "given_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace proxel::tool {
namespace {

constexpr std::array<std::string_view, 5> whole = {"COUNT", "LANES", "NUMBER", "PIXELS", "POINTS"};
constexpr std::array<std::string_view, 2> may_be_empty = {"COLUMN", "WORD"};

// "COUNT" of "COUNT:UINT in [1 - 16]".
std::string_view called(std::string_view type) { return type.substr(0, type.find_first_of(": ")); }

template <std::size_t count>
bool among(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && (text.size() == 1 || text.front() != '0');
}

// An option of the commands that were chosen; null: none is called so.
const CLI::Option* option_called(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands())
    if (const CLI::Option* option = option_called(*command, name)) return option;
  return app.get_option_no_throw(name);
}

void check_list(const CLI::Option& option, const std::string& text) {
  const std::string twice(2, option.get_delimiter());
  if (!text.empty() && (text.front() == twice.front() || text.back() == twice.front() || text.find(twice) != text.npos))
    throw CLI::ValidationError(option.get_name(), "'" + text + "' was given; each comma stands between two values");
}

}  // namespace

void check_given_lists(const CLI::App& app, int count, const char* const* words) {
  const CLI::Option* list = nullptr;
  for (int position = 1; position < count; ++position) {
    std::string word = words[position];
    if (word == "--") return;
    if (word.starts_with("--")) {
      const std::size_t end = std::min(word.find('='), word.size());
      list = option_called(app, word.substr(0, end));
      if (list && list->get_delimiter() == '\0') list = nullptr;
      if (end == word.size()) continue;
      word = word.substr(end + 1);
    } else if (word.starts_with("-") && word.size() > 1) {
      list = nullptr;
    }
    if (list) check_list(*list, word);
  }
}

void check_given_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    // A flag's value is not the user's.
    if (option->count() == 0 || option->get_expected_max() == 0) continue;
    for (const std::string& text : option->results()) {
      if (text.empty() && !among(may_be_empty, called(type)))
        throw CLI::ValidationError(option->get_name(), "'' was given, which is nothing");
      if (among(whole, called(type)) && !is_whole_number(text))
        throw CLI::ValidationError(
            option->get_name(),
            "'" + text + "' was given; a whole number below 2⁶⁴ is expected, in digits without a leading zero");
    }
  }
  for (const CLI::App* command : app.get_subcommands()) check_given_values(*command);
}

}  // namespace proxel::tool
