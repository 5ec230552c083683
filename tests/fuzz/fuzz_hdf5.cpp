#include "check.hpp"

// HDF5 itself asks for what a damaged size says, and takes no for an answer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

// HDF5 loses memory of its own when it refuses a damaged file.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (const char* name : {"rows.hdf5", "rows.hdf5#neighbors"}) proxel::fuzzing::check_parser(name, bytes, size);
  return 0;
}
