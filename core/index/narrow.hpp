#pragma once

#include "proxel/data.hpp"
#include "proxel/matrix.hpp"
#include "proxel/passes/types.h"

namespace proxel::index {

/// The passes' constant of an element type that rows can be stored in: float32,
/// float16, int8 or uint8. Throws Error(invalid_argument) for any other.
std::uint32_t element_of(ElementType type);

/// Writes a matrix as contiguous row-major elements of a type that rows can be
/// stored in. To float16 it rounds to nearest even; to int8 and uint8 it takes
/// integers alone.
/// @param first_row  of the database, for messages
/// Throws Error(invalid_argument) for a value that has no place in the type.
void narrow(const MatrixView<float>& view, ElementType type, std::uint64_t first_row, void* to);

}  // namespace proxel::index
