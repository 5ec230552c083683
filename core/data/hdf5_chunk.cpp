#ifdef PROXEL_WITH_HDF5

#include "data/hdf5_chunk.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "data/elements.hpp"

namespace proxel::data {
namespace {

using Values = std::vector<std::byte>;

constexpr std::size_t checksum_bytes = 4;

// Fletcher's checksum over 16-bit words, most significant byte first.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0u; };
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    first = fold(first + (at(i) << 8 | at(i + 1)));
    second = fold(second + first);
  }
  return second << 16 | first;
}

bool undo_fletcher32(Values& bytes) {
  if (bytes.size() < checksum_bytes) return false;
  const std::span<const std::byte> values(bytes.data(), bytes.size() - checksum_bytes);
  std::int32_t stored = 0;
  convert(ElementType::uint32, false, values.data() + values.size(), 1, &stored);
  if (static_cast<std::uint32_t>(stored) != fletcher32(values)) return false;
  bytes.resize(values.size());
  return true;
}

bool undo_deflate(Values& bytes, std::size_t most) {
  Values inflated(most);
  uLongf size = most;
  if (uncompress(reinterpret_cast<Bytef*>(inflated.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                 bytes.size()) != Z_OK)
    return false;
  inflated.resize(size);
  bytes = std::move(inflated);
  return true;
}

// Shuffled, the first bytes of all elements come first, then all second bytes.
void undo_shuffle(Values& bytes, std::size_t element) {
  Values ordered(bytes);
  const std::size_t count = bytes.size() / element;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < element; ++byte) ordered[i * element + byte] = bytes[byte * count + i];
  bytes = std::move(ordered);
}

}  // namespace

std::vector<std::byte> read_chunk(const ByteSource& source, const std::string& part, const Hdf5DataSet& set,
                                  hsize_t row, hsize_t column) {
  const auto fail = [&](const std::string& reason) {
    source.fail(fmt::format("data set \"{}\", chunk at row {}, column {}: {}", part, row, column, reason));
  };
  const std::size_t element = element_bytes(set.type);
  const std::size_t wanted = set.chunk[0] * set.chunk[1] * element;
  const std::size_t most = wanted + set.filters.size() * checksum_bytes;
  const hsize_t offset[2] = {row, column};

  hsize_t stored = 0;
  if (H5Dget_chunk_storage_size(set.handle.get(), offset, &stored) < 0 || stored == 0) fail("it was never written");
  // What deflate cannot shrink it lets grow a little.
  if (stored > source.size() || stored > compressBound(most))
    fail(fmt::format("{} bytes are promised, more than it can have", stored));
  Values bytes(static_cast<std::size_t>(stored));
  std::uint32_t skipped = 0;
  if (H5Dread_chunk(set.handle.get(), H5P_DEFAULT, offset, &skipped, bytes.data()) < 0) fail(hdf5_reason());

  for (std::size_t i = set.filters.size(); i-- > 0;) {
    if (i < 32 && (skipped >> i & 1) != 0) continue;
    if (set.filters[i] == H5Z_FILTER_FLETCHER32) {
      if (!undo_fletcher32(bytes)) fail("its checksum is wrong");
    } else if (set.filters[i] == H5Z_FILTER_DEFLATE) {
      if (!undo_deflate(bytes, most)) fail("damaged deflate data");
    } else {
      undo_shuffle(bytes, element);
    }
  }
  if (bytes.size() != wanted) fail(fmt::format("{} bytes instead of {}", bytes.size(), wanted));
  return bytes;
}

}  // namespace proxel::data

#endif
