#pragma once

// What an Index is made of; its methods are in index.cpp, index_blocks.cpp, index_build.cpp, index_files.cpp,
// index_methods.cpp, index_pages.cpp, index_plan.cpp and updates.cpp.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "in_use.hpp"
#include "index/block_source.hpp"
#include "index/compaction.hpp"
#include "index/live_rows.hpp"
#include "index/methods.hpp"
#include "index/part_of_more.hpp"
#include "index/row_copy.hpp"
#include "index/saved_rows.hpp"
#include "index/storage.hpp"
#include "proxel/index.hpp"
#include "session/memory_limit.hpp"
#include "session/session.hpp"

namespace proxel {

namespace index {

/// What the round of a block of queries depends on.
struct Shape {
  SearchDescription nearest;
  std::optional<RangeDescription> within;  // instead
  bool queries_on_device = false;          // they are written there
  bool answers_on_device = false;          // they stay there
  bool exclude_self = false;               // one of the nearest is left out, see SearchBuffers::self
  Method answering = Method::scan;

  bool operator==(const Shape&) const = default;
  bool serves(const Shape& wanted) const { return *this == wanted; }
};

}  // namespace index

/// Device memory that the rows may take, bytes.
inline std::uint64_t memory_limit_of(const Device& device, const IndexOptions& options) {
  return session::memory_limit_of(device, options.memory_limit);
}

struct Index::Implementation {
  InUse in_use;
  IndexOptions options;
  std::vector<Method> methods;    // that may answer, in the order in which they are asked
  SearchDescription description;  // of any search: what the rows and the options say
  index::Storage storage;
  index::LiveRows live;
  std::optional<index::Compaction> compaction;  // that was interrupted when rows had begun to move
  std::map<Method, std::unique_ptr<index::Searcher>> searchers;
  std::map<Method, session::Pace> paces;  // of those that have answered
  std::optional<session::Pace> range_pace;
  double build_milliseconds = 0;
  std::unique_ptr<index::SavedRows> saved;  // a file that rows are streamed from
  // Instead of storage and searchers, where the rows do not fit or are narrower.
  struct Blocks;
  std::unique_ptr<Blocks> blocked;
  bool passing = false;          // these rows are a block of those; set before searchers are made
  std::uint64_t whole_rows = 0;  // of which these are a part; 0: these are all
  index::RowCopy asked_copy;     // of queries and filters
  session::Session<index::Shape> session;
  session::Session<index::Shape> unsampled;  // the same for searches of that kind, which take turns with others
  std::uint64_t page_reach = 0;              // neighbours up to the end of the page that was asked for last

  Implementation(Device& device, const void* data, std::uint64_t rows, std::uint64_t dimensions,
                 const IndexOptions& with);
  // Without rows yet: for make_searchers().
  Implementation(Device& device, std::uint64_t rows, std::uint64_t dimensions, const IndexOptions& with)
      : Implementation(device, &device, rows, dimensions, with) {}
  ~Implementation();

