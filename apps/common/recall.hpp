#pragma once

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// What an approximate answer has of the exact one, over all queries together.
struct Recall {
  double by_identity = 0;  ///< the same objects; of k neighbours also their precision
  double with_ties = 0;    ///< objects no farther than the true k-th
};

/// @param largest_first  whether the nearest are those of the largest distance (ip)
Recall recall_of(const Neighbors& exact, const Neighbors& found, bool largest_first = false);
/// The same within a radius, where nothing wrong is ever found, so that there is one reading only.
double recall_of(const RangeNeighbors& exact, const RangeNeighbors& found);

bool same_answer(const Neighbors& a, const Neighbors& b);
bool same_answer(const RangeNeighbors& a, const RangeNeighbors& b);

}  // namespace proxel::tool
