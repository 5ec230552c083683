#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace proxel::cuda {

/// Throws Error where status is an error, and clears it from the runtime.
/// @param subject  the device's id, for example "cuda:0"
/// @param action   what was being done: "cannot allocate 64 bytes"
void check(cudaError_t status, const std::string& subject, const char* action);

/// The runtime's words for an error.
std::string describe(cudaError_t status);

/// Makes a device current for the calling thread, and puts back what was.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal);
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int previous_ = -1;
};

}  // namespace proxel::cuda
