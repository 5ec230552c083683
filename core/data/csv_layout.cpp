#include "data/csv_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "data/columns.hpp"
#include "data/fields.hpp"
#include "data/number_text.hpp"

namespace proxel::data {
namespace {

// A header of numbers is taken for names only where it has at least this many of them.
constexpr std::size_t fewest_names = 3;

bool is_integer_text(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-0123456789") == std::string_view::npos;
}

// Whether the fields from `begin` on are first, first + 1, first + 2, …
bool counts_from(const std::vector<Field>& fields, std::size_t begin, std::uint64_t first) {
  for (std::size_t i = begin; i < fields.size(); ++i)
    if (fields[i].text != fmt::to_string(first + (i - begin))) return false;
  return begin < fields.size();
}

class FirstLine {
 public:
  FirstLine(const ByteSource& source, std::uint64_t line, std::vector<Field> first, std::vector<Field> second,
            const TableOptions& options, CsvLayout& layout)
      : source_(source),
        line_(line),
        first_(std::move(first)),
        second_(std::move(second)),
        options_(options),
        layout_(layout) {}

  bool is_header() {
    if (options_.text.header != HeaderLine::automatic) return options_.text.header == HeaderLine::present;
    if (is_named_by_options() || has_index()) return true;
    const std::vector<bool> looked_at = columns_with_numbers();
    std::size_t numbers = 0;
    std::optional<std::size_t> word;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (!looked_at[i]) continue;
      if (is_number(first_[i]))
        ++numbers;
      else if (!word)
        word = i;
    }
    if (numbers == 0) return std::ranges::any_of(first_, [](const Field& field) { return !field.text.empty(); });
    // A damaged first row must not vanish as if it were a header.
    if (word)
      source_.fail(
          fmt::format("line {}, column {}: \"{}\" is not a number, though others of its "
                      "line are; if the line names the columns, that has to be said",
                      line_, *word + 1, printable(first_[*word].text)));
    return names_are_numbers();
  }

 private:
  bool is_number(const Field& field) const {
    float ignored = 0;
    if (options_.missing != MissingValues::refuse && is_missing(field.text)) return true;
    return parse_number(field.text, ignored, options_.text.decimal) != NumberProblem::not_a_number;
  }

  bool is_named_by_options() const {
    const auto names = [&](const std::string& reference) {
      return is_name(reference) &&
             std::ranges::any_of(first_, [&](const Field& field) { return field.unescaped() == reference; });
    };
    const auto list = references(options_.columns);
    return names(options_.ids) || names(options_.labels) || std::ranges::any_of(list, names);
  }

  // "" and then names: pandas and R write a table's index so. Numbers must count from 0.
  bool has_index() const {
    if (first_.size() < 2 || !first_[0].text.empty() || second_.size() < 2) return false;
    if (second_[0].text.empty()) return false;
    const bool words = std::all_of(first_.begin() + 1, first_.end(),
                                   [&](const Field& field) { return !field.text.empty() && !is_number(field); });
    return words || counts_from(first_, 1, 0);
  }

  // All columns but the ids, the labels and what was not chosen, where these are given as numbers. A number
  // that is no column's is refused later, in a message that lists the names.
  std::vector<bool> columns_with_numbers() const {
    const std::size_t count = first_.size();
    const Columns columns(source_.name(), count);
    std::vector<bool> looked_at(count, true);
    try {
      const auto list = references(options_.columns);
      if (!list.empty() && std::ranges::none_of(list, is_name)) {
        looked_at.assign(count, false);
        for (const std::uint64_t column : columns.choose(options_.columns))
          looked_at[static_cast<std::size_t>(column)] = true;
      } else {
        for (const std::string* reference : {&options_.ids, &options_.labels})
          if (!reference->empty() && !is_name(*reference))
            looked_at[static_cast<std::size_t>(columns.find(*reference))] = false;
      }
    } catch (const Error&) {
      looked_at.assign(count, true);
    }
    return looked_at;
  }

  // 0, 1, 2 above fractions are names; above integers they may be a row.
  bool names_are_numbers() {
    if (first_.size() < fewest_names || second_.empty()) return false;
    if (!counts_from(first_, 0, 0) && !counts_from(first_, 0, 1)) return false;
    const bool fractions =
        std::ranges::none_of(second_, [](const Field& field) { return is_integer_text(field.text); });
    (fractions ? layout_.text.numbers_as_names : layout_.text.names_as_numbers) = true;
    return fractions;
  }

