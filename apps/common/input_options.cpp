#include <charconv>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "input.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

constexpr const char* group = "Reading files";

char delimiter_of(const std::string& name) {
  static const std::map<std::string, char> names = {{"auto", '\0'}, {"comma", ','},  {"semicolon", ';'}, {"tab", '\t'},
                                                    {"\\t", '\t'},  {"blanks", ' '}, {"space", ' '},     {"pipe", '|'}};
  if (const auto found = names.find(name); found != names.end()) return found->second;
  if (name.size() == 1) return name[0];
  throw CLI::ValidationError("--delimiter", fmt::format("'{}' was given; one character, or auto, comma, semicolon, "
                                                        "tab, blanks or pipe is allowed",
                                                        name));
}

void take_missing(const std::string& rule, TableOptions& table) {
  static const std::map<std::string, MissingValues> rules = {
      {"error", MissingValues::refuse}, {"drop", MissingValues::drop_row}, {"nan", MissingValues::not_a_number}};
  if (const auto found = rules.find(rule); found != rules.end()) {
    table.missing = found->second;
    return;
  }
  const auto [end, error] = std::from_chars(rule.data(), rule.data() + rule.size(), table.missing_number);
  if (error != std::errc() || end != rule.data() + rule.size())
    throw CLI::ValidationError("--missing",
                               fmt::format("'{}' was given; error, drop, nan or a number is allowed", rule));
  table.missing = MissingValues::number;
}

// A callback, as the transformer would print the enumerators' numbers.
template <typename Action>
CLI::Option* add_choice(CLI::App& command, const std::string& name, const std::string& help, const char* type,
                        const char* usual, const Action& action) {
  return command.add_option_function<std::string>(name, action, help)
      ->group(group)
      ->type_name(type)
      ->default_str(usual);
}

}  // namespace

void add_text_options(CLI::App& command, InputOptions& options) {
  TableOptions& table = options.table;
  add_choice(command, "--header",
             "Text: whether the first line names the columns. auto: it does where none of its "
             "fields is a number, or they count 0, 1, 2, … above fractions",
             "NAME", "auto", [&table](const std::string& name) {
    table.text.header = name == "yes" ? HeaderLine::present : name == "no" ? HeaderLine::absent : HeaderLine::automatic;
  })->check(CLI::IsMember({"auto", "yes", "no"}));
  add_choice(command, "--delimiter",
             "Text: what stands between fields, one character or comma, semicolon, tab, blanks, "
             "pipe; auto finds it out from the first line",
             "CHARACTER", "auto", [&table](const std::string& name) { table.text.delimiter = delimiter_of(name); });
  add_choice(command, "--decimal", "Text: the decimal mark, '.' or ','", "CHARACTER", ".",
             [&table](const std::string& mark) {
    table.text.decimal = mark[0];
  })->check(CLI::IsMember({".", ","}));
  add_choice(command, "--missing",
             "What becomes of a field that is empty or says NA, null, none or ?: error names its "
             "line and column, drop leaves the row out, nan keeps it, a NUMBER stands for it",
             "RULE", "error", [&table](const std::string& rule) { take_missing(rule, table); });
  command
      .add_option("--columns", table.columns,
                  "Columns that are read: names of the header, numbers from 1 and ranges: x,y or 2-4,7 or 3-")
      ->group(group)
      ->type_name("LIST");
  command
      .add_flag("--exact-input", options.exact,
                "Refuse numbers that binary32 does not hold, instead of rounding and saying so")
      ->group(group);
}

void add_input_options(CLI::App& command, InputOptions& options, bool queries) {
  add_text_options(command, options);
  TableOptions& table = options.table;
  command
      .add_option("--ids", table.ids,
                  "Text: the column that names the rows, by name, number from 1 or 'last'; "
                  "results show it instead of the row's number")
      ->group(group)
      ->type_name("COLUMN");
  command
      .add_option("--labels", table.labels,
                  "The column of the rows' labels, numbers or texts: name, number from 1 "
                  "or 'last'")
      ->group(group)
      ->type_name("COLUMN");
  static const std::map<std::string, Scale> scales = {
      {"none", Scale::none}, {"minmax", Scale::minmax}, {"range", Scale::minmax}, {"standard", Scale::standard}};
  add_choice(command, "--scale",
             "minmax: every dimension to [0, 1], standard: to mean 0 and deviation 1, both as the "
             "database's values tell",
             "NAME", "none", [&options](const std::string& name) {
    options.scale = scales.at(name);
  })->check(CLI::IsMember({"none", "minmax", "standard", "range"}));
  if (!queries) return;
  command.add_option("--query-columns", options.query_columns, "--columns of the queries, where they are others")
      ->group(group)
      ->type_name("LIST");
  command.add_option("--query-ids", options.query_ids, "--ids of the queries, where it is another; '' for none")
      ->group(group)
      ->type_name("COLUMN");
}

}  // namespace proxel::tool
