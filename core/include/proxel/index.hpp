#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/data.hpp"
#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/papers/options.hpp"
#include "proxel/range.hpp"
#include "proxel/search.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

namespace index {
struct PartOfMore;
}

/// Which algorithm answers. All give the same answer to the bit.
enum class Method {
  automatic,      ///< bvh or fused where it is the faster, scan otherwise
  texel,          ///< Bustos 2006: one texture per coordinate, accumulate, channel minimum, 4:1 reduction
  scan,           ///< canonical distances of every row, selected as they come
  fused,          ///< a threshold per query discards nearly all rows, on matrix units where the metric allows
  bvh,            ///< up to 8 dimensions: a bounding volume hierarchy leaves out most rows; l1, l2sq, l2, linf
  garcia_direct,  ///< Garcia 2010, section 2.2: distance matrix, modified insertion sort
  garcia_gemm,    ///< Garcia 2010, section 2.3: the same over |r|^2 + |q|^2 - 2 q.r by a matrix product
  komarov,        ///< Komarov 2013: distances by a matrix product, quick multi-select; l2sq, l2, cosine, pearson
};

/// The name: "auto", or the enumerator as it is written, with hyphens.
std::string_view to_string(Method method);
/// The method of that name; "auto" is automatic. Throws Error(invalid_argument) that lists them.
Method method_from_string(std::string_view name);
/// The names of all methods, "auto" first.
std::vector<std::string> method_names();

/// How an index keeps its rows and answers.
struct IndexOptions {
  Method method = Method::automatic;
  /// Device memory that one search may use beside the database, bytes; at
  /// least 1 MiB. Less memory means smaller tiles, not failure.
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  /// Device memory that the rows may take, bytes; 0: four fifths of what the device has. Rows that need more stay in host memory and pass
  /// through the device in blocks at every search, the next beside the search of one where the device copies beside (scan, fused, bvh);
  /// the answer is the same. The limit is for the blocks, which have half of it where it is 0; what a method keeps of one comes on top.
  /// Where 8-bit codes of all rows, a good quarter of their bytes, have room in it, too (where it is 0: in three quarters of the device), fused
  /// finds up to 128 neighbours of few queries in those (256 on the cpu device), and the host evaluates what is left; not by cosine and
  /// pearson: docs/library.md.
  std::uint64_t memory_limit = 0;
  /// Rows that pass through are locked in host memory while the index lives, so that the device reads them where they lie
  /// (Device::pin()) instead of from copies that the host makes of them during every search, which is slower where the
  /// host's memory is. Locking takes as long as some searches, and takes that memory from all other programs. Throws
  /// Error(unsupported | out_of_memory) where rows that pass through cannot be locked: on devices that do not do so, rows
  /// that do not lie behind one another, mapped files on some systems, limits of the system. No effect on rows
  /// that are on the device.
  bool pinned = false;
  /// What the device keeps of the rows (scan, fused and bvh). float32: themselves.
  /// float16: rounded to nearest even. int8 and uint8: integers of that range,
  /// and no others. Distances are the exact ones of the values that are kept.
  /// Narrower rows must fit memory_limit as a whole. They are widened in blocks of about scratch_limit bytes while a
  /// search passes over them, which costs the fewest queries most; what a method keeps of a block comes on top.
  ElementType storage = ElementType::float32;
  /// Times to collect; see SearchReport.
  Timing timing = Timing::whole;
  /// What texel and komarov alone look at.
  PaperOptions papers = {};
};

/// Told how far long work has come: done and total in the same unit. Called when a part of the work has been
/// done, and at least five times a second while a device works, with what is known to be done. What it throws ends
/// the work: on the CPU within about 0.2 s; elsewhere when what has been submitted ends, about 0.1 s of work where that
/// can be divided by queries. The index stays usable. It must not use what the work uses, which refuses.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// What shapes one search beside its queries, k and metric.
struct SearchOptions {
  /// Told of the queries answered so far, or where rows are streamed of the rows
  /// that have passed; may be empty.
  Progress progress = {};
  /// Distances and neighbours as the method's paper computes them, uncorrected,
  /// to show what its arithmetic loses; not the contract's answer. Methods whose
  /// arithmetic is the canonical one refuse.
  bool raw = false;
  /// Which rows may be returned, as 32-bit words: bit i % 32 of word i / 32 is
  /// set where row i may. [1 x ceil(rows / 32)] for all queries, or [q x …] with
  /// one filter per query; without data every row may. Read during the call.
  MatrixView<std::uint32_t> filter = {};
  /// search() alone: the page before, [q x any k], behind whose last column each
  /// query's search continues; null: from the nearest on. Pages joined are what
  /// one search for all of them gives. What a pair that is no row stands for is
  /// told at SearchAfter (proxel/search.hpp). Read during the call.
  const Neighbors* after = nullptr;
  /// See SearchDescription::ordered.
  bool ordered = false;
  /// search() and search_rows() alone: the row that each query is, [q], which is left out of its answer. It is known by
  /// its number, so that its duplicates stay; no_neighbor for a query that is none. Empty: no row is left out. The
  /// method has to serve k + 1. Read during the call.
  std::span<const std::uint32_t> self = {};
};

