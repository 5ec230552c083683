#pragma once

// Running a plan over buffers of proxel's own.

#include <map>

#include "support.hpp"

namespace proxel::c_test {

/// A plan's buffers, just as large as it requires, and what its execution found.
class Recorded {
 public:
  /// @param matches  slots for what lies within a radius
  Recorded(proxel_device* device, proxel_plan* plan, std::uint64_t matches = 0) : device_(device), plan_(plan) {
    proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
    CHECK_OK(proxel_plan_get_requirements(plan, &needed));
    if (needed.offsets.bytes != 0) needed.indices.bytes = needed.distances.bytes = matches * 4;
    buffers.queries = make(needed.queries, "upload");
    buffers.scratch = make(needed.scratch, "device");
    buffers.indices = make(needed.indices, "readback");
    buffers.distances = make(needed.distances, "readback");
    buffers.filter = make(needed.filter, "upload");
    buffers.after_distances = make(needed.after_distances, "upload");
    buffers.after_indices = make(needed.after_indices, "upload");
    buffers.rows = make(needed.rows, "upload");
    buffers.count = make(needed.count, "upload");
    buffers.offsets = make(needed.offsets, "readback");
    buffers.query_offsets = make(needed.query_offsets, "upload");
    buffers.values = make(needed.values, "upload");
    buffers.payload = make(needed.payload, "upload");
    buffers.self = make(needed.self, "upload");
  }

  /// Writes to one of the buffers, whole.
  template <typename T>
  void write(const proxel_buffer_view& view, const T* values) {
    CHECK_OK(proxel_buffer_write(view.buffer, 0, values, proxel_buffer_bytes(view.buffer)));
  }

  /// @param record  proxel_plan_record() or one of its halves
  void run(proxel_status (*record)(const proxel_plan*, proxel_recording*,
                                   const proxel_search_buffers*) = proxel_plan_record) {
    RecordingHandle recording;
    CHECK_OK(proxel_recording_create(device_, nullptr, &recording));
    CHECK_OK(proxel_recording_begin(recording));
    CHECK_OK(record(plan_, recording, &buffers));
    CHECK_OK(proxel_recording_end(recording));
    CHECK_OK(proxel_device_submit(device_, recording));
    CHECK_OK(proxel_device_wait(device_));
  }

  /// Whether matches are those expected, to the bit, where there was room for as many.
  bool operator==(const RangeNeighbors& expected) const {
    return holds(buffers.offsets, expected.offsets.data(), expected.offsets.size() * 8) &&
           holds(buffers.indices, expected.indices.data(), expected.indices.size() * 4) &&
           holds(buffers.distances, expected.distances.data(), expected.distances.size() * 4);
  }

  /// Whether the host sees these bytes at the front of a buffer.
  static bool holds(const proxel_buffer_view& view, const void* bytes, std::uint64_t count) {
    return proxel_buffer_bytes(view.buffer) >= count &&
           std::memcmp(proxel_buffer_mapped(view.buffer), bytes, count) == 0;
  }

  bool operator==(const Neighbors& expected) const {
    const std::uint64_t bytes = expected.indices.rows() * expected.indices.columns() * 4;
    return proxel_buffer_bytes(buffers.indices.buffer) == bytes &&
           std::memcmp(proxel_buffer_mapped(buffers.indices.buffer), expected.indices.data(), bytes) == 0 &&
           std::memcmp(proxel_buffer_mapped(buffers.distances.buffer), expected.distances.data(), bytes) == 0;
  }

  proxel_search_buffers buffers = PROXEL_SEARCH_BUFFERS_INIT;

 private:
  proxel_buffer_view make(const proxel_requirement& needed, const char* kind) {
    if (needed.bytes == 0) return {nullptr, 0, 0};
    BufferHandle& buffer = made_.emplace_back();
    CHECK_OK(proxel_buffer_create(device_, needed.bytes, kind, &buffer));
    CHECK(proxel_buffer_address(buffer) % needed.alignment == 0);
    return {buffer, 0, 0};
  }

  proxel_device* device_;
  proxel_plan* plan_;
  std::vector<BufferHandle> made_;
};

}  // namespace proxel::c_test
