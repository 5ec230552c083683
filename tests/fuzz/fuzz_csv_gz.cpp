#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  proxel::fuzzing::check_parser("rows.csv.gz", bytes, size);
  proxel::fuzzing::check_lines(bytes, size);
  return 0;
}
