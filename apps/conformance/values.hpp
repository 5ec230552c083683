#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "proxel/matrix.hpp"

namespace proxel::conformance {

/// Kinds of data, each chosen for what goes wrong with it.
enum class Kind {
  uniform,       ///< multiples of 2^-23 in [-1, 1)
  gaussian,      ///< about normal
  integers,      ///< -3 … 3: exact distances and many ties
  duplicates,    ///< three different rows, repeated; queries are among them
  constant,      ///< every row the same: index order alone decides
  nan,           ///< NaN of either sign, and with payload, in some rows and queries
  infinity,      ///< coordinates of ±inf, so that distances are inf or NaN
  zeros,         ///< -0, +0, 1 and -1
  offset,        ///< 1e6 plus a small part: cancellation
  overflow,      ///< up to 2^127: sums and products reach inf
  denormals,     ///< values below 2^-126, which devices may flush to zero
  dominated,     ///< one coordinate a million times the others
  large,         ///< normal times 3e18: sums of squares and products overflow, the terms do not
  half_limit,    ///< around 65,504, the largest half, and around the smallest ones
  brink,         ///< most rows beside queries, and nearer ones whose difference from the mean is no float
  tied,          ///< 0 and 1: thousands of rows at each distance
  opposite,      ///< rows of 1 and of -1 by turns, but for one coordinate in fifty: the largest distances
  bytes,         ///< integers from 0 to 255, in which the ends are frequent
  signed_bytes,  ///< the same from -128 to 127
  nearly_bytes,  ///< bytes, and in every third query a value a little beside one, between two or beyond
  beside_bytes,  ///< bytes, and in every hundredth row such a value
};

inline constexpr std::array all_kinds = {Kind::uniform,  Kind::gaussian, Kind::integers,  Kind::duplicates,
                                         Kind::constant, Kind::nan,      Kind::infinity,  Kind::zeros,
                                         Kind::offset,   Kind::overflow, Kind::denormals, Kind::dominated};

/// Beside all_kinds: data at the limits of faster arithmetic and of lists.
inline constexpr std::array edge_kinds = {Kind::large,        Kind::half_limit,   Kind::tied,        Kind::bytes,
                                          Kind::signed_bytes, Kind::nearly_bytes, Kind::beside_bytes};

std::string_view to_string(Kind kind);

/// Whether the contract promises the same bits of every device: it exempts data whose differences
/// or products are denormal. A device that keeps those is held to them as well (held_to_bits.hpp).
constexpr bool bit_identical(Kind kind) { return kind != Kind::denormals; }

/// Whether the error of the canonical values against double precision is
/// bounded by rounding alone: no overflow, no underflow, no NaN.
constexpr bool accuracy_is_measured(Kind kind) {
  return kind != Kind::nan && kind != Kind::infinity && kind != Kind::overflow && kind != Kind::denormals &&
         kind != Kind::large && kind != Kind::brink;
}

struct Data {
  Matrix<float> database;  ///< [n x d]
  Matrix<float> queries;   ///< [q x d]
};

Data make_data(Kind kind, std::uint64_t n, std::uint64_t d, std::uint64_t q, std::uint64_t seed);

}  // namespace proxel::conformance