  const ByteSource& source_;
  std::uint64_t line_;
  std::vector<Field> first_;
  std::vector<Field> second_;
  const TableOptions& options_;
  CsvLayout& layout_;
};

void check_marks(const std::string& file, const TextOptions& text) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::invalid_argument, file, why); };
  if (text.decimal != '.' && text.decimal != ',')
    refuse(fmt::format("a decimal mark \"{}\"; '.' and ',' are allowed", printable({&text.decimal, 1})));
  const unsigned char mark = static_cast<unsigned char>(text.delimiter);
  const bool word =
      (mark >= '0' && mark <= '9') || (mark >= 'a' && mark <= 'z') || (mark >= 'A' && mark <= 'Z') || mark >= 0x80;
  if (mark != 0 && (word || (mark < ' ' && mark != '\t') || mark == 0x7f || mark == '"' || mark == '+' || mark == '-' ||
                    text.delimiter == text.decimal))
    refuse(
        fmt::format("a delimiter \"{}\"; digits, letters, quotation marks, signs, control "
                    "characters other than the tab and the decimal mark cannot separate",
                    printable({&text.delimiter, 1})));
}

// A separator at the end of the first line ends it, and begins no further column.
void drop_end(std::vector<Field>& fields) {
  if (fields.size() > 1 && fields.back().text.empty() && !fields.back().quoted) fields.pop_back();
}

std::vector<std::uint64_t> chosen_values(const Columns& columns, const TableOptions& options, const CsvLayout& layout) {
  if (!options.columns.empty()) return columns.choose(options.columns);
  std::vector<std::uint64_t> values;
  for (std::uint64_t field = layout.text.index_left_out ? 1 : 0; field < layout.fields; ++field)
    if (field != layout.ids && field != layout.labels) values.push_back(field);
  return values;
}

}  // namespace

std::vector<std::string> CsvLayout::value_names() const {
  std::vector<std::string> result;
  if (names.empty()) return result;
  for (const std::uint64_t field : values) result.push_back(names[static_cast<std::size_t>(field)]);
  return result;
}

std::string CsvLayout::place(std::uint64_t field) const {
  if (field >= names.size() || names[static_cast<std::size_t>(field)].empty())
    return fmt::format("column {}", field + 1);
  return fmt::format("column {} (\"{}\")", field + 1, printable(names[static_cast<std::size_t>(field)]));
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 8> words = {"", "na", "n/a", "#n/a", "<na>", "null", "none", "?"};
  const auto equal = [](char a, char lower) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == lower;
  };
  return std::ranges::any_of(words, [&](std::string_view word) { return std::ranges::equal(text, word, equal); });
}

CsvLayout find_layout(const ByteSource& source, std::uint64_t line, const std::string& first,
                      const std::optional<std::string>& second, const TableOptions& options) {
  check_marks(source.name(), options.text);
  CsvLayout layout;
  const char separator =
      options.text.delimiter != 0 ? options.text.delimiter : guess_separator(first, options.text.decimal);
  layout.text.delimiter = separator;
  std::vector<Field> fields = split_fields(first, separator);
  drop_end(fields);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].unclosed)
      source.fail(fmt::format("line {}, column {}: the quotation mark is not closed on its line", line, i + 1));
  layout.fields = fields.size();
  std::vector<Field> below;
  if (second) below = split_fields(*second, separator);
  drop_end(below);

  layout.text.header = FirstLine(source, line, fields, std::move(below), options, layout).is_header();
  if (layout.text.header)
    for (const Field& field : fields) layout.names.push_back(field.unescaped());

  const Columns columns(source.name(), layout.fields, layout.names);
  if (!options.ids.empty()) layout.ids = columns.find(options.ids);
  if (!options.labels.empty()) layout.labels = columns.find(options.labels);
  layout.text.index_left_out =
      layout.text.header && options.columns.empty() && layout.fields > 1 && layout.names[0].empty() &&
      layout.ids != 0 && layout.labels != 0 &&
      std::none_of(layout.names.begin() + 1, layout.names.end(), [](const std::string& name) { return name.empty(); });
  layout.values = chosen_values(columns, options, layout);
  if (layout.values.empty()) source.fail("no column is left to be read as numbers");
  return layout;
}

}  // namespace proxel::data
