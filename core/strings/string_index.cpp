#include "proxel/strings.hpp"
#include "strings/prepared_strings.hpp"

namespace proxel {

using namespace strings;

struct StringIndex::Implementation {
  index::Stopwatch building;
  StringUnits units;
  Alphabet alphabet;
  StoredStrings stored;
  StringSearcher<StringSearch, StoredStrings, StringSearchDescription> searcher;
  double build_milliseconds;

  Implementation(Device& device, const Strings& strings, const StringIndexOptions& options)
      : units(strings.units()), alphabet(checked(strings)),
        stored(device, PackedStrings(strings, alphabet), alphabet), searcher(device, options),
        build_milliseconds(building.milliseconds()) {}
};

StringIndex::StringIndex(Device& device, const Strings& strings, const StringIndexOptions& options) {
  search::require_range("scratch limit", options.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  implementation_ = std::make_unique<Implementation>(device, strings, options);
}
StringIndex::~StringIndex() = default;
StringIndex::StringIndex(StringIndex&&) noexcept = default;
StringIndex& StringIndex::operator=(StringIndex&&) noexcept = default;

Neighbors StringIndex::search(const Strings& queries, std::uint64_t k, const Progress& progress) {
  Implementation& self = *implementation_;
  StringSearchDescription wanted;
  wanted.k = k;
  return self.searcher.search(self.stored, self.stored, self.alphabet, self.units, queries, wanted,
                              progress);
}

std::uint64_t StringIndex::size() const { return implementation_->stored.count; }
StringUnits StringIndex::units() const { return implementation_->units; }
std::uint32_t StringIndex::alphabet() const { return implementation_->alphabet.size(); }
const SearchTimes& StringIndex::times() const { return implementation_->searcher.times(); }
double StringIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
