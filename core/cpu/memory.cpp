#include "cpu/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>

#include <fmt/format.h>

namespace proxel::cpu {

AlignedMemory::AlignedMemory(std::uint64_t bytes) {
  constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;
  const std::uint64_t alignment = bytes >= 2 * huge_page ? huge_page : 256;
  const std::uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  data_ = std::aligned_alloc(alignment, rounded);
  if (!data_)
    throw Error(ErrorCode::out_of_memory, "host memory", fmt::format("{} bytes could not be allocated", bytes));
#ifdef MADV_HUGEPAGE
  // A scan of many pages misses the address translation cache less often. The
  // kernel may decline; nothing depends on it.
  if (alignment == huge_page) madvise(data_, rounded, MADV_HUGEPAGE);
#endif
}

AlignedMemory::~AlignedMemory() { std::free(data_); }

}  // namespace proxel::cpu
