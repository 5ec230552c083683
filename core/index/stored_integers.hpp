#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "index/live_filter.hpp"
#include "index/planned_screened.hpp"
#include "proxel/index.hpp"
#include "session/session.hpp"

namespace proxel::index {

/// All rows of an index that are stored as integers of a byte, as `fused` multiplies them. Distances are computed from that
/// copy itself, so that neither rows in float32 nor blocks are needed.
class StoredIntegers {
 public:
  /// Takes no device memory yet.
  StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions, const IndexOptions& options);

  /// Whether a search of such queries is served. It may leave queries undecided. Where too many have been, none is.
  /// @param values  what those of the queries are
  bool serves(const SearchDescription& wanted, QueryValues values) const;

  /// Whether the copy for that metric is there.
  bool packed(Metric metric) const;
  /// Makes room for it. Returns whether there is, and never tries again where there is none.
  bool make_room(Metric metric);
  /// Gives all memory back for good. Returns whether there was any.
  bool let_go();
  /// Records how some rows become a part of it, all of which are packed in turn before it is searched.
  /// @param first  a multiple of 128
  void record_pack(Recording& recording, Metric metric, const passes::Rows& rows, std::uint64_t first) const;
  void end_packing(Metric metric);

  /// The nearest of all queries; nothing where one is not decided, or where memory ends. Progress counts rows.
  std::optional<Neighbors> search(const MatrixView<float>& queries, const SearchDescription& wanted, LiveFilter& filter,
                                  const Progress& progress);

 private:
  struct Shape {
    SearchDescription nearest;
    bool serves(const Shape& wanted) const { return nearest == wanted.nearest; }
  };
  struct Copy {
    ScreenedRows rows;
    bool packed = false;
  };

  // Which decisions_ such a search is counted among.
  static unsigned kind_of(const SearchDescription& wanted) { return wanted.filter == FilterKind::none ? 0 : 1; }

  Device& device_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  Method method_;
  ScreenOperand operand_;
  bool no_room_ = false;
  std::map<Metric, Copy> copies_;  // by what is accumulated
  Decisions decisions_[2];         // of searches of all rows, and under filters
  session::Pace pace_;
  session::Session<Shape> session_;
};

}  // namespace proxel::index
