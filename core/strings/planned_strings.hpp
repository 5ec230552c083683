#pragma once

// Searches among strings that the caller records.

#include <algorithm>

#include "proxel/strings.hpp"
#include "search/bindings.hpp"
#include "strings/string_search.hpp"
#include "strings/string_store.hpp"

namespace proxel::strings {

/// Throws Error(unsupported) where answers would have to be renamed on the host.
inline void require_places(const StringStore& store) {
  if (store.strings().size() != 0 && store.next() == store.strings().size()) return;
  throw Error(ErrorCode::unsupported, "plan",
              "strings have been removed, and answers take their numbers on the host; use search()");
}

/// @tparam Search  made from the device, what is stored and the description
template <typename Search, typename Stored, typename Description>
class PlannedStrings final : public PlannedStringSearch {
 public:
  PlannedStrings(Device& device, const Stored& stored, const Alphabet& alphabet, StringUnits units,
                 const Description& description)
      : device_(device), alphabet_(alphabet), units_(units), part_(checked(description)), search_(device, stored, description) {}

  std::uint64_t scratch_bytes() const override { return search_.scratch_bytes(); }

  StringRequirements requirements() const override {
    using search::elements_requirement;
    const std::uint64_t queries = part_.queries;
    StringRequirements needed;
    // There is a symbol to point at even where no query has any.
    needed.symbols = elements_requirement(std::max<std::uint64_t>(queries * part_.longest_query, 1));
    needed.offsets = elements_requirement(queries + 1);
    needed.scratch = search::scratch_requirement(scratch_bytes());
    needed.indices = needed.distances = elements_requirement(part_.radius ? 1 : queries * part_.k);
    if (part_.radius) needed.matches = search::offsets_requirement(queries);
    return needed;
  }

  void record(Recording& recording, const StringBuffers& buffers) const override {
    const StringRequirements needed = requirements();
    search::Bindings bindings(recording, device_);
    // Queries may be shorter than was planned.
    bindings.reads("symbols buffer", buffers.symbols, search::elements_requirement(1));
    bindings.reads("offsets buffer", buffers.offsets, needed.offsets);
    bindings.writes("scratch buffer", buffers.scratch, needed.scratch);
    bindings.writes("matches buffer", buffers.matches, needed.matches);
    if (part_.radius) search::check_matches(bindings, buffers.indices, buffers.distances);
    else {
      bindings.writes("indices buffer", buffers.indices, needed.indices);
      bindings.writes("distances buffer", buffers.distances, needed.distances);
    }
    search_.record(recording, {buffers.symbols, buffers.offsets, buffers.scratch, buffers.indices,
                               buffers.distances, buffers.matches});
  }

  EncodedStrings encode(const Strings& queries) const override {
    search::require_range("queries", queries.size(), part_.queries, part_.queries);
    search::require_range("query length", queries.longest(), 0, part_.longest_query);
    if (queries.units() != units_)
      throw Error(ErrorCode::invalid_argument, "queries",
                  "are of code points or of bytes, and the strings of the index are not");
    EncodedStrings encoded;
    for (std::uint64_t i = 0; i < queries.size(); ++i) {
      encoded.offsets.push_back(static_cast<std::uint32_t>(encoded.symbols.size()));
      for (const std::uint32_t symbol : queries[i]) encoded.symbols.push_back(alphabet_.number(symbol));
    }
    encoded.offsets.push_back(static_cast<std::uint32_t>(encoded.symbols.size()));
    return encoded;
  }

 private:
  static const StringSearchDescription& checked(const Description& description) {
    const StringSearchDescription& part = strings_part(description);
    search::require_range("queries", part.queries, 1, UINT32_MAX);
    if (part.radius) search::require_radius(*part.radius);
    else search::require_range("k", part.k, 1, search::most_k - 1);
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
