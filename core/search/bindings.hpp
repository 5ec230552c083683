#pragma once

#include <array>

#include "proxel/planned_for.hpp"
#include "search/check.hpp"

namespace proxel::search {

/// All that one recording is to read and write, looked at before the first of it is written down. Each call throws
/// Error(invalid_argument) that names the buffer, says what it has and what is needed.
class Bindings {
 public:
  /// Throws where the recording is executed by another device than the one that the plan was made for.
  Bindings(const Recording& recording, const Device& planned_for);

  /// A view that has to be there, to lie within its buffer, to be large enough, aligned, and of the recording's
  /// device; what is written is apart from everything else. Nothing is looked at where nothing is needed.
  void reads(const char* name, const BufferView& view, const BufferRequirement& needed);
  void writes(const char* name, const BufferView& view, const BufferRequirement& needed);
  /// What is read before `written` is, element by element, and may lie at its place `offset` then.
  void reads_in_place(const char* name, const BufferView& view, const BufferRequirement& needed, const char* written,
                      std::uint64_t offset);

  /// Rows that an address names alone: as many, in the same layout, as were planned. After all that is written.
  void reads(std::span<const RowsSegment> given, std::span<const RowsSegment> planned, std::uint32_t dimensions);
  void reads(const passes::Rows& given, const passes::Rows& planned, std::uint32_t dimensions);
  /// Rows in whichever layout. After all that is written.
  void reads(const passes::Rows& given, std::uint64_t planned_rows, std::uint32_t dimensions);

 private:
  struct Range {
    const char* name;
    std::uint64_t first, end;  // addresses
    bool written;
  };

  // Whether there is something to keep apart from what else is written.
  bool look_at(const char* name, const BufferView& view, const BufferRequirement& needed) const;
  void keep_apart(const Range& range, const char* except = nullptr) const;
  void add(const Range& range);
  void require_apart(const passes::Rows& rows, std::uint32_t dimensions) const;

  const Recording& recording_;
  bool rehearsal_;  // which has neither rows nor buffers
  std::array<Range, 16> ranges_{};
  std::size_t count_ = 0;
};

/// All buffers of a search. Throws Error(invalid_argument).
void check(Bindings& bindings, const SearchRequirements& needed, const SearchBuffers& buffers,
           SearchPart part = SearchPart::whole);

/// Throws Error(unsupported) for a half of a search that has none.
void require_whole(SearchPart part);

}  // namespace proxel::search
