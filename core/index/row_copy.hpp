#pragma once

#include <optional>

#include "cpu/workers.hpp"
#include "proxel/device.hpp"
#include "proxel/matrix.hpp"

namespace proxel::index {

/// Copies rows of the host into memory that a device reads, on as many threads as it takes to keep a link to the device
/// busy: one copies slower than that.
class RowCopy {
 public:
  explicit RowCopy(const Device& device) : alone_(device.capabilities().runs_on_host) {}

  /// Of binary32 numbers, or of words of filters. @param to  contiguous, row-major
  template <typename T>
  void run(const MatrixView<T>& rows, T* to);

 private:
  bool alone_;
  std::optional<cpu::Workers> workers_;  // from the first large copy on
};

}  // namespace proxel::index
