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
#include "passes/order.hpp"
#include "proxel/passes/levenshtein.h"

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

#endif

namespace proxel::cpu {
namespace {

std::vector<Kernels> find_usable() {
  std::vector<Kernels> usable;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    usable.push_back(avx512::kernels);
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
