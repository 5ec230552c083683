#include "cpu/kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "passes/canonical.hpp"
#include "passes/negative_power.hpp"
#include "passes/order.hpp"
#include "proxel/arithmetic/exponential_table.h"
#include "proxel/arithmetic/similarity_kind.h"
#include "proxel/passes/levenshtein.h"

// Vectors in the place of the numbers of proxel/arithmetic/scalar.h.
#undef PROXEL_FLOAT
#undef PROXEL_INT
#undef PROXEL_EVERY
#undef PROXEL_LOOK_UP
#define PROXEL_FLOAT Floats
#define PROXEL_INT Integers
#define PROXEL_EVERY(constant) in_every_lane(constant)
#define PROXEL_LOOK_UP(table, place) look_up_floats(table, place)

// One source, compiled for several instruction sets and chosen when the program
// runs. The target is set around the whole text, not by a function attribute:
// helpers and templates must be compiled for it too, or vectors would be split
// into the smallest registers before they are inlined.

#define PROXEL_KERNEL_INSTRUCTIONS portable
#define PROXEL_KERNEL_NAME "128-bit vectors"
#define PROXEL_KERNEL_LANES 4
#define PROXEL_KERNEL_ROW_VECTORS 2
#include "cpu/kernels.inc"

#if defined(__x86_64__)

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define PROXEL_KERNEL_INSTRUCTIONS avx2
#define PROXEL_KERNEL_NAME "AVX2"
#define PROXEL_KERNEL_LANES 8
#define PROXEL_KERNEL_ROW_VECTORS 2
#include "cpu/kernels.inc"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif
#define PROXEL_KERNEL_INSTRUCTIONS avx512
#define PROXEL_KERNEL_NAME "AVX-512"
#define PROXEL_KERNEL_LANES 16
#define PROXEL_KERNEL_ROW_VECTORS 4
#include "cpu/kernels.inc"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#endif
#include "cpu/code_sums_vnni.inc"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

namespace proxel::cpu {
namespace {

std::vector<Kernels> find_usable() {
  std::vector<Kernels> usable;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    if (__builtin_cpu_supports("avx512vnni")) usable.push_back(avx512_vnni::kernels);
    usable.push_back(avx512::kernels);
  }
  if (__builtin_cpu_supports("avx2")) usable.push_back(avx2::kernels);
#endif
  usable.push_back(portable::kernels);
  return usable;
}

}  // namespace

std::span<const Kernels> usable_kernels() {
  static const std::vector<Kernels> usable = find_usable();
  return usable;
}

}  // namespace proxel::cpu
