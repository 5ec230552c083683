#pragma once

#include <array>

#include "extraction/round.hpp"
#include "in_use.hpp"
#include "proxel/extraction.hpp"

namespace proxel {

struct SignatureExtractor::Implementation {
  Implementation(Device& device, const ExtractionOptions& options);

  Device& device;
  ExtractionOptions options;
  InUse in_use;
  /// In one buffer: light_table(), random places, and entropy_table(); where the latter two begin, bytes.
  std::unique_ptr<Buffer> tables;
  std::uint64_t places_at = 0, entropies_at = 0;
  /// What coordinates are multiplied with, in parts of 2^-14, once the largest power of two was taken out.
  std::uint32_t position = 0, colour = 0, texture = 0;
  float limit = 0;  ///< of feature_clusters
  float unit = 0;
  /// While one is executed the other is filled.
  std::array<extraction::Round, 2> rounds;
  double milliseconds = 0;

  void record(Recording& recording, const ExtractionDescription& description, const ExtractionBuffers& buffers,
              bool clusters) const;
};

}  // namespace proxel
