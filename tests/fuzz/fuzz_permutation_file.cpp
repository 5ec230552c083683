#include <span>
#include <string>

#include "../section_checksums.hpp"
#include "check.hpp"
#include "promises.hpp"
#include "strings/permutation_file.hpp"

namespace {

using namespace proxel;

const std::string name = "words.index";

// What is read is an index, and an index has one file only.
void check_index(const std::string& bytes) {
  const data::MemorySource source(name, std::as_bytes(std::span(bytes)));
  const auto file = fuzzing::attempt(name, [&] { return strings::read_permutation_file(source); });
  if (!file) return;
  std::string again;
  strings::write_permutation_file([&](std::span<const std::byte> more) {
    again.append(reinterpret_cast<const char*>(more.data()), more.size());
  }, name, *file);
  fuzzing::require(again == bytes, "an index that was read is written as the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string as_given(reinterpret_cast<const char*>(bytes), size);
  check_index(as_given);
  // Few changes would get past the checksums otherwise.
  check_index(testing::with_checksums(as_given));
  return 0;
}
