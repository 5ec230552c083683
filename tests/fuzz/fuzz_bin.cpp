#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (const char* name : {"rows.fbin", "rows.f16bin", "rows.u8bin", "rows.i8bin", "rows.ibin"})
    proxel::fuzzing::check_parser(name, bytes, size);
  return 0;
}
