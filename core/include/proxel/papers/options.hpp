#pragma once

// What the papers' methods can be told, beside what every search is.

#include <cstdint>

#include "proxel/export.h"
#include "proxel/selection.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// texel: Bustos 2006, section 2.
struct BustosOptions {
  /// Dimensions accumulated per pass, 1…16: t of the paper.
  std::uint32_t dimensions_per_pass = 8;
  /// 4:1 reductions per pass: 1 is the paper's one pass per reduction, 0 lets proxel do several at once.
  std::uint32_t reductions_per_pass = 0;
  /// Rows per block of textures, 1…2^28; the paper uses about a million. Of an index alone.
  std::uint64_t block_rows = 1u << 20;
};

/// garcia-direct and garcia-gemm: Garcia 2010.
struct GarciaOptions {
  /// Distances without the rows that they are of, as the paper's program returns them: the sort moves half as much, and
  /// every index of the answer is no_neighbor. Not of a garcia-gemm that is certified: its candidates are looked up.
  bool distances_only = false;
};

/// komarov: Komarov 2013.
struct KomarovOptions {
  /// Which form of quick multi-select; automatic decides by the number of queries. Other methods of selection are
  /// refused.
  SelectionMethod selection = SelectionMethod::automatic;
};

/// Each method looks at its own.
struct PaperOptions {
  BustosOptions bustos;
  GarciaOptions garcia;
  KomarovOptions komarov;
};

}  // namespace proxel
PROXEL_PUBLIC_END
