#include "status.hpp"

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::cuda {
namespace {

ErrorCode code_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
    case cudaErrorLaunchOutOfResources:
      return ErrorCode::out_of_memory;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNotSupported:
      return ErrorCode::unsupported;
    // After these the context answers every call with the same error.
    case cudaErrorAssert:
    case cudaErrorContextIsDestroyed:
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorMisalignedAddress:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorUnknown:
      return ErrorCode::device_lost;
    default:
      return ErrorCode::backend_failure;
  }
}

}  // namespace

std::string describe(cudaError_t status) {
  return fmt::format("{} ({})", cudaGetErrorString(status), cudaGetErrorName(status));
}

void check(cudaError_t status, const std::string& subject, const char* action) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(code_of(status), subject, fmt::format("{}: {}", action, describe(status)));
}

CurrentDevice::CurrentDevice(int ordinal) {
  int current = ordinal;
  if (cudaGetDevice(&current) != cudaSuccess || current == ordinal) return;
  if (cudaSetDevice(ordinal) == cudaSuccess) previous_ = current;
}

CurrentDevice::~CurrentDevice() {
  if (previous_ >= 0) cudaSetDevice(previous_);
}

}  // namespace proxel::cuda
