#pragma once

// Texel search (Bustos 2006) pass by pass: the library's own passes on a device, with what
// stands in the textures after each.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/metric.hpp"
#include "proxel/papers/bustos.hpp"
#include "texels/texel_data.hpp"

namespace demo {

struct TexelQuestion {
  std::uint64_t query = 0;                     ///< row of TexelData::queries
  std::vector<float> drawn = {};               ///< a query of one's own instead; empty: that row
  proxel::Metric metric = proxel::Metric::l1;  ///< not one that normalizes()
  std::uint32_t dimensions_per_pass = 8;       ///< t, 1…16

  bool operator==(const TexelQuestion&) const = default;
};

enum class TexelPass { accumulate, minimum, reduce };

/// What one pass left.
struct TexelState {
  TexelPass pass = TexelPass::accumulate;
  std::uint32_t first_dimension = 0, dimension_count = 0;  ///< accumulate: that it added
  std::uint32_t width = 0, height = 0;  ///< texels that still count; others hold what an earlier pass left
  double milliseconds = 0;              ///< of the pass, as the device timed it; 0 where it cannot
  /// [height x width x 4] of the whole texture: texR's binary32, or the candidates' key of a
  /// distance in red and index in green.
  std::vector<std::uint32_t> texels;
};

struct TexelRun {
  TexelQuestion question;
  std::string device;
  std::uint64_t rows = 0;
  std::uint32_t width = 0, height = 0;  ///< of the textures
  std::vector<TexelState> states;       ///< in order: accumulations, the minimum, reductions
  std::uint32_t neighbor = 0;           ///< what texel_collect took from the last texel
  float distance = 0;
  double collect_milliseconds = 0;

  double milliseconds() const;  ///< of all passes
  /// texR as the last accumulation left it: the distance of row i is word i. Rows past
  /// the last are padding.
  std::span<const std::uint32_t> distances() const;
};

/// Green of a candidate that stands for no row.
inline constexpr std::uint32_t no_row = 0xFFFFFFFFu;
/// Bytes that the states of one search may take.
inline constexpr std::uint64_t most_state_bytes = std::uint64_t{64} << 20;

/// A database as textures of a device. One thread at a time.
class TexelSearch {
 public:
  /// Packs the rows into textures. Throws proxel::Error.
  /// @param device  outlives the object
  TexelSearch(proxel::Device& device, std::shared_ptr<const TexelData> data);

  /// The passes, one after the other, and what each left. Throws proxel::Error.
  TexelRun run(const TexelQuestion& question);
  /// The textures of coordinates: [dimensions x height x width x 4].
  std::vector<float> coordinates();

  std::uint32_t width() const { return database_.blocks()[0].width; }
  std::uint32_t height() const { return database_.blocks()[0].height; }
  const TexelData& data() const { return *data_; }

 private:
  const float* values_of(const TexelQuestion& question) const;

  proxel::Device& device_;
  std::shared_ptr<const TexelData> data_;
  proxel::TexelDatabase database_;
  std::unique_ptr<proxel::Texture> accumulated_;  // texR
  std::unique_ptr<proxel::Texture> candidates_;
};

/// Where the states of two devices first differ, in words; empty where every word of every
/// texture is the same, but that one NaN is as good as another.
std::string difference(const TexelRun& a, const TexelRun& b);

}  // namespace demo
