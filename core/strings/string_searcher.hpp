#pragma once

#include <limits>

#include "session/queries_at_once.hpp"
#include "session/session.hpp"
#include "strings/planned_strings.hpp"

namespace proxel::strings {

/// Throws Error(invalid_argument).
inline void check(const StringIndexOptions& options) {
  search::require_range("scratch limit", options.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  search::require_enumerator("distance", options.distance, StringDistance::hamming);
  search::require_enumerator("timing", options.timing, Timing::passes);
}

/// The answers of an index without strings.
inline Neighbors no_neighbors(const Strings& queries, std::uint64_t k) {
  Neighbors none = session::neighbors_room(queries.size(), k);
  std::fill_n(none.indices.data(), queries.size() * k, no_neighbor);
  std::fill_n(none.distances.data(), queries.size() * k, std::numeric_limits<float>::infinity());
  return none;
}
inline RangeNeighbors no_matches(const Strings& queries) {
  return {std::vector<std::uint64_t>(queries.size() + 1, 0), {}, {}, {}};
}

/// Plans searches among strings and encodes their queries.
template <typename Search, typename Stored, typename Description>
class StringSearcher {
 public:
  StringSearcher(Device& device, const StringIndexOptions& options)
      : device_(device), scratch_limit_(options.scratch_limit), session_(device, options.timing) {}

  /// What is searched: its strings, how they are numbered, and what the search goes by.
  struct Database {
    const Stored& stored;
    const StoredStrings& strings;
    const Alphabet& alphabet;
    StringUnits units;
  };

  /// @param wanted  but for what the queries say
  Neighbors search(const Database& database, const Strings& queries, const Description& wanted,
                   const Progress& progress) {
    const std::uint64_t k = strings_part(wanted).k;
    search::require_range("k", k, 1, search::most_rows);
    return session_.nearest(call(database, queries, wanted, 2 * k), k, pace_, progress);
  }
  RangeNeighbors range_search(const Database& database, const Strings& queries, const Description& wanted,
                              const Progress& progress) {
    search::require_radius(*strings_part(wanted).radius);
    return session_.within(call(database, queries, wanted, session::matches_at_first), database.strings.count, pace_,
                           progress);
  }
  /// To be recorded by the caller. @param wanted  but for what the index says
  std::unique_ptr<StringPlan> plan(const Database& database, Description wanted) const {
    strings_part(wanted).scratch_limit = scratch_limit_;
    return std::make_unique<PlannedStrings<Search, Stored, Description>>(device_, database.stored, database.alphabet,
                                                                         database.units, wanted);
  }

  /// What is stored is another.
  void forget() { session_.forget(); }

 private:
  struct Shape {
    Description description;
    std::uint64_t symbols = 0;  // that the queries of a block have together, at most

    bool serves(const Shape& wanted) const { return description == wanted.description && symbols >= wanted.symbols; }
  };

  // A submission with more would not end before a driver loses patience.
  static constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 32;

  // Checks the queries. @param slots  words of results per query
  session::Call<Shape> call(const Database& database, const Strings& queries, Description wanted,
                            std::uint64_t slots) const {
    search::require_range("query length", queries.longest(), 0, most_symbols);
    require_units(queries, database.units);
    strings_part(wanted).longest_query = static_cast<std::uint32_t>(queries.longest());
    // Steps of a comparison, which takes 32 symbols of the query at a time.
    constexpr double usual_length = 16;
    session::Call<Shape> call;
    call.work.queries = queries.size();
    call.work.per_query =
        static_cast<double>(database.strings.count) * usual_length * static_cast<double>(1 + queries.longest() / 32);
    call.work.most = std::min<std::uint64_t>(
        {session::queries_at_once((queries.longest() + slots + 1) * 4),
         StringDistances::queries_at_once(database.strings, queries.longest(), scratch_limit_ / 4),
         std::max<std::uint64_t>(pairs_at_once / database.strings.count, 1)});
    call.shape = [&queries, wanted](std::uint64_t first, std::uint64_t count) {
      Shape shape{wanted, 0};
      strings_part(shape.description).queries = static_cast<std::uint32_t>(count);
      for (std::uint64_t i = 0; i < count; ++i) shape.symbols += queries[first + i].size();
      return shape;
    };
    call.plan = [this, database](const Shape& shape, const session::Prepare& prepare) {
      prepare(plan(database, shape.description), {.query_bytes = std::max<std::uint64_t>(shape.symbols, 1) * 4});
    };
    call.encode = [&queries, &database](session::Round& round, const Shape&, std::uint64_t first, std::uint64_t count) {
      encode(queries, first, count, database.alphabet, static_cast<std::uint32_t*>(round.queries()),
             static_cast<std::uint32_t*>(round.query_offsets()));
    };
    call.answered = [each = compared_with(database.strings, wanted)](const session::Round&, std::uint64_t count,
                                                                     SearchReport& report) {
      report.compared += count * each;
    };
    return call;
  }

  Device& device_;
  std::uint64_t scratch_limit_;
  session::Pace pace_{device_};
  session::Session<Shape> session_;
};

}  // namespace proxel::strings
