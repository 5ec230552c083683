#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (const char* name : {"rows.npz", "rows.npz#x"}) proxel::fuzzing::check_parser(name, bytes, size);
  return 0;
}
