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

}  // namespace

void MadeRows::fill(std::uint64_t first, std::uint64_t count, float* to) const {
  const std::uint64_t begin = first * columns;
  for (std::uint64_t i = 0; i < count * columns; ++i) to[i] = random_value(begin + i, seed);
}

std::optional<MadeRows> made_rows(const std::string& name) {
  std::string_view text = name;
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  MadeRows made;
  bool right = take(text, made.rows) && take(text, 'x') && take(text, made.columns);
  if (right && !text.empty()) right = take(text, ':') && take(text, made.seed) && text.empty();
  if (!right || made.rows == 0 || made.columns == 0)
    throw Error(ErrorCode::invalid_argument, name,
                "made:ROWSxCOLUMNS or made:ROWSxCOLUMNS:SEED is expected, such as made:1000000x96:2");
  constexpr std::uint64_t most_columns = std::uint64_t{1} << 24, most_rows = std::uint64_t{1} << 40;
  if (made.rows > most_rows || made.columns > most_columns)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("at most {} rows of {} columns are made", most_rows, most_columns));
  return made;
}

}  // namespace proxel::tool
