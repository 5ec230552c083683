#include "groundtruth/walk.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "answer_size.hpp"
#include "console.hpp"
#include "format.hpp"
#include "groundtruth/read_ahead.hpp"
#include "notes.hpp"

namespace proxel::tool {
namespace {

using Clock = std::chrono::steady_clock;

// A kill loses one block at most, and an index of a larger one is not the faster.
constexpr double block_seconds = 10;
constexpr std::uint64_t most_block_bytes = std::uint64_t{2} << 30;
constexpr std::uint64_t first_block_work = std::uint64_t{1} << 30;  // queries x rows x dimensions
constexpr std::uint64_t tile_rows = 128;                            // which an index is made of

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::uint64_t whole_tiles(std::uint64_t rows) { return std::max(rows / tile_rows, std::uint64_t{1}) * tile_rows; }

// Rows of which every device could hold all.
std::uint64_t most_rows(const RowSource& source, const SearchedDevices& devices, const IndexOptions& options) {
  const std::uint64_t row_bytes = source.columns() * sizeof(float);
  const std::uint64_t shares = devices.division() == Division::rows ? devices.all().size() : 1;
  std::uint64_t rows = std::min(most_block_bytes * shares, free_memory() / 8) / row_bytes;
  for (const Device* device : devices.all())
    while (rows > tile_rows && !Index::fits(*device, rows, source.columns(), options)) rows /= 2;
  return whole_tiles(rows);
}

}  // namespace

Walk::Walk(const RowSource& source, const Matrix<float>& queries, const TruthOptions& options, SearchedDevices& devices,
           nlohmann::json identity)
    : source_(source),
      queries_(queries),
      options_(options),
      devices_(devices),
      identity_(std::move(identity)),
      answer_(queries.rows(), options.k, options.metric),
      most_rows_(most_rows(source, devices, options.index)) {
  const std::uint64_t work = std::max<std::uint64_t>(queries.rows() * source.columns(), 1);
  block_rows_ = std::min(most_rows_, whole_tiles(first_block_work / work));
}

void Walk::continue_from(Checkpoint&& kept) {
  answer_ = RunningAnswer(std::move(kept.nearest), options_.metric);
  rows_done_ = rows_kept_ = report_.first_row = kept.rows_done;
}

std::uint64_t Walk::block_at(std::uint64_t first) const {
  return std::min(options_.block_rows != 0 ? options_.block_rows : block_rows_, source_.rows() - first);
}

void Walk::learn(std::uint64_t rows, double seconds) {
  const double fitting = static_cast<double>(rows) * block_seconds / std::max(seconds, 1e-3);
  const auto most = static_cast<double>(std::min(most_rows_, block_rows_ * 4));
  block_rows_ = whole_tiles(static_cast<std::uint64_t>(std::clamp(fitting, 1.0, most)));
}

void Walk::search(const RowBlock& block, ProgressBar& bar) {
  const auto told = [&](std::uint64_t done, std::uint64_t total) {
    const double part = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
    bar.update(block.first + static_cast<std::uint64_t>(part * static_cast<double>(block.count)), source_.rows());
  };
  const auto building = Clock::now();
  const auto begun = [&](std::uint64_t, std::uint64_t) { told(0, 1); };
  SearchedRows index = block.elements ? SearchedRows(devices_, *block.elements, options_.index, begun)
                                      : SearchedRows(devices_, block.view, options_.index, begun);
  // What one block showed holds for the others.
  if (devices_.several() && devices_.options().shares.empty()) devices_.keep_shares(index.shares());
  report_.building += seconds_since(building);
  const auto searching = Clock::now();
  proxel::SearchOptions with;
  with.progress = told;
  with.ordered = true;
  const Neighbors found = index.search(queries_.view(), std::min(options_.k, block.count), options_.metric, with);
  report_.searching += seconds_since(searching);
  report_.method = found.report.method;
  const auto merging = Clock::now();
  answer_.add(found, block.first);
  rows_done_ = block.first + block.count;
  report_.merging += seconds_since(merging);
}

void Walk::keep() {
  if (options_.output.empty() || rows_kept_ == rows_done_) return;
  const auto begin = Clock::now();
  try {
    write_checkpoint(options_.checkpoint(), {identity_, rows_done_, answer_.so_far()});
    rows_kept_ = rows_done_;
  } catch (const Error& error) {
    // The work goes on: only a kill would lose it.
    if (!std::exchange(warned_, true))
      warn(fmt::format("{}; a run that is killed begins again at row {}", error.what(), with_separators(rows_kept_)));
  }
  report_.keeping += seconds_since(begin);
}

void Walk::keep_what_is_done() noexcept {
  try {
    keep();
    if (!options_.output.empty() && rows_kept_ != 0)
      note(fmt::format("{} of {} rows are done and kept in {}; the same command goes on from there",
                       with_separators(rows_kept_), with_separators(source_.rows()), options_.checkpoint()));
  } catch (...) {  // there is an error already that tells more
  }
}

void Walk::search_rest(ReadAhead& ahead, ProgressBar& bar) {
  auto kept = Clock::now();
  if (rows_done_ < source_.rows()) ahead.begin(rows_done_, block_at(rows_done_));
  while (rows_done_ < source_.rows()) {
    const auto waiting = Clock::now();
    RowBlock block = ahead.take([&] { bar.update(rows_done_, source_.rows()); });
    report_.waiting += seconds_since(waiting);
    const std::uint64_t next = block.first + block.count;
    if (next < source_.rows()) ahead.begin(next, block_at(next));
    const auto searching = Clock::now();
    search(block, bar);
    learn(block.count, seconds_since(searching));
    ++report_.blocks;
    report_.largest_block = std::max(report_.largest_block, block.count);
    ahead.give_back(std::move(block));
    bar.update(rows_done_, source_.rows());
    if (rows_done_ < source_.rows() && seconds_since(kept) >= options_.checkpoint_seconds) {
      keep();
      kept = Clock::now();
    }
  }
}

GroundTruth Walk::run(ProgressBar& bar) {
  const auto begin = Clock::now();
  ReadAhead ahead(source_);  // ended after what was done is kept
  try {
    bar.set_title("searching");
    bar.tell_time_left();
    search_rest(ahead, bar);
  } catch (...) {
    keep_what_is_done();
    throw;
  }
  report_.seconds = seconds_since(begin);
  return answer_.finished();
}

}  // namespace proxel::tool
