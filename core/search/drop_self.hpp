#pragma once

#include "proxel/search.hpp"

namespace proxel::search {

/// The k + 1 nearest of each query, which may be itself.
struct FoundWithSelf {
  BufferView indices, distances;  ///< [queries x (k + 1)]
  BufferView self;                ///< 32-bit, the row that each query is; no_neighbor: none
};

/// Records how each query is left out of them.
/// @param answered  how many queries there are, whether the device counts them, and k
/// @param answer    where its indices and distances go, and the count
void record_drop_self(Recording& recording, const SearchDescription& answered, const FoundWithSelf& found,
                      const SearchBuffers& answer);

}  // namespace proxel::search
