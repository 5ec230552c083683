#pragma once

#include "proxel/strings.hpp"
#include "search/bindings.hpp"
#include "strings/string_search.hpp"
#include "strings/string_store.hpp"

namespace proxel::strings {

inline StringSearchDescription& strings_part(StringSearchDescription& whole) { return whole; }
inline const StringSearchDescription& strings_part(const StringSearchDescription& whole) { return whole; }

/// Strings that a query is compared with.
inline std::uint64_t compared_with(const StoredStrings& strings, const StringSearchDescription&) {
  return strings.count;
}

/// Queries first … first + count - 1 as the device reads them.
/// @param symbols  room for as many as they have; returns how many that was
/// @param offsets  [count + 1]
inline std::uint32_t encode(const Strings& queries, std::uint64_t first, std::uint64_t count, const Alphabet& alphabet,
                            std::uint32_t* symbols, std::uint32_t* offsets) {
  std::uint32_t used = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    offsets[i] = used;
    for (const std::uint32_t symbol : queries[first + i]) symbols[used++] = alphabet.number(symbol);
  }
  offsets[count] = used;
  return used;
}

/// Throws Error(invalid_argument).
inline void require_units(const Strings& queries, StringUnits units) {
  if (queries.units() != units)
    throw Error(ErrorCode::invalid_argument, "queries",
                "are of code points or of bytes, and the strings of the index are not");
}

/// Throws Error(unsupported) where answers would have to be renamed on the host.
inline void require_places(const StringStore& store) {
  if (store.strings().size() != 0 && store.next() == store.strings().size()) return;
  throw Error(ErrorCode::unsupported, "plan",
              "strings have been removed, and answers take their numbers on the host; use search()");
}

/// @tparam Search  made from the device, what is stored and the description
template <typename Search, typename Stored, typename Description>
class PlannedStrings final : public StringPlan {
 public:
  PlannedStrings(Device& device, const Stored& stored, const Alphabet& alphabet, StringUnits units,
                 const Description& description)
      : device_(device),
        alphabet_(alphabet),
        units_(units),
        part_(checked(description)),
        search_(device, stored, description) {}

  SearchRequirements requirements() const override {
    using search::elements_requirement;
    const std::uint64_t queries = part_.queries;
    SearchRequirements needed;
    // There is a symbol to point at even where no query has any.
    needed.queries = elements_requirement(std::max<std::uint64_t>(queries * part_.longest_query, 1));
    needed.query_offsets = elements_requirement(queries + 1);
    needed.scratch = search::scratch_requirement(search_.scratch_bytes());
    needed.indices = needed.distances = elements_requirement(part_.radius ? 1 : queries * part_.k);
    if (part_.radius) needed.offsets = search::offsets_requirement(queries);
    return needed;
  }

  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    SearchRequirements needed = requirements();
    needed.queries = search::elements_requirement(1);  // they may be shorter than was planned
    search::Bindings bindings(recording, device_);
    search::check(bindings, needed, buffers);
    search_.record(recording, buffers);
  }

  PlanInfo info() const override { return {Search::method, 0}; }

  EncodedStrings encode(const Strings& queries) const override {
    search::require_range("queries", queries.size(), part_.queries, part_.queries);
    search::require_range("query length", queries.longest(), 0, part_.longest_query);
    require_units(queries, units_);
    EncodedStrings encoded;
    encoded.symbols.resize(queries.symbols().size());
    encoded.offsets.resize(queries.size() + 1);
    strings::encode(queries, 0, queries.size(), alphabet_, encoded.symbols.data(), encoded.offsets.data());
    return encoded;
  }

 private:
  static const StringSearchDescription& checked(const Description& description) {
    const StringSearchDescription& part = strings_part(description);
    search::require_range("queries", part.queries, 1, UINT32_MAX);
    if (part.radius)
      search::require_radius(*part.radius);
    else
      search::require_range("k", part.k, 1, search::most_rows);
    search::require_range("query length", part.longest_query, 0, most_symbols);
    return part;
  }

  const Device& device_;
  Alphabet alphabet_;
  StringUnits units_;
  StringSearchDescription part_;
  Search search_;
};

}  // namespace proxel::strings
