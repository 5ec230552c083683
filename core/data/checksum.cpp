#include "data/checksum.hpp"

#include <zlib.h>

namespace proxel::data {

void Checksum::add(std::span<const std::byte> more) {
  if (more.empty()) return;  // zlib starts anew where the address is null
  value = static_cast<std::uint32_t>(crc32_z(value, reinterpret_cast<const Bytef*>(more.data()), more.size()));
  bytes += more.size();
}

}  // namespace proxel::data
