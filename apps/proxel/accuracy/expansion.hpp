#pragma once

#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// k nearest rows by the expansion that PyTorch's cdist uses for Euclidean
/// distances, evaluated here in binary32 and in its order of operations, not by
/// PyTorch: each pair is the product of (-2q, |q|^2, 1) and (r, 1, |r|^2), summed
/// from the first term to the last, and what falls below zero becomes zero
/// (_euclidean_dist in PyTorch's Distance.cpp). PyTorch's own products sum in another
/// order, which changes the errors, not their size.
/// @param metric  l2sq or l2
Neighbors nearest_by_expansion(const Matrix<float>& database, const Matrix<float>& queries, std::uint64_t k,
                               Metric metric);

}  // namespace proxel::tool
