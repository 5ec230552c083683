#pragma once

#include <cstdint>
#include <vector>

#include "proxel/permutation.hpp"

namespace proxel::permutation {

/// The permutants among `count` objects: those that options ask for, or some at random.
/// Throws Error(invalid_argument).
std::vector<std::uint32_t> choose_permutants(const PermutationOptions& options, std::uint64_t count);

/// `wanted` of the numbers below `count` in a random order, without repeats: the same
/// with every standard library.
std::vector<std::uint32_t> random_sample(std::uint64_t count, std::uint64_t wanted, std::uint64_t seed);

/// How many of the nearest permutants count, of so many.
/// Throws Error(invalid_argument).
std::uint32_t kept_permutants(const PermutationOptions& options, std::uint32_t permutants);

/// How many of so many objects a search looks at: the fraction, rounded up, and at least k.
/// Throws Error(invalid_argument) for a fraction that is none.
std::uint64_t candidate_count(std::uint64_t objects, std::uint64_t k, double fraction);

/// A search of so many objects by an index of those options for the k nearest.
/// @tparam Description  with k, candidates, selection and scratch_limit
/// Throws as candidate_count() does.
template <typename Description>
Description describe(const PermutationOptions& options, std::uint64_t objects, std::uint64_t k, double fraction) {
  Description wanted;
  wanted.k = k;
  wanted.candidates = candidate_count(objects, k, fraction);
  wanted.selection = options.selection;
  wanted.scratch_limit = options.scratch_limit;
  return wanted;
}

/// The same within a radius. @tparam Description  with a radius too
template <typename Description>
Description describe_range(const PermutationOptions& options, std::uint64_t objects, float radius, double fraction) {
  auto wanted = describe<Description>(options, objects, 1, fraction);
  wanted.radius = radius;
  return wanted;
}

}  // namespace proxel::permutation
