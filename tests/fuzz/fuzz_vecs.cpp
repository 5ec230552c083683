#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (const char* name : {"rows.fvecs", "rows.bvecs", "rows.ivecs"}) proxel::fuzzing::check_parser(name, bytes, size);
  return 0;
}
