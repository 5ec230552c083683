#pragma once

// Exact searches among feature signatures as Krulis et al. 2011 run them: blocks of a query and
// N objects that devices work off beside each other, filtered by pivot tables on the host.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/passes/sqfd_block.h"
#include "proxel/signatures.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What leaves objects out before their distance is computed.
enum class SignatureFilter {
  none,       ///< nothing does: the paper's sequential scan
  pivots,     ///< the triangle inequality over distances to pivots (Zezula et al. 2005)
  ptolemaic,  ///< Ptolemy's inequality over pairs of pivots (Lokoc et al. 2011)
};

/// "none", "pivots", "ptolemaic".
std::string_view to_string(SignatureFilter filter);
/// Throws Error(invalid_argument) that lists them.
SignatureFilter signature_filter_from_string(std::string_view name);

using SqfdPrecision = passes::SqfdPrecision;

struct KrulisOptions {
  /// The alpha of the similarity e^(-alpha L2^2): 1e-20…1e20.
  double alpha = 0.2;
  SqfdPrecision precision = SqfdPrecision::float32;
  SignatureFilter filter = SignatureFilter::none;
  /// Objects of the index that serve as pivots, at most 256; empty: pivot_count of them by seed.
  std::vector<std::uint32_t> pivots = {};
  std::uint32_t pivot_count = 32;
  std::uint64_t seed = 2011;
  /// Objects of a block, at most 2^20. scan_block 0: as many as give each device one.
  std::uint32_t scan_block = 0;
  std::uint32_t range_block = 8000;  ///< of those that a filter left, within a radius
  std::uint32_t knn_block = 64;      ///< of those that a filter left, of the k nearest
  /// Blocks of a filtered k-NN search that wait for their distances at a time; 0: two per device.
  std::uint32_t pending = 0;
  /// Memory of each device that signatures may take, bytes; 0: four fifths of what it has. Blocks lie beside it. A
  /// device that has no room for all signatures holds some groups of them and receives others when it takes a block of
  /// theirs, while it works on the block before; the answer is the same.
  std::uint64_t memory_limit = 0;
  /// Signatures that travel together, at most 2^32-2, to devices that lack some; 0: as many as such a device has room
  /// for eight times. No block has signatures of two groups. Two groups at least must fit for one to travel while
  /// another is worked on.
  std::uint32_t group = 0;
};

/// Signatures on one or several devices, each of which holds all of them or, where they do not fit
/// KrulisOptions::memory_limit, some. What a search asks for is cut into blocks of a query and N objects, and
/// whichever device is free takes the next: of those whose signatures it has, or else one whose signatures the fewest
/// devices have, which it then receives.
///
/// Distances are those of the pass sqfd_block: the same bits on every device, for either
/// precision, so that answers do not depend on how many devices there are, on who took which
/// block, or on the filter. Their squares err by at most sqfd_error() from the true ones.
///
/// Reports count all pairs as compared, and as evaluated those whose distance was computed, those to pivots too. Their
/// passes are what the host did, whatever Timing says, and upload_milliseconds what devices took for signatures that
/// they lacked, as far as it was not beside a block: "pivots" waited for the distances of queries to pivots, "filter"
/// evaluated bounds and formed blocks, "wait" waited for blocks, "answer" took distances into answers.
///
/// Its searches cannot be recorded into a caller's command buffer: the host filters between blocks, and
/// decides which device takes one. Plans of a SignatureIndex can: canonical is the sequential scan.
class KrulisIndex {
 public:
  /// Uploads the signatures to every device, as many as it has room for, and computes the distances of all objects to the
  /// pivots where a filter needs them. The signatures need not outlive the index: it keeps a copy of them in host
  /// memory where a device has no room for all.
  /// @param devices  1…64, each once; they are used from threads of the index until it is
  ///                 destroyed, and by nothing else meanwhile
  /// @param progress  told of pivots, out of all, where a filter needs them; what it throws ends the building
  /// Throws Error(invalid_argument | unsupported | out_of_memory): 1…2^32-2 signatures of at
  /// most 32,767 centroids each, 2^32-1 of all, whose weights add up to at most 1e18 each; a memory_limit that has no
  /// room for a group.
  KrulisIndex(std::span<Device* const> devices, const Signatures& signatures, const KrulisOptions& options = {},
              const Progress& progress = {});
  ~KrulisIndex();
  KrulisIndex(KrulisIndex&&) noexcept;
  KrulisIndex& operator=(KrulisIndex&&) noexcept;

  /// The k nearest signatures of each query, ordered by (distance, index); slots past size()
  /// as in Neighbors.
  /// Throws Error(invalid_argument | unsupported | out_of_memory | device_lost).
  Neighbors search(const Signatures& queries, std::uint64_t k, const Progress& progress = {});
  /// The signatures at most `radius` from each query; any number but NaN.
  RangeNeighbors range_search(const Signatures& queries, float radius, const Progress& progress = {});
  /// All distances, [queries x size()].
  Distances distances(const Signatures& queries, const Progress& progress = {});

  std::uint64_t size() const;
  std::uint32_t dimensions() const;
  /// Numbers of the pivots; empty without a filter.
  std::span<const std::uint32_t> pivots() const;
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// How far the square of a distance of sqfd_block may be from the true one, at most.
/// @param length      centroids of both signatures
/// @param weight_sum  of both
double sqfd_error(SqfdPrecision precision, std::uint32_t dimensions, std::uint64_t length, double weight_sum);

}  // namespace proxel
PROXEL_PUBLIC_END
