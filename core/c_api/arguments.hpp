#pragma once

// Values of the caller's as the C++ interface takes them, checked.

#include <span>

#include "c_api/handles.hpp"
#include "c_api/structs.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

/// A stride of the caller's memory. Throws Error(invalid_argument) for one that is negative, or that is 0 where there
/// are several elements.
/// @param contiguous  what PROXEL_CONTIGUOUS stands for
std::uint64_t stride_of(std::uint64_t given, std::uint64_t count, std::uint64_t contiguous, const char* argument,
                        const char* member);

/// Throws Error(invalid_argument) for null where there are elements, misalignment, strides that are none
/// or make rows overlap, or whose offsets 64 bits do not hold.
MatrixView<float> matrix_of(const proxel_matrix* given, const char* argument);

Strings strings_of(const proxel_strings* given, const char* argument);

/// Numbers that may be null where there are none.
std::span<const std::uint32_t> numbers_of(const std::uint32_t* numbers, std::uint64_t count, const char* argument);

/// A limit of which 0 is the default.
inline std::uint64_t limit_or(std::uint64_t given, std::uint64_t usual) { return given != 0 ? given : usual; }

/// Two arrays of the caller's for the k nearest.
class Results {
 public:
  /// Throws Error(invalid_argument) where queries * k results do not fit. A k that no search takes
  /// is left to the search, which says so.
  Results(std::uint32_t* indices, float* distances, std::uint64_t slots, std::uint64_t queries, std::uint64_t k);
  void write(const Neighbors& found) const;

 private:
  std::uint32_t* indices_;
  float* distances_;
};

/// Matches as a handle of the caller's.
void give(RangeNeighbors found, proxel_matches** matches);

/// Searches an index within a radius and gives what was found.
template <typename Handle, typename Search>
proxel_status give_matches(Handle* index, proxel_matches** matches, const Search& search) {
  return guarded([&] {
    required(matches, "matches");
    auto& held = handled(index, "index");
    give(held.keep(search(held.index)), matches);
  });
}

/// The part of a buffer, which must be of that device; none where the view has no buffer.
BufferView view_of(const proxel_buffer_view& view, const Device& device, const char* argument);

/// Copies a text as get_text functions do.
void copy_text(const std::string& from, char* text, std::uint64_t capacity, std::uint64_t* bytes);

}  // namespace proxel::c_api
