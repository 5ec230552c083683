#pragma once

// What signature quadratic form distances are. Shares no code with the library.

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/neighbors.hpp"
#include "proxel/signatures.hpp"

namespace proxel::conformance {

/// Kinds of signatures, each chosen for what goes wrong with it.
enum class SqfdData {
  clustered,  ///< the paper's: 8 … 64 centroids of a cluster, weights that add up to 1
  equal,      ///< few different ones, again and again
  near,       ///< all of them within 1e-4 of one: squares cancel
  collinear,  ///< centroids on one line
  offset,     ///< a million away from the origin
  lengths,    ///< 1, 2, 63 … 65 or 255 … 257 centroids, some weights 0 and some large
};
inline constexpr SqfdData all_sqfd_data[] = {SqfdData::clustered, SqfdData::equal,  SqfdData::near,
                                             SqfdData::collinear, SqfdData::offset, SqfdData::lengths};

const char* to_string(SqfdData kind);

/// `count` signatures; every third of those with another seed is one that the seed before has.
Signatures make_sqfd_data(SqfdData kind, std::uint64_t count, std::uint32_t dimensions, std::uint64_t seed);

/// The square of the distance by its definition, similarity e^(-alpha L2^2).
double oracle_squared_distance(const Signatures& a, std::uint64_t i, const Signatures& b, std::uint64_t j,
                               double alpha);

/// Squares of the distances of each query to all signatures, and how far what is computed of them may be off.
struct SquaredDistances {
  std::uint64_t queries = 0, objects = 0;
  std::vector<double> squares, bounds;  ///< [queries x objects]
};
/// @param accuracy  of squares, in parts of the square of the sum of both signatures' weights
SquaredDistances oracle_squared_distances(const Signatures& database, const Signatures& queries, double alpha,
                                          double accuracy);

/// Whether an answer of the k nearest is one: rows sorted by (distance, index) and of different
/// objects, every square within its bound, every object that is nearer than the k-th by more
/// than the bounds there, padding right. Empty where all of that holds; otherwise what does not.
std::string wrong_nearest(const SquaredDistances& right, const Neighbors& found);
/// The same of all within a radius.
std::string wrong_within(const SquaredDistances& right, float radius, const RangeNeighbors& found);

}  // namespace proxel::conformance