/// What shapes a search that is planned, beside its queries, k and metric.
struct PlanOptions {
  /// What SearchBuffers::filter says: which rows may be returned.
  FilterKind filter = FilterKind::none;
  /// Whether the search continues behind neighbours, SearchBuffers::after.
  bool continued = false;
  /// Whether the device alone knows how many queries there are, SearchBuffers::count.
  bool counted = false;
  /// See SearchDescription::ordered.
  bool ordered = false;
  /// Whether each query's own row, SearchBuffers::self, is left out of its answer. The search is then one for k + 1,
  /// whose answer lies in the scratch memory: (k + 1) * 8 bytes per query beside IndexOptions::scratch_limit.
  bool exclude_self = false;
};

/// A database on a device, ready to be searched.
///
/// A database that does not fit IndexOptions::memory_limit is streamed instead:
/// it stays in host memory, where it may be a file that is mapped
/// (MappedMatrix), and is then not copied.
///
/// Device memory: the rows, and once searched by cosine or by pearson a
/// normalised copy of them for each of the two; what a method keeps beside
/// them its enumerator says.
///
/// search() is the convenient way in: it uploads, allocates and waits. To record
/// into a command buffer or stream of your own, plan() a search, plan_range() one within a
/// radius or, where the rows are your own too, use the plans of proxel/search.hpp.
class Index {
 public:
  /// Uploads a copy of the database, or streams it.
  /// @param device    outlives the index
  /// @param database  [n x d]; n is 1…2^32-2, d at least 1. Where it is
  ///                  streamed (see fits()) it outlives the index, and its values do not change.
  /// @param progress  called while rows are uploaded; may be empty
  /// Throws Error: invalid_argument, unsupported, out_of_memory.
  Index(Device& device, MatrixView<float> database, const IndexOptions& options = {}, const Progress& progress = {});
  /// The same for rows in the type they are stored in: options.storage says the
  /// same type, or the rows are float32 and this is the constructor above.
  Index(Device& device, const ElementsView& database, const IndexOptions& options, const Progress& progress = {});
  /// An index that was saved, on this device or another: its rows in the type they were stored in, with the numbers
  /// they had, and those that had been removed. It answers as the saved one did, to the bit. The file is mapped, and its
  /// rows are held against their checksums when they are first read: here, as they are uploaded, or where they do not
  /// fit and are streamed (see fits()) by the search that first passes over them, which then throws
  /// Error(malformed_file) for damaged ones. In the second case the index keeps the file open; it must not become
  /// shorter meanwhile. save() never shortens a file, and may replace this one.
  /// @param options  of storage nothing is looked at: the file says it. Where the method is automatic it is the saved
  ///                 index's, with its paper options, if all rows fit the device
  /// Throws Error: not_found; input_output; malformed_file, which says what is damaged; unsupported for files of
  /// another version or of other objects, and on machines whose numbers are not little-endian; and as the constructors.
  static Index load(Device& device, const std::string& path, const IndexOptions& options = {},
                    const Progress& progress = {});
  /// Whether a file begins as those of save() do; load() tells whether it is whole.
  static bool is_saved(const std::string& path);
  ~Index();
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;

  /// The k nearest rows of each query.
  /// @param queries  [q x d]; q may be 0
  /// @param k        at least 1; slots past n are padded (see Neighbors)
  /// Throws Error: invalid_argument, unsupported, out_of_memory, device_lost.
  Neighbors search(MatrixView<float> queries, std::uint64_t k, Metric metric, const SearchOptions& options = {});

