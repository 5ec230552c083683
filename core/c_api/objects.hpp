#pragma once

// What is indexed and searched for, as the C++ interface takes it, checked.

#include <optional>

#include "c_api/structs.hpp"
#include "proxel/data.hpp"
#include "proxel/matrix.hpp"
#include "proxel/signatures.hpp"
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
Signatures signatures_of(const proxel_signatures* given, const char* argument);

/// Objects of which one kind is wanted. Throws Error(invalid_argument) unless exactly one kind is given.
class Objects {
 public:
  Objects(const proxel_objects* given, const char* argument);

  /// Throw Error(invalid_argument) unless these are the objects: rows, stored rows, strings or signatures.
  template <typename Wanted>
  Wanted as() const;
  /// Rows of the index itself, if these are the objects.
  std::optional<proxel_own_rows> own_rows() const;

  bool has_strings() const { return given_.strings; }
  bool has_signatures() const { return given_.signatures; }
  bool has_stored_rows() const { return given_.stored_rows; }

 private:
  [[noreturn]] void refuse_for(const char* wanted) const;

  const char* argument_;
  proxel_objects given_;
  const char* name_ = nullptr;  // of what is given
};

template <>
MatrixView<float> Objects::as() const;
template <>
ElementsView Objects::as() const;
template <>
Strings Objects::as() const;
template <>
Signatures Objects::as() const;

}  // namespace proxel::c_api
