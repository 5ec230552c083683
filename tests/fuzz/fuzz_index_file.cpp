#include <span>
#include <string>

#include "../section_checksums.hpp"
#include "check.hpp"
#include "index/index_file.hpp"
#include "promises.hpp"

namespace {

using namespace proxel;

const std::string name = "rows.index";

// What is read is an index, and an index has one file only.
void check_index(const std::string& bytes) {
  const data::MemorySource source(name, std::as_bytes(std::span(bytes)));
  fuzzing::attempt(name, [&] { return index::begins_as_index_file(source); });
  auto saved = fuzzing::attempt(name, [&] { return index::read_index_file(source); });
  if (!saved) return;
  const std::uint64_t row_bytes = saved->file.rows * saved->file.row_bytes();
  const auto behind = source.in_memory().subspan(saved->first_byte);
  fuzzing::require(row_bytes <= behind.size(), "all rows are in the file");
  const auto undamaged = fuzzing::attempt(name, [&] {
    saved->checksums.require(behind, row_bytes / 2, row_bytes - row_bytes / 2);
    saved->checksums.require(behind, 0, row_bytes);
    return true;
  });
  if (!undamaged) return;
  std::string again;
  index::write_index_file([&](std::span<const std::byte> more) {
    again.append(reinterpret_cast<const char*>(more.data()), more.size());
  }, name, saved->file, [&](data::BlockWriter& to) { to.bytes(behind.first(row_bytes)); });
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
