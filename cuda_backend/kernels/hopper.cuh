#pragma once

// Hopper's matrix units and copy engine: one warpgroup multiplies 64 rows by 128
// columns out of shared memory while the copy engine brings the next block.
// Everything here needs sm_90a; elsewhere only the declarations exist.

#include <cstdint>

namespace proxel::cuda::hopper {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory that counts arrivals and bytes (mbarrier).
struct Barrier {
  std::uint64_t state;

  __device__ void initialise(unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  /// One arrival, and so many bytes that the copy engine will deliver.
  __device__ void expect(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                 : "memory");
  }
  /// Waits until the phase of this parity has completed.
  __device__ void wait(unsigned parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra end;\n"
        "bra again;\n"
        "end:\n"
        "}\n" ::"r"(shared_address(this)),
        "r"(parity)
        : "memory");
  }
};

/// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Copies whole 16-byte units; `barrier` learns of their arrival.
__device__ __forceinline__ void copy_bulk(void* shared, const void* global, unsigned bytes, Barrier& barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(shared)),
               "l"(global), "r"(bytes), "r"(shared_address(&barrier))
               : "memory");
}

/// Gives registers of a warpgroup back, or takes them.
template <unsigned registers>
__device__ __forceinline__ void keep_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
template <unsigned registers>
__device__ __forceinline__ void take_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

/// Describes an operand in shared memory: rows of 64 halves or 128 integers, 128 bytes apart,
/// 16-byte chunks exchanged within 8 rows as screen_pack stores them
/// (the 128-byte swizzle); 1,024-byte aligned but for steps of 32 bytes.
__device__ __forceinline__ std::uint64_t operand(const void* shared) {
  constexpr std::uint64_t group_bytes = 1024;  // between groups of 8 rows
  constexpr std::uint64_t swizzle_128 = 1;
  return ((shared_address(shared) & 0x3FFFFu) >> 4) | std::uint64_t{1} << 16 | (group_bytes >> 4) << 32 |
         swizzle_128 << 62;
}

__device__ __forceinline__ void begin_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void commit_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
/// Waits until at most `pending` committed groups are unfinished.
template <unsigned pending>
__device__ __forceinline__ void wait_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
#endif
}

// The instruction with its 64 sums, and those as operands.
#define PROXEL_PRODUCT(type, operands, accumulate, flags)                            \
  "{\n"                                                                              \
  ".reg .pred accumulate;\n"                                                         \
  "setp.ne.b32 accumulate, " accumulate                                              \
  ", 0;\n"                                                                           \
  "wgmma.mma_async.sync.aligned.m64n128k" type                                       \
  " {"                                                                               \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "           \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"   \
  "}, " operands ", accumulate" flags                                                \
  ";\n"                                                                              \
  "}\n"
#define PROXEL_SUMS(constraint)                                                                                     \
  constraint(d[0]), constraint(d[1]), constraint(d[2]), constraint(d[3]), constraint(d[4]), constraint(d[5]),       \
      constraint(d[6]), constraint(d[7]), constraint(d[8]), constraint(d[9]), constraint(d[10]), constraint(d[11]), \
      constraint(d[12]), constraint(d[13]), constraint(d[14]), constraint(d[15]), constraint(d[16]),                \
      constraint(d[17]), constraint(d[18]), constraint(d[19]), constraint(d[20]), constraint(d[21]),                \
      constraint(d[22]), constraint(d[23]), constraint(d[24]), constraint(d[25]), constraint(d[26]),                \
      constraint(d[27]), constraint(d[28]), constraint(d[29]), constraint(d[30]), constraint(d[31]),                \
      constraint(d[32]), constraint(d[33]), constraint(d[34]), constraint(d[35]), constraint(d[36]),                \
      constraint(d[37]), constraint(d[38]), constraint(d[39]), constraint(d[40]), constraint(d[41]),                \
      constraint(d[42]), constraint(d[43]), constraint(d[44]), constraint(d[45]), constraint(d[46]),                \
      constraint(d[47]), constraint(d[48]), constraint(d[49]), constraint(d[50]), constraint(d[51]),                \
      constraint(d[52]), constraint(d[53]), constraint(d[54]), constraint(d[55]), constraint(d[56]),                \
      constraint(d[57]), constraint(d[58]), constraint(d[59]), constraint(d[60]), constraint(d[61]),                \
      constraint(d[62]), constraint(d[63])

/// d (+)= a * b for 64 x 128 results over 16 halves of depth. In thread t of the
/// warpgroup d[4j + 2h + i] is row 16 * (t / 32) + t % 32 / 4 + 8h, column
/// 8j + 2 * (t % 4) + i.
/// @param accumulate  0: d is overwritten
__device__ __forceinline__ void multiply_64x128x16(float (&d)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(PROXEL_PRODUCT("16.f32.f16.f16", "%64, %65", "%66", ", 1, 1, 0, 0")
               : PROXEL_SUMS("+f")
               : "l"(a), "l"(b), "r"(accumulate));
#endif
}

/// The same over 32 signed integers of 8 bits.
__device__ __forceinline__ void multiply_64x128x32(int (&d)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(PROXEL_PRODUCT("32.s32.s8.s8", "%64, %65", "%66", "")
               : PROXEL_SUMS("+r")
               : "l"(a), "l"(b), "r"(accumulate));
#endif
}

/// The same of those whose first 64 rows are in registers.
/// @param a  the 32 integers of depth of 64 rows, those of a thread: rows t % 32 / 4 and 8 more of the warp's 16, integers 4 * (t % 4)
///           and three more; then of both rows those 16 further
__device__ __forceinline__ void multiply_64x128x32(int (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b,
                                                   int accumulate) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(PROXEL_PRODUCT("32.s32.s8.s8", "{%64, %65, %66, %67}, %68", "%69", "")
               : PROXEL_SUMS("+r")
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
#endif
}

#undef PROXEL_SUMS
#undef PROXEL_PRODUCT

/// Of 64 x 128 products the sums are halves: in thread t d[2j + h] holds those of row 16 * (t / 32) + t % 32 / 4 + 8h and columns
/// 8j + 2 * (t % 4), the lower half, and one more.
/// @param a  the 16 halves of depth of 64 rows, those of a thread: rows t % 32 / 4 and 8 more of the warp's 16, halves 2 * (t % 4)
///           and one more; then of both rows those 8 further
__device__ __forceinline__ void multiply_64x128x16(std::uint32_t (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b,
                                                   int accumulate) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(
      "{\n"
      ".reg .pred accumulate;\n"
      "setp.ne.b32 accumulate, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
      "}, {%32, %33, %34, %35}, %36, accumulate, 1, 1, 0;\n"
      "}\n"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
#endif
}

}  // namespace proxel::cuda::hopper
