#include <span>
#include <string>

#include <zlib.h>

#include "check.hpp"
#include "groundtruth/checkpoint.hpp"
#include "promises.hpp"

namespace {

using namespace proxel;

const std::string name = "gt.ibin.checkpoint";

// What is read is a checkpoint that makes sense, and is written as the same bytes where its JSON is.
void check_checkpoint(const std::string& bytes) {
  const auto read =
      fuzzing::attempt(name, [&] { return tool::read_checkpoint(std::as_bytes(std::span(bytes)), name); });
  if (!read) return;
  const auto& ids = read->nearest.ids;
  fuzzing::require(read->run.is_object(), "it says what it is of");
  fuzzing::require(ids.rows() == read->nearest.distances.rows() && ids.columns() == read->nearest.distances.columns(),
                   "every id has a distance");
  for (std::uint64_t slot = 0; slot < ids.rows() * ids.columns(); ++slot)
    fuzzing::require(ids.data()[slot] == -1 ||
                         (ids.data()[slot] >= 0 && static_cast<std::uint64_t>(ids.data()[slot]) < read->rows_done),
                     "an id is that of a row that is done");
  const std::string again = tool::checkpoint_bytes(*read);
  const auto twice =
      fuzzing::attempt(name, [&] { return tool::read_checkpoint(std::as_bytes(std::span(again)), name); });
  fuzzing::require(twice && twice->run == read->run && twice->rows_done == read->rows_done && twice->nearest.ids == ids,
                   "what is written again is the same");
}

// Few changes would get past the checksum otherwise.
std::string with_checksum(std::string bytes) {
  if (bytes.size() < 4) return bytes;
  const std::size_t summed = bytes.size() - 4;
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), summed);
  for (std::size_t i = 0; i < 4; ++i) bytes[summed + i] = static_cast<char>(crc >> 8 * i & 255);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string as_given(reinterpret_cast<const char*>(bytes), size);
  check_checkpoint(as_given);
  check_checkpoint(with_checksum(as_given));
  return 0;
}