  /// The k nearest rows of each of the rows first_row … first_row + count - 1
  /// of the index itself, which do not leave the device unless they are streamed or narrower. A row's nearest row is
  /// as a rule the row itself. Throws as search() does, and Error(unsupported)
  /// where the method keeps no rows that can be read back (texel).
  /// @return matrices [count x k]
  Neighbors search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                        const SearchOptions& options = {});

  /// Rows as they were given, also those that have been removed.
  /// @param numbers  of rows, in any order, of which runs of successive ones are read at once
  /// @return [numbers x d]
  /// Throws Error: invalid_argument where a number is not that of a row; unsupported where rows are stored as textures
  /// alone (texel); out_of_memory, device_lost.
  Matrix<float> read_rows(std::span<const std::uint32_t> numbers);

  /// A search to be recorded by the caller, who brings its buffers. Throws as search() does,
  /// and Error(unsupported) for a filter of the caller's where rows have been removed, which
  /// takes one already (until compact()).
  /// @param queries  at least 1
  std::unique_ptr<Plan> plan(std::uint32_t queries, std::uint64_t k, Metric metric, const PlanOptions& options = {});

  /// Every row within a radius of each query.
  /// @param queries  [q x d]; q may be 0
  /// @param radius   distances, as they are returned, are at most this (at least,
  ///                 for ip); may be infinite. Distances of NaN are never within.
  /// Throws as search() does, and Error(unsupported) where the method keeps no
  /// tiles of rows (texel).
  RangeNeighbors range_search(MatrixView<float> queries, float radius, Metric metric,
                              const SearchOptions& options = {});

  /// A range search to be recorded by the caller, who brings its buffers. Throws as range_search()
  /// does, and Error(unsupported): for a filter, as plan() does; for a search that continues, since
  /// a range search has no pages; for queries that the device counts, whose number is needed when
  /// the search is recorded. Coordinates of NaN ask for nothing: no row is within a radius of such a query.
  /// @param queries  at least 1
  std::unique_ptr<Plan> plan_range(std::uint32_t queries, float radius, Metric metric, const PlanOptions& options = {});

  /// Adds rows behind those that are there, which keep their numbers. What the index
  /// keeps beside the rows follows at the next search, in the tiles of 128 rows that
  /// have changed; where the memory is full it is first moved to half as much again.
  /// @param rows      [m x d], copied; m may be 0
  /// @param progress  called while rows are uploaded; may be empty
  /// @return the number of the first of them: rows() as it was
  /// Throws Error: invalid_argument; unsupported where rows are streamed, stored in a
  /// narrower type, or kept as textures alone (texel); out_of_memory where all rows
  /// would not fit IndexOptions::memory_limit, or the device has no more. The index is
  /// then what it was.
  /// This, remove() and compact() end searches that were planned before, and what these recorded.
  std::uint64_t add(MatrixView<float> rows, const Progress& progress = {});

  /// Removes rows: from now on none of them is found. The others keep their
  /// numbers, and the memory is kept, until compact(). Until then every search has
  /// a filter, and methods that have none refuse to answer.
  /// @param rows  numbers of rows, in any order; twice the same, or one that has been
  ///              removed before, is allowed
  /// @return how many of them had not been removed before
  /// Throws Error(invalid_argument) where a number is not that of a row, and has then
  /// removed none.
  std::uint64_t remove(std::span<const std::uint32_t> rows);

  /// Rows that have been removed, and still have numbers.
  std::uint64_t removed_rows() const;

  /// Takes the removed rows out; the others keep their order and pass through the host once. They are
  /// written beside the old rows or, where IndexOptions::memory_limit has no room for both, move up in place.
  /// @return for each number a row had the number that it has now, or no_neighbor
  /// Throws Error: invalid_argument where every row has been removed; as add() does. The index is then what
  /// it was. In place, where it is interrupted after rows have begun to move (the device fails, `progress`
  /// throws), the index answers nothing, and every call says so, until compact() is called again and goes on.
  std::vector<std::uint32_t> compact(const Progress& progress = {});

  /// Writes the index to a file (docs/index-file.md), whole or not at all: rows, as they are stored, which of them have
  /// been removed, method and paper options. The same rows are the same bytes whatever the device. Rows are read twice.
  /// @param progress  told of rows, twice as many as there are; what it throws leaves the file that was there
  /// Throws Error: input_output; out_of_memory; unsupported where the method keeps no rows that can be read back
  /// (texel), and on machines whose numbers are not little-endian.
  void save(const std::string& path, const Progress& progress = {});

  /// Whether search() could serve this, without doing it.
  Support supports(Metric metric, std::uint64_t k) const;

  /// Whether an index of that size keeps its rows on the device; otherwise it
  /// streams them.
  static bool fits(const Device& device, std::uint64_t rows, std::uint64_t dimensions,
                   const IndexOptions& options = {});

  /// Rows, with those that have been removed.
  std::uint64_t rows() const;
  std::uint32_t dimensions() const;
  /// What is kept of the rows: IndexOptions::storage.
  ElementType storage() const;
  /// The method of the options.
  Method method() const;
  /// The method that answers such a search. Throws as search() does.
  Method method(Metric metric, std::uint64_t k, std::uint32_t queries = 1) const;
  /// Rows that there is room for on the device at once where they are streamed, or widened at once where they are stored
  /// in a narrower type: blocks of so many at most, fewer where that is quicker, pass in a search. Otherwise 0.
  std::uint64_t block_rows() const;
  /// Host time that uploading and packing the database took, milliseconds.
  double build_milliseconds() const;

 private:
  friend struct index::PartOfMore;
  struct PROXEL_HIDDEN Implementation;
  PROXEL_HIDDEN explicit Index(std::unique_ptr<Implementation> made);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
