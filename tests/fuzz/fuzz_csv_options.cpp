#include <array>

#include "check.hpp"

namespace {

using namespace proxel;

template <typename T, std::size_t count>
const T& chosen(const std::array<T, count>& from, std::uint8_t byte) {
  return from[byte % count];
}

// The first bytes choose how the rest is read.
TableOptions options_of(const std::uint8_t* bytes) {
  constexpr std::array headers = {HeaderLine::automatic, HeaderLine::present, HeaderLine::absent};
  constexpr std::array rules = {MissingValues::refuse, MissingValues::not_a_number, MissingValues::drop_row,
                                MissingValues::number};
  constexpr std::array marks = {'\0', ',', ';', '\t', ' ', '|'};
  constexpr std::array lists = {"", "x", "2", "1-", "y,x", "2-3,1", "last", "\"a,b\"", "-", "1,1"};
  constexpr std::array columns = {"", "x", "1", "last", "id", "0"};
  TableOptions options;
  options.text.header = chosen(headers, bytes[0]);
  options.missing = chosen(rules, bytes[0] / 3);
  options.text.delimiter = chosen(marks, bytes[1]);
  // A delimiter that is the decimal mark is refused before anything is read.
  if (options.text.delimiter != ',' && bytes[1] >= 128) options.text.decimal = ',';
  options.columns = chosen(lists, bytes[2]);
  options.ids = chosen(columns, bytes[3]);
  options.labels = chosen(columns, static_cast<std::uint8_t>(bytes[3] / columns.size()));
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t prefix = 4;
  if (size < prefix) return 0;
  fuzzing::check_parser("rows.csv", bytes + prefix, size - prefix, options_of(bytes));
  return 0;
}