  static SearchDescription checked_description(const void* data, std::uint64_t rows, std::uint64_t dimensions,
                                               const IndexOptions& options);
  void build(const index::HostRows& database, const Progress& progress);
  bool check_place() const;
  // Makes what the methods keep of the rows. Returns where rows go, if not to the storage.
  index::RowTarget* make_searchers();
  // What they are made over.
  index::SearcherContext context() {
    return {storage, options, passing, [this] {
      session.spare();
      unsampled.spare();
    }};
  }
  void store(const index::StoredBlocks::Fill& fill, const Progress& progress);
  // Rows in the type of the options.
  // @param look  called before rows are read; may be empty
  void store(const ElementsView& database, const index::HostRows::Look& look, const Progress& progress);
  // Rows from `first` on are others than before, or there is another number of them.
  void rows_changed(std::uint64_t first);
  // All rows have changed, and are as many as before: has what is kept of them for searches by that metric follow.
  // Returns whether searches that were planned before are good ones still.
  bool follow(Metric metric);
  // Makes plans anew, and gives the memory back that they have.
  void forget_plans() {
    session.forget();
    unsampled.forget();
  }
  // Whether rows have moved, and not all of them.
  bool torn() const { return compaction && compaction->torn(); }
  // Whether the rows are whole.
  Support supports_anything() const;
  // Why rows cannot be added to the index, or taken out of it.
  Support supports_updates() const;
  SearchDescription describe(std::uint32_t queries, std::uint64_t k, Metric metric) const;
  // Describes a search of all rows within a radius, but for the queries and their filter. Throws
  // Error(invalid_argument | unsupported) where there is none.
  RangeDescription describe_range(float radius, Metric metric) const;
  // The k that is searched for where each query's own row is left out. Throws Error(invalid_argument | unsupported).
  std::uint64_t wider_by_self(std::uint64_t k) const;
  // See index::PartOfMore. Searchers have been made.
  void be_part_of(std::uint64_t rows);
  // Whether the method of the options serves it, where these rows are a part: as many as it needs are enough among all.
  Support whole_served(SearchDescription wanted) const;
  // Whether that method serves it.
  Support served_by(Method candidate, const SearchDescription& wanted) const;
  // The method that answers, or the reason why none does.
  // @param given  the caller's filter alone: rows that have been removed are few
  Support find_method(const SearchDescription& wanted, FilterKind given, Method& found) const;
  Method checked_method(const SearchDescription& wanted, FilterKind given = FilterKind::none) const;
  // Tells every method that so many searches are made.
  // @param given  the caller's filter, as of find_method()
  void count(SearchDescription wanted, FilterKind given, std::uint64_t searches);
  // Hands a plan on: that of the method or, where the choice is free and the method
  // finds no room for its copies or no device for its passes, the next best one's.
  using UsePlan = std::function<void(std::unique_ptr<Plan>)>;
  void plan(Method answering, const SearchDescription& wanted, const UsePlan& use);
  session::Pace& pace_of(Method answering);
  // What session::Work::per_query is of that method.
  double work_per_query(Method answering) const;
  // Searches of rows in blocks.
  Neighbors search_blocked(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with);
  Neighbors search_blocked_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                                const SearchOptions& with);
  RangeNeighbors range_search_blocked(const MatrixView<float>& queries, float radius, Metric metric,
                                      const SearchOptions& with);
  Matrix<float> read_blocked(std::span<const std::uint32_t> numbers);
  using Call = session::Call<index::Shape>;
  // Where the queries of a search come from, and where its answers go.
  struct Ends {
    // Writes a block of queries; the filter and what is continued have been written before.
    std::function<void(session::Round&, std::uint64_t first, std::uint64_t count)> encode;
    bool queries_on_device = false;            // encode() writes them there
    bool answers_on_device = false;            // take() takes them from there
    std::function<QueryValues()> values = {};  // what those of the queries are; asked where that matters
    bool bounded = false;                      // encode() writes bounds there as well
    bool unsampled = false;                    // and these may be all that is known, SearchDescription::unsampled
    // Takes a block's answers, k of each query. Without it they are returned.
    std::function<void(const session::Round&, std::uint64_t first, std::uint64_t count)> take = {};
  };
  // The same of the queries of one call: how many, how, and who takes them.
  using Nearest = std::function<Neighbors(std::uint64_t, const SearchOptions&, const index::TakeAnswers&)>;
  // The page behind `with.after`, out of a search for what comes before it as well; nothing where the method continues by
  // itself, or does not serve so many.
  std::optional<Neighbors> search_page(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                       const SearchOptions& with, const Nearest& nearest);
  // @param page  that is asked for; @param given  the caller's filter alone
  bool pages_from(std::uint64_t reach, const SearchDescription& page, FilterKind given) const;
  Matrix<float> read_resident(std::span<const std::uint32_t> numbers);
  // The k nearest of each query, or where they are taken only the report.
  Neighbors search(std::uint64_t queries, std::uint64_t k, Metric metric, const SearchOptions& with, const Ends& ends);
  // Index::search() and search_rows(). @param take  see index::TakeAnswers; without it answers are returned
  Neighbors search_given(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with,
                         const index::TakeAnswers& take = {});
  Neighbors search_own(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                       const SearchOptions& with, const index::TakeAnswers& take = {});
};

}  // namespace proxel
