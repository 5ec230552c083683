#pragma once

#include "index/storage.hpp"
#include "proxel/index.hpp"

namespace proxel::index {

/// Copies a host matrix, however it lies, to contiguous row-major memory.
void copy_rows(const MatrixView<float>& view, float* to);

/// Brings rows to their place, one piece copied by the host while the device
/// packs another. Returns when all are there.
void upload_rows(Device& device, const MatrixView<float>& database, const RowTarget& target,
                 const Progress& progress);

}  // namespace proxel::index
