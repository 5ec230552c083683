#pragma once

// Feature signatures of many tempers, and their real distances by the definition, in long double.

#include <cstdint>
#include <string>
#include <string_view>

#include "proxel/matrix.hpp"
#include "proxel/signature_index.hpp"
#include "random.hpp"

namespace proxel::conformance {

enum class SignatureKind {
  clustered,  ///< as images have: centroids around a few places that many share, weights of sum 1
  identical,  ///< few different ones
  near,       ///< copies whose centroids and weights are moved by a little of 1e-2 … 1e-7
  offset,     ///< far from the origin, with small differences
  weights,    ///< of any sum, some 0, some very small or large
  apart,      ///< centroids so far from each other that similarities vanish
};
inline constexpr SignatureKind all_signature_kinds[] = {SignatureKind::clustered, SignatureKind::identical,
                                                        SignatureKind::near,      SignatureKind::offset,
                                                        SignatureKind::weights,   SignatureKind::apart};
std::string_view to_string(SignatureKind kind);

struct SignatureShape {
  SignatureKind kind;
  std::uint64_t count;
  std::uint32_t dimensions;
  std::uint32_t shortest, longest;  // centroids
};

Signatures make_signatures(const SignatureShape& shape, std::uint64_t seed);

/// Real distances, [queries x objects].
Matrix<double> oracle_signature_distances(const Signatures& queries, const Signatures& objects,
                                          const SimilarityFunction& function);

/// Empty where every distance is within 1e-5 of the pair's value range of the real one;
/// otherwise what is not.
/// @param worst  out: the largest error, over the value range
std::string signature_distances_wrong(const Matrix<float>& found, const Matrix<double>& expected,
                                      const Signatures& queries, const Signatures& objects,
                                      const SimilarityFunction& function, double& worst);

}  // namespace proxel::conformance
