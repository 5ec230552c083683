// How an index is made: where its rows go, and what they are kept as.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "index/blocks.hpp"
#include "index/choice_limits.hpp"
#include "index/implementation.hpp"
#include "index/narrow.hpp"
#include "index/streamed_codes.hpp"
#include "session/stopwatch.hpp"
#include "index/upload.hpp"
#include "passes/elements.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"

namespace proxel {

namespace {

// Rows take the memory of whole tiles.
std::uint64_t tiles_taken_by(std::uint64_t rows) { return search::divide_up<std::uint64_t>(rows, passes::tile_rows); }
std::uint64_t bytes_of_tile(std::uint64_t dimensions, ElementType storage) {
  return passes::tile_rows * dimensions * passes::element_bytes(index::element_of(storage));
}

// Device memory for rows that pass through in blocks, and for copies of all of them in codes besides, bytes.
struct StreamingRoom {
  std::uint64_t blocks = 0;
  std::uint64_t codes = 0;
};

StreamingRoom room_for_streaming(const Device& device, const MatrixView<float>& rows, const IndexOptions& options) {
  // Larger blocks pass no sooner.
  constexpr std::uint64_t enough = std::uint64_t{1} << 30;
  const std::uint64_t limit = memory_limit_of(device, options);
  const std::uint64_t codes = index::StreamedCodes::bytes(device, rows, options);
  const bool limited = options.memory_limit != 0;
  // Beside blocks there is to be room for what methods and normalising metrics keep of them.
  const StreamingRoom without{limited ? limit : limit / 2, 0};
  const std::uint64_t most = index::room_beside(device, 0);
  const std::uint64_t usable = limited ? std::min(limit, most) : most;
  const std::uint64_t fewest =
      limited ? std::max(std::min(usable / 2, enough), 2 * bytes_of_tile(rows.columns, options.storage)) : enough;
  if (codes == 0 || usable < fewest || codes > usable - fewest) return without;
  const std::uint64_t blocks = std::min(without.blocks, usable - codes);
  return {blocks, usable - blocks};
}

}  // namespace

SearchDescription Index::Implementation::checked_description(const void* data, std::uint64_t rows,
                                                             std::uint64_t dimensions, const IndexOptions& options) {
  if (!data && rows != 0) throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  SearchDescription description;
  description.rows = rows;
  description.dimensions = static_cast<std::uint32_t>(std::min<std::uint64_t>(dimensions, UINT32_MAX));
  description.queries = 1;
  description.scratch_limit = options.scratch_limit;
  search::check(description);
  search::require_enumerator("method", options.method, Method::komarov);
  search::require_enumerator("storage", options.storage, ElementType::text);
  search::require_enumerator("selection", options.papers.komarov.selection, last_selection_method);
  search::require_enumerator("timing", options.timing, Timing::passes);
  return description;
}

Index::Implementation::Implementation(Device& device, const void* data, std::uint64_t rows, std::uint64_t dimensions,
                                      const IndexOptions& with)
    : options(with),
      methods(index::answering_methods(with.method).begin(), index::answering_methods(with.method).end()),
      description(checked_description(data, rows, dimensions, with)),
      storage(device, description.rows, description.dimensions),
      live(description.rows),
      asked_copy(device),
      session(device, options.timing),
      unsampled(device, options.timing) {}

Index::Implementation::~Implementation() = default;

void Index::Implementation::build(const index::HostRows& database, const Progress& progress) {
  const session::Stopwatch stopwatch;
  Device& device = storage.device();
  const bool whole = check_place();
  if (options.storage != ElementType::float32) {
    store([&](std::uint64_t first, std::uint64_t count, void* to) {
      index::narrow(database.slice(first, count), options.storage, first, to);
    }, progress);
    return;
  }
  if (!whole) {
    const StreamingRoom room = room_for_streaming(device, database.all, options);
    blocked = Blocks::streamed(device, database, options, room.blocks, room.codes);
    build_milliseconds = stopwatch.milliseconds();
    return;
  }
  index::RowTarget* target = make_searchers();
  if (!target) {
    storage.create_tiles();
    target = &storage;
  }
  index::upload_rows(storage.device(), database, *target, progress);
  build_milliseconds = stopwatch.milliseconds();
}

index::RowTarget* Index::Implementation::make_searchers() {
  index::RowTarget* target = nullptr;
  for (const Method candidate : methods) {
    auto searcher = index::entry_of(candidate).make(context());
    target = searcher->own_rows();
    searchers.emplace(candidate, std::move(searcher));
  }
  return target;
}

// Whether all rows fit the device. Throws where the options do not allow what follows.
bool Index::Implementation::check_place() const {
  const Device& device = storage.device();
  index::element_of(options.storage);  // refuses what rows cannot be stored in
  const bool whole = fits(device, description.rows, description.dimensions, options);
  const bool narrow = options.storage != ElementType::float32;
  const auto refuse = [&](const char* subject, const std::string& why) {
    throw Error(ErrorCode::unsupported, subject, why);
  };
  if (!whole && narrow)
    refuse("storage",
           fmt::format("{} x {} values as {} take {} bytes in tiles of {} rows, the memory limit is {}; "
                       "rows are streamed as float32 alone",
                       description.rows, description.dimensions, to_string(options.storage),
                       tiles_taken_by(description.rows) * bytes_of_tile(description.dimensions, options.storage),
                       passes::tile_rows, memory_limit_of(device, options)));
  const std::span<const Method> in_blocks = index::answering_methods(Method::automatic);
  if ((!whole || narrow) && options.method != Method::automatic &&
      std::ranges::find(in_blocks, options.method) == in_blocks.end())
    refuse("method", fmt::format("{} search keeps all rows on the device as float32, and these are "
                                 "{}; use the scan",
                                 to_string(options.method), narrow ? "stored in a narrower type" : "more than fit"));
  return whole;
}

void Index::Implementation::store(const index::StoredBlocks::Fill& fill, const Progress& progress) {
  const session::Stopwatch stopwatch;
  blocked = Blocks::stored(storage.device(), description.rows, description.dimensions, fill, options, progress);
  build_milliseconds = stopwatch.milliseconds();
}

void Index::Implementation::store(const ElementsView& database, const index::HostRows::Look& look,
                                  const Progress& progress) {
  check_place();
  const std::uint64_t bytes = database.columns * passes::element_bytes(index::element_of(database.type));
  store([&](std::uint64_t first, std::uint64_t count, void* to) {
    if (look) look(first, count);
    for (std::uint64_t row = 0; row < count; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * bytes, database.slice(first + row, 1).data, bytes);
  }, progress);
}

Index::Index(std::unique_ptr<Implementation> made) : implementation_(std::move(made)) {}

Index::Index(Device& device, MatrixView<float> database, const IndexOptions& options, const Progress& progress)
    : implementation_(
          std::make_unique<Implementation>(device, database.data, database.rows, database.columns, options)) {
  implementation_->build(database, progress);
}

Index::Index(Device& device, const ElementsView& database, const IndexOptions& options, const Progress& progress)
    : implementation_(
          std::make_unique<Implementation>(device, database.data, database.rows, database.columns, options)) {
  if (database.type != options.storage)
    throw Error(ErrorCode::invalid_argument, "storage",
                fmt::format("{} was given for rows of {}", to_string(options.storage), to_string(database.type)));
  if (database.type == ElementType::float32) {
    implementation_->build(MatrixView<float>(static_cast<const float*>(database.data), database.rows, database.columns,
                                             database.row_bytes / sizeof(float), 1),
                           progress);
    return;
  }
  implementation_->store(database, {}, progress);
}

bool Index::fits(const Device& device, std::uint64_t rows, std::uint64_t dimensions, const IndexOptions& options) {
  const std::uint64_t bytes = bytes_of_tile(dimensions, options.storage);
  return bytes == 0 || tiles_taken_by(rows) <= memory_limit_of(device, options) / bytes;
}

}  // namespace proxel
