#pragma once

// What the makers of recordables share.

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/index.hpp"
#include "recordables.hpp"

namespace recordable {

using namespace proxel;

using Bytes = std::vector<std::byte>;

template <typename T>
Bytes bytes_of(const T* values, std::uint64_t count) {
  Bytes bytes(count * sizeof(T));
  std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}
Bytes bytes_of(const Matrix<float>& matrix);
std::vector<Bytes> bytes_of(const Neighbors& found);
std::vector<Bytes> bytes_of(const RangeNeighbors& found);

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed);

// Says what its buffers are called, in their order, once it is complete.
void call(Recordable& one, std::initializer_list<const char*> names);
// What is needed of a buffer that may be larger.
void need(Recordable& one, std::string_view name, std::uint64_t bytes);
// Within a radius there is room for as many as the caller likes, from one on.
void need_a_slot(Recordable& one);
// Results past so many elements are expected to stay as they are.
void forget_past(Recordable& one, std::uint64_t there);
constexpr const char* rows_address = "rows address";

// Builds them one by one; what a device refuses keeps its reason.
class List {
 public:
  explicit List(Device& device) : device_(device), reference_(open_device("cpu:reference")) {}

  template <typename Make>
  void add(const std::string& name, const Make& make) {
    Recordable one;
    try {
      one = make();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      one.unsupported = error.what();
    }
    for (const Bytes& result : one.expected)
      if (result.empty()) throw Error(ErrorCode::backend_failure, "expected results", "of " + name + " are none");
    one.name = name;
    list_.push_back(std::move(one));
  }

  Device& device() { return device_; }
  Device& reference() { return *reference_; }
  std::vector<Recordable> take() { return std::move(list_); }

 private:
  Device& device_;
  std::unique_ptr<Device> reference_;
  std::vector<Recordable> list_;
};

// All within a radius, of any index.
// @param halves  whether it is recorded as two
template <typename Index>
Recordable of_planned_range(const std::shared_ptr<Index>& index, const std::shared_ptr<Plan>& plan,
                            const Matrix<float>& asked, const RangeNeighbors& expected, bool halves = false) {
  Recordable one;
  one.inputs = {bytes_of(asked)};
  one.expected = bytes_of(expected);
  one.scratch_bytes = plan->scratch_bytes();
  if (!halves) call(one, {"queries buffer", "offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
  need_a_slot(one);
  one.record = [index, plan, halves](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers range{buffers[0], buffers[4], buffers[2], buffers[3]};
    range.offsets = buffers[1];
    if (!halves) return plan->record(recording, range);
    plan->record(recording, range, SearchPart::count);
    recording.barrier();
    plan->record(recording, range, SearchPart::fill);
  };
  return one;
}

// They add what there is of a kind.
void add_rows(List& list);
void add_rows_without_themselves(List& list);
void add_ranges(List& list);
void add_objects(List& list);
void add_graphs(List& list);
void add_images(List& list);
void add_selections(List& list);

}  // namespace recordable
