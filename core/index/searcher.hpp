#pragma once

// What a method of answering is to the index: one file, <method>_searcher.cpp.

#include <functional>
#include <memory>

#include "index/storage.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// One method over the rows of one index. What it keeps on the device between
/// searches (a copy of the rows in another form, pivots, textures) is a member
/// of it, made in plan() the first time it is needed; run_once() (session/run_once.hpp)
/// does such work. It lives as long as the index.
class Searcher {
 public:
  virtual ~Searcher() = default;

  /// Where uploaded rows go, for a method that cannot read the storage's tiles;
  /// null: to the tiles. Asked once, before any row is uploaded.
  virtual RowTarget* own_rows() { return nullptr; }

  /// Whether a search of this k by this metric can be served, or why not. The
  /// range of k has been checked. Starts nothing.
  virtual Support supports(Metric metric, std::uint64_t k) const = 0;

  /// The same of a search of that description, for a method that serves more where its own arithmetic is asked for.
  virtual Support serves(const SearchDescription& description) const {
    return supports(description.metric, description.k);
  }

  /// Rows that the method needs to find so many neighbours.
  virtual std::uint64_t fewest_rows(std::uint64_t k) const {
    static_cast<void>(k);
    return 1;
  }

  /// Whether the method has an arithmetic of its own that SearchOptions::raw
  /// can show, or why not.
  virtual Support supports_raw() const {
    return Support::no(Limit::method, "has no arithmetic of its own: its distances are the canonical ones");
  }

  /// Whether a search of that description, which supports() allows, can leave
  /// rows out and continue behind neighbours as it asks. A method that does
  /// neither need not say so.
  virtual Support supports_narrowing(const SearchDescription& description) const {
    if (description.filter != FilterKind::none || description.continued || description.counted)
      return Support::no(Limit::narrowing,
                         "this method neither filters rows nor continues behind neighbours, nor has its "
                         "queries counted by the device; use the scan");
    return Support::yes();
  }

  /// Whether the method is worth its preparations where the size of the search
  /// decides (Method::automatic). The scan is worth it always.
  /// @param description  with the filter that the caller gives, not with the rows
  ///                     that have been removed
  virtual bool worthwhile(const SearchDescription& description) const {
    static_cast<void>(description);
    return true;
  }

  /// Whether SearchDescription::unsampled may make a difference.
  virtual bool may_go_unsampled(const SearchDescription& description) const {
    static_cast<void>(description);
    return false;
  }

  /// Whether the method would make use of what is known of the queries' values (SearchDescription::values).
  virtual bool asks_for_values(const SearchDescription& description) const {
    static_cast<void>(description);
    return false;
  }
  /// What it makes of such values: the same of values for which it plans the same, as far as it knows.
  virtual QueryValues used_values(const SearchDescription& description, QueryValues values) const {
    static_cast<void>(description);
    return values;
  }

  /// So many searches of that description are made, by whichever method: for what is worthwhile after several alone. Of a
  /// search it is told when its method has been chosen.
  /// @param description  as of worthwhile()
  virtual void count(const SearchDescription& description, std::uint64_t searches) {
    static_cast<void>(description);
    static_cast<void>(searches);
  }

  /// Rows from `first` on are new or others than before, and there may be another
  /// number of them: what is kept of them has to follow. Plans that were made
  /// before are not recorded any more.
  virtual void rows_changed(std::uint64_t first) { static_cast<void>(first); }

  /// After rows_changed(0) of as many rows as before: what is kept of them for searches by that metric follows where it
  /// lies, so that plans made before may be recorded and submitted again. Returns whether that is so. Of rows that pass
  /// it may still be under way then, before all that is submitted later.
  virtual bool follow(Metric metric) {
    static_cast<void>(metric);
    return false;
  }

  /// Adds what the device took for what follow() started of rows that pass, which has finished.
  virtual void add_times(SearchTimes& times) { static_cast<void>(times); }

  /// Whether what plans by that metric were made with has turned out to be of no use, and was given up: they are made anew.
  /// Asked before a search.
  virtual bool gives_up(Metric metric) {
    static_cast<void>(metric);
    return false;
  }

  /// Plans what supports() allows. May allocate, submit and wait.
  /// The queries that it will be given have been normalised where the metric
  /// asks for it (decorated_plans.hpp sees to that).
  /// @param description  rows and dimensions are the storage's; what the metric
  ///                     accumulates is in storage.segments(metric)
  virtual std::unique_ptr<Plan> plan(const SearchDescription& description) = 0;
};

/// A search of one query, to ask what serves it.
inline SearchDescription describe_one(std::uint64_t rows, std::uint32_t dimensions, Metric metric, std::uint64_t k) {
  SearchDescription description;
  description.metric = metric;
  description.rows = rows;
  description.dimensions = dimensions;
  description.queries = 1;
  description.k = k;
  return description;
}
/// Over all rows of a storage.
inline SearchDescription describe_one(const Storage& storage, Metric metric, std::uint64_t k) {
  return describe_one(storage.rows(), storage.dimensions(), metric, k);
}
/// Over as many rows as a search has, which are those of the storage now or of another block.
inline SearchDescription describe_one(const SearchDescription& of) {
  return describe_one(of.rows, of.dimensions, of.metric, of.k);
}

/// What a searcher is made over; the index keeps both alive longer than it.
struct SearcherContext {
  Storage& storage;
  const IndexOptions& options;
  bool passing = false;  ///< the rows are other ones with each search, so that copies of them serve one
  /// Frees memory that is kept for searches to come: called before a copy is made, which may need it.
  std::function<void()> spare;
};

// The makers, one per method. Throw Error(invalid_argument | unsupported |
// out_of_memory) where options or device do not allow the method.
std::unique_ptr<Searcher> make_scan_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_fused_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_bvh_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_texel_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_garcia_direct_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_garcia_gemm_searcher(const SearcherContext& context);
std::unique_ptr<Searcher> make_komarov_searcher(const SearcherContext& context);

}  // namespace proxel::index
