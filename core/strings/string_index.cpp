#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "proxel/strings.hpp"
#include "search/check.hpp"
#include "strings/string_search.hpp"

namespace proxel {

using namespace strings;

namespace {

// Distances are at most the longer string's length, and exact in binary32.
constexpr std::uint64_t most_symbols = (std::uint64_t{1} << 24) - 1;

const Strings& checked(const Strings& strings) {
  search::require_range("strings", strings.size(), 1, search::most_rows);
  search::require_range("string length", strings.longest(), 0, most_symbols);
  return strings;
}

// A search of one shape with its buffers and its recorded commands.
class PreparedStrings {
 public:
  PreparedStrings(Device& device, const StoredStrings& strings,
                  const StringSearchDescription& description, std::uint64_t symbols, Timing timing)
      : device_(device), description_(description), search_(device, strings, description),
        symbols_(device.create_buffer(std::max<std::uint64_t>(symbols, 1) * 4, MemoryKind::upload)),
        offsets_(device.create_buffer((std::uint64_t{description.queries} + 1) * 4, MemoryKind::upload)),
        near_symbols_(device.create_buffer(symbols_->bytes(), MemoryKind::device)),
        near_offsets_(device.create_buffer(offsets_->bytes(), MemoryKind::device)),
        scratch_(device.create_buffer(search_.scratch_bytes(), MemoryKind::device)),
        indices_(device.create_buffer(slots() * 4, MemoryKind::readback)),
        distances_(device.create_buffer(slots() * 4, MemoryKind::readback)),
        timed_(device.capabilities().timestamps && timing != Timing::none),
        commands_(device.create_commands(timing)) {
    commands_->begin();
    commands_->copy(*symbols_, *near_symbols_);
    commands_->copy(*offsets_, *near_offsets_);
    commands_->barrier();
    search_.record(*commands_, {*near_symbols_, *near_offsets_, *scratch_, *indices_, *distances_});
    commands_->end();
  }

  const StringSearchDescription& description() const { return description_; }
  std::uint64_t symbols() const { return symbols_->bytes() / 4; }

  void run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
           std::uint32_t* indices, float* distances, SearchTimes& times) {
    const index::Stopwatch uploading;
    auto* symbols = static_cast<std::uint32_t*>(symbols_->mapped());
    auto* offsets = static_cast<std::uint32_t*>(offsets_->mapped());
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < description_.queries; ++i) {
      offsets[i] = used;
      for (const std::uint32_t symbol : queries[first + i]) symbols[used++] = alphabet.number(symbol);
    }
    offsets[description_.queries] = used;
    times.upload_milliseconds += uploading.milliseconds();

    const index::Stopwatch computing;
    device_.submit(*commands_);
    device_.wait();
    times.compute_milliseconds += timed_ ? commands_->milliseconds() : computing.milliseconds();

    const index::Stopwatch reading;
    std::memcpy(indices, indices_->mapped(), slots() * 4);
    std::memcpy(distances, distances_->mapped(), slots() * 4);
    times.readback_milliseconds += reading.milliseconds();
    auto passes = commands_->pass_times();
    std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
  }

 private:
  std::uint64_t slots() const { return description_.queries * description_.k; }

  Device& device_;
  StringSearchDescription description_;
  StringSearch search_;
  std::unique_ptr<Buffer> symbols_, offsets_, near_symbols_, near_offsets_, scratch_, indices_, distances_;
  bool timed_;
  std::unique_ptr<Commands> commands_;
};

}  // namespace

struct StringIndex::Implementation {
  Device& device;
  StringIndexOptions options;
  StringUnits units;
  index::Stopwatch building;
  Alphabet alphabet;
  StoredStrings stored;
  double build_milliseconds;
  SearchTimes times;
  // What the latest search used, kept for the next of the same shape.
  std::optional<PreparedStrings> prepared;

  Implementation(Device& on, const Strings& strings, const StringIndexOptions& with)
      : device(on), options(with), units(strings.units()), alphabet(checked(strings)),
        stored(device, PackedStrings(strings, alphabet), alphabet),
        build_milliseconds(building.milliseconds()) {}

  PreparedStrings& prepare(const StringSearchDescription& wanted, std::uint64_t symbols) {
    if (prepared && prepared->description() == wanted && prepared->symbols() >= symbols)
      return *prepared;
    prepared.reset();  // its memory may be what the next needs
    return prepared.emplace(device, stored, wanted, symbols, options.timing);
  }
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
  const index::Stopwatch stopwatch;
  search::require_range("k", k, 1, search::most_rows);
  search::require_range("query length", queries.longest(), 0, most_symbols);
  if (queries.units() != self.units)
    throw Error(ErrorCode::invalid_argument, "queries",
                "are of code points or of bytes, and the strings of the index are not");
  self.times = {};
  Neighbors found{Matrix<std::uint32_t>(queries.size(), k), Matrix<float>(queries.size(), k)};
  const std::uint64_t block = std::min<std::uint64_t>(
      index::queries_at_once((queries.longest() + 2 * k + 1) * 4),
      StringSearch::queries_at_once(self.stored, queries.longest(), self.options.scratch_limit));
  StringSearchDescription wanted;
  wanted.k = k;
  wanted.scratch_limit = self.options.scratch_limit;
  wanted.longest_query = static_cast<std::uint32_t>(queries.longest());
  for (std::uint64_t first = 0; first < queries.size(); first += block) {
    wanted.queries = static_cast<std::uint32_t>(std::min(block, queries.size() - first));
    std::uint64_t symbols = 0;
    for (std::uint32_t i = 0; i < wanted.queries; ++i) symbols += queries[first + i].size();
    self.prepare(wanted, symbols)
        .run(queries, first, self.alphabet, found.indices.data() + first * k,
             found.distances.data() + first * k, self.times);
    if (progress) progress(first + wanted.queries, queries.size());
  }
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

std::uint64_t StringIndex::size() const { return implementation_->stored.count; }
StringUnits StringIndex::units() const { return implementation_->units; }
std::uint32_t StringIndex::alphabet() const { return implementation_->alphabet.size(); }
const SearchTimes& StringIndex::times() const { return implementation_->times; }
double StringIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
