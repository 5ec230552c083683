#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "index/live_filter.hpp"
#include "index/planned_screened.hpp"
#include "index/row_copy.hpp"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"
#include "session/session.hpp"

namespace proxel::index {

/// A copy of all rows of an index that pass through the device in blocks, in fewer bits, so that all of them are there at once: one for
/// each metric that is accumulated. They are packed block by block, and searched without the rows. It may be in several parts.
class WholeCopy {
 public:
  virtual ~WholeCopy() = default;

  /// Whether such a search is served. It may leave queries undecided. Where too many have been, none is.
  /// @param wanted  of all rows; what is found out of the queries' values is added to it
  virtual bool serves(SearchDescription& wanted, const MatrixView<float>& queries) = 0;

  /// Whether the copy for that metric is there.
  bool packed(Metric metric) const;
  /// Makes room for it, in place of those for other metrics where there is not enough for all. Returns whether there is, and never tries
  /// again where there is none.
  bool make_room(Metric metric);
  /// Gives all memory back for good. Returns whether there was any.
  virtual bool let_go();
  /// Before rows are packed.
  virtual void begin_packing(Metric) {}
  /// Records how some rows become a part of it, all of which are packed in turn before it is searched.
  /// @param first  a multiple of 128
  void record_pack(Recording& recording, Metric metric, const passes::Rows& rows, std::uint64_t first) const;
  virtual void end_packing(Metric metric);

  /// The nearest of all queries; nothing where one is not decided, or where memory ends. Progress counts rows.
  std::optional<Neighbors> search(const MatrixView<float>& queries, const SearchDescription& wanted, LiveFilter& filter,
                                  const Progress& progress);

 protected:
  /// Takes no device memory yet.
  /// @param room   device memory that copies may take together, bytes
  /// @param parts  how many rows each has, `rows` together; multiples of 128 but for the last. Empty: one
  WholeCopy(Device& device, std::uint64_t rows, std::uint32_t dimensions, ScreenOperand operand, std::uint64_t room,
            const IndexOptions& options, std::vector<std::uint64_t> parts = {})
      : device_(device),
        rows_(rows),
        dimensions_(dimensions),
        operand_(operand),
        method_(options.method),
        asked_copy_(device),
        room_(room),
        part_rows_(parts.empty() ? std::vector{rows} : std::move(parts)),
        session_(device, options.timing),
        pace_(device, holds_integers(operand)) {}

  struct Answer {
    Neighbors found;
    // What is counted of it for serves_still(): searches or queries.
    std::uint64_t asked = 1, undecided = 0;
  };
  virtual Answer search_copy(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                             const SearchDescription& wanted, LiveFilter& filter, const Progress& progress) = 0;
  /// Whether there has been room, and what was asked of it has been decided.
  bool serves_still(const SearchDescription& wanted) const {
    return !no_room_ && decisions_[kind_of(wanted)].suffice();
  }
  const std::vector<ScreenedRows>& parts(Metric metric) const { return copies_.at(accumulated(metric)).parts; }
  const std::vector<std::uint64_t>& part_rows() const { return part_rows_; }

  /// What a search depends on, which is of a part of the copy alone.
  struct Shape {
    SearchDescription nearest;
    const ScreenedRows* part = nullptr;
    bool on_device = false;  // queries come from there, and answers stay
    bool operator==(const Shape&) const = default;
    bool serves(const Shape& wanted) const { return *this == wanted; }
  };
  /// Writes a block of queries.
  using Encode = std::function<void(session::Round&, std::uint64_t first, std::uint64_t count)>;
  /// Of queries and filter that the host has, which outlive the result.
  Encode encode_all(const MatrixView<float>& queries, const SearchDescription& wanted, LiveFilter& filter);
  /// A search of a part of the copy alone, to be run by session(). The filter, of the part's rows alone, outlives it.
  /// @param shape    but for the number of queries
  /// @param queries  all that there are
  /// @param most     that are searched at once
  /// @param plan     makes the plan of so many
  session::Call<Shape> call(const Shape& shape, std::uint64_t queries, std::uint64_t most,
                            std::function<std::unique_ptr<Plan>(const SearchDescription&)> plan, Encode encode) const;
  session::Session<Shape>& session() { return session_; }
  session::Pace& pace() { return pace_; }

  Device& device_;
  const std::uint64_t rows_;
  const std::uint32_t dimensions_;
  const ScreenOperand operand_;
  const Method method_;
  RowCopy asked_copy_;  // of queries and filters

 private:
  struct Copy {
    std::vector<ScreenedRows> parts;
    bool packed = false;
  };
  // Which decisions_ such a search is counted among.
  static unsigned kind_of(const SearchDescription& wanted) { return wanted.filter == FilterKind::none ? 0 : 1; }

  std::uint64_t room_;
  std::vector<std::uint64_t> part_rows_;
  bool no_room_ = false;
  std::map<Metric, Copy> copies_;  // by what is accumulated
  Decisions decisions_[2];         // of searches of all rows, and under filters
  session::Session<Shape> session_;
  session::Pace pace_;
};

}  // namespace proxel::index
