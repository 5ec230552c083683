#pragma once

#include "proxel/range.hpp"
#include "proxel/search.hpp"

namespace proxel::search {

inline constexpr std::uint64_t key_bytes = 8;
inline constexpr std::uint64_t most_rows = 0xFFFFFFFEull;
/// Kernels count slots in 32 bits; no database has more rows.
inline constexpr std::uint64_t most_k = 0xFFFFFFFFull;
inline constexpr std::uint32_t most_dimensions = 1u << 24;

template <typename Integer>
constexpr Integer divide_up(Integer value, Integer by) {
  return value / by + (value % by != 0);
}

/// Alignments of the buffers of a search, bytes.
inline constexpr std::uint64_t query_alignment = 16;
inline constexpr std::uint64_t scratch_alignment = 256;
inline constexpr std::uint64_t element_alignment = 4;
inline constexpr std::uint64_t offset_alignment = 8;
inline constexpr std::uint32_t by_kernels = usage_storage | usage_device_address;

/// What the scratch memory has to be: plans fill parts of it.
constexpr BufferRequirement scratch_requirement(std::uint64_t bytes) {
  return {bytes, scratch_alignment, by_kernels | usage_transfer_destination};
}
/// What a buffer of elements of 4 bytes has to be; more than 64 bits can say is more than any buffer has.
constexpr BufferRequirement elements_requirement(std::uint64_t count) {
  return {count > UINT64_MAX / 4 ? UINT64_MAX : count * 4, element_alignment, by_kernels};
}
/// What the buffer of the offsets of matches within a radius has to be.
constexpr BufferRequirement offsets_requirement(std::uint64_t queries) {
  return {(queries + 1) * 8, offset_alignment, by_kernels};
}

/// Rounds up to the alignment that every part of the scratch memory has.
constexpr std::uint64_t align_scratch(std::uint64_t bytes) {
  return (bytes + scratch_alignment - 1) & ~(scratch_alignment - 1);
}

/// Words between the filters of queries, as passes take it: 0 where it is shared.
/// @param description  of a search or a range search
template <typename Description>
std::uint32_t filter_stride(const Description& description) {
  return description.filter == FilterKind::per_query ? static_cast<std::uint32_t>(filter_words(description.rows)) : 0;
}

/// Whether values lie alike, at whatever address.
constexpr bool same_layout(const passes::Rows& one, const passes::Rows& other) {
  return one.tile_stride == other.tile_stride && one.dimension_stride == other.dimension_stride &&
         one.row_stride == other.row_stride;
}

/// Bytes from the first value of rows to the end of the last.
std::uint64_t rows_bytes(const passes::Rows& rows, std::uint32_t dimensions);

/// Throws Error(invalid_argument | unsupported) unless the address is aligned and kernels can form the offsets.
void check_layout(const passes::Rows& rows, std::uint32_t dimensions);

/// Throws Error(invalid_argument | unsupported) unless the segments hold the
/// described rows in layouts whose offsets kernels can form.
void check_segments(std::uint64_t described_rows, std::uint32_t dimensions, std::span<const RowsSegment> segments);

/// Bytes of all filters of that kind.
std::uint64_t filter_bytes(FilterKind kind, std::uint64_t rows, std::uint64_t queries);

/// Throws Error(unsupported) where the raw arithmetic of a method that has none is asked for.
void refuse_raw(const SearchDescription& description, const char* method);

/// Throws Error(unsupported) where a method that needs their number is to search for queries
/// that the device counts.
void refuse_counted(const SearchDescription& description, const char* method);

/// Throws Error(invalid_argument) naming the field unless least <= given <= most.
void require_range(const char* name, std::uint64_t given, std::uint64_t least, std::uint64_t most);

/// Throws Error(invalid_argument) naming the field unless it is one of 0 … last.
template <typename Enumeration>
void require_enumerator(const char* name, Enumeration given, Enumeration last) {
  require_range(name, static_cast<std::uint64_t>(given), 0, static_cast<std::uint64_t>(last));
}
void require_metric(Metric metric);

/// Throws Error(invalid_argument) unless the view has a buffer and lies within it, so many bytes and that alignment.
void require_buffer(const char* name, const BufferView& view, std::uint64_t bytes, std::uint64_t alignment);
void require_buffer(const char* name, const BufferView& view, const BufferRequirement& needed);

/// Throws Error(invalid_argument) unless there is host memory, of at least one byte.
void require_pinnable(const void* memory, std::uint64_t bytes);

/// Throws Error(invalid_argument) unless the devices of an index are 1 … 64 and each is given once.
void require_devices(std::span<Device* const> devices);

/// Throws Error(invalid_argument) unless the view's buffer, which there is, is one whose addresses the device knows.
void require_of_device(const char* name, const BufferView& view, const Device& device);

/// What Recording::copy() and fill() of a device ask. Throw Error(invalid_argument).
void require_copy(const Device& device, const BufferView& from, const BufferView& to);
void require_fill(const Device& device, const BufferView& view);

/// Throws Error(invalid_argument) for a radius that is not a number.
void require_radius(float radius);

/// Whether a processor searches by itself, not through another backend.
inline bool is_cpu(const Device& device) { return device.info().backend == BackendKind::cpu; }

/// Multiprocessors, or a usual number where the driver does not tell.
constexpr std::uint32_t known_multiprocessors(const Capabilities& capabilities) {
  constexpr std::uint32_t usual = 64;
  if (capabilities.multiprocessors != 0) return capabilities.multiprocessors;
  return capabilities.runs_on_host ? 4 : usual;
}

/// Throws Error(invalid_argument) unless every field is in its range.
void check(const SearchDescription& description);

/// The same of a range search.
void check(const RangeDescription& description);

}  // namespace proxel::search
