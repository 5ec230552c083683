#pragma once

#include <string>

#include "proxel/data.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Writes rows in the type that they have, by the file's name: float32 as write_matrix() does; float16 as .npy or
/// .f16bin; int8 as .npy or .i8bin; uint8 as .npy, .bvecs or .u8bin. The file appears whole or not at all.
/// Throws Error: invalid_argument, unsupported, input_output.
void write_rows(const std::string& path, const ElementsView& rows);

}  // namespace proxel
PROXEL_PUBLIC_END
