#include "groundtruth/made_rows.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "seeded.hpp"

namespace proxel::tool {
namespace {

constexpr std::string_view prefix = "made:";

// Takes a number and what has to follow it off the front of the text.
bool take(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

// Rows x columns, neither of them 0.
bool take(std::string_view& text, MadeRows& made) {
  return take(text, made.rows) && take(text, 'x') && take(text, made.columns) && made.rows != 0 && made.columns != 0;
}

// @param subject  what is wrong where there are too many
MadeRows checked(const MadeRows& made, const std::string& subject) {
  constexpr std::uint64_t most_columns = std::uint64_t{1} << 24, most_rows = std::uint64_t{1} << 40;
  if (made.rows > most_rows || made.columns > most_columns)
    throw Error(ErrorCode::invalid_argument, subject,
                fmt::format("{}x{} was given; at most {} rows of {} columns are made", made.rows, made.columns,
                            most_rows, most_columns));
  return made;
}

}  // namespace

void MadeRows::fill(std::uint64_t first, std::uint64_t count, float* to) const {
  const std::uint64_t begin = first * columns;
  for (std::uint64_t i = 0; i < count * columns; ++i) to[i] = random_value(begin + i, seed);
}

MadeRows rows_of_shape(const std::string& shape, std::uint64_t seed) {
  std::string_view text = shape;
  MadeRows made{.seed = seed};
  if (!take(text, made) || !text.empty())
    throw Error(ErrorCode::invalid_argument, "SHAPE",
                fmt::format("{} was given; ROWSxCOLUMNS is expected, such as 1000000x96", shape));
  return checked(made, "SHAPE");
}

std::optional<MadeRows> made_rows(const std::string& name) {
  std::string_view text = name;
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  MadeRows made;
  bool right = take(text, made);
  if (right && !text.empty()) right = take(text, ':') && take(text, made.seed) && text.empty();
  if (!right)
    throw Error(ErrorCode::invalid_argument, name,
                "made:ROWSxCOLUMNS or made:ROWSxCOLUMNS:SEED is expected, such as made:1000000x96:2");
  return checked(made, name);
}

}  // namespace proxel::tool
