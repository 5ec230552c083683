#include "data/block_checksums.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::data {

void BlockSums::add(std::span<const std::byte> more) {
  while (!more.empty()) {
    if (last_.bytes % checksum_block_bytes == 0) {
      last_ = {};
      values_.push_back(0);
    }
    const auto some = std::min<std::uint64_t>(more.size(), checksum_block_bytes - last_.bytes);
    last_.add(more.first(some));
    values_.back() = last_.value;
    bytes_ += some;
    more = more.subspan(some);
  }
}

BlockChecksums::BlockChecksums(std::string file, std::string section, std::uint64_t first, std::uint64_t bytes,
                               std::vector<std::uint32_t> expected)
    : file_(std::move(file)),
      section_(std::move(section)),
      first_(first),
      bytes_(bytes),
      expected_(std::move(expected)),
      known_(expected_.size()) {}

void BlockChecksums::require(std::span<const std::byte> section, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t end = (first + count - 1) / checksum_block_bytes + 1;
  for (std::uint64_t block = first / checksum_block_bytes; block < end; ++block) {
    if (known_[block]) continue;
    const std::uint64_t from = block * checksum_block_bytes;
    Checksum found;
    found.add(section.subspan(from, std::min(checksum_block_bytes, bytes_ - from)));
    if (found.value != expected_[block])
      throw Error(ErrorCode::malformed_file, file_,
                  fmt::format("{} is damaged between bytes {} and {}: checksum {:08x}, {:08x} was expected", section_,
                              first_ + from, first_ + from + found.bytes - 1, found.value, expected_[block]));
    known_[block] = true;
  }
}

}  // namespace proxel::data
