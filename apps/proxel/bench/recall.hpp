#pragma once

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// What an approximate answer has of the exact one, averages over all queries.
struct Recall {
  double by_identity = 0;  ///< the same objects
  double with_ties = 0;    ///< objects no farther than the true k-th
};

/// @param largest_first  whether the neighbours are those of the largest values
Recall recall_of(const Neighbors& exact, const Neighbors& found, bool largest_first = false);

/// Whether two answers have the same indices and distances.
bool same_answer(const Neighbors& a, const Neighbors& b);

}  // namespace proxel::tool
