#include <span>
#include <string>

#include "../section_checksums.hpp"
#include "check.hpp"
#include "promises.hpp"
#include "signatures/signature_file_format.hpp"

namespace {

using namespace proxel;

const std::string name = "photos.sig";

std::string written(const SignatureFile& file) {
  std::string bytes;
  signature_file::write([&](std::span<const std::byte> more) {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
  }, name, file);
  return bytes;
}

// What is read are signatures, and signatures have one file only; of NMSLIB's text there may be several.
void check_signatures(const std::string& bytes) {
  const auto read = [&](const std::string& from) {
    const data::MemorySource source(name, std::as_bytes(std::span(from)));
    return fuzzing::attempt(name, [&] { return signature_file::read(source); });
  };
  const auto file = read(bytes);
  if (!file) return;
  const std::string again = written(*file);
  if (bytes.starts_with(data::section_file_magic))
    fuzzing::require(again == bytes, "signatures that were read are written as the same bytes");
  const auto back = read(again);
  fuzzing::require(back && back->signatures == file->signatures && back->names == file->names,
                   "signatures that were read and written come back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string as_given(reinterpret_cast<const char*>(bytes), size);
  check_signatures(as_given);
  // Few changes would get past the checksums otherwise.
  if (as_given.starts_with(data::section_file_magic)) check_signatures(testing::with_checksums(as_given));
  return 0;
}
