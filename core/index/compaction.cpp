#include "index/compaction.hpp"

#include <algorithm>
#include <cstring>

#include "proxel/neighbors.hpp"
#include "search/check.hpp"

namespace proxel::index {
namespace {

using passes::tile_rows;

// Memory for some of the rows, unless there is none.
std::unique_ptr<Storage> room_beside(const Storage& storage, std::uint64_t rows, std::uint64_t memory_limit) {
  const std::uint64_t tiles =
      search::divide_up<std::uint64_t>(rows, tile_rows) + search::divide_up<std::uint64_t>(storage.rows(), tile_rows);
  if (tiles > memory_limit / (std::uint64_t{tile_rows} * storage.dimensions() * 4)) return nullptr;
  auto room = std::make_unique<Storage>(storage.device(), rows, storage.dimensions());
  try {
    room->create_tiles();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return nullptr;
  }
  return room;
}

}  // namespace

Compaction::Compaction(Storage& storage, const LiveRows& live, std::uint64_t memory_limit)
    : storage_(storage),
      live_(live),
      numbers_(storage.rows()),
      piece_(rows_at_a_time(storage.rows(), std::uint64_t{storage.dimensions()} * 4)),
      pending_(piece_ + tile_rows, storage.dimensions()),
      upload_(storage.device(), piece_ + tile_rows, storage.dimensions()) {
  for (std::uint64_t row = 0; row < numbers_.size(); ++row) numbers_[row] = live.contains(row) ? kept_++ : no_neighbor;
  incoming_ = storage.device().create_buffer(piece_ * storage.dimensions() * 4, MemoryKind::readback);
  beside_ = room_beside(storage, kept_, memory_limit);
}

void Compaction::read(std::uint64_t count) {
  storage_.read(taken_, count, *incoming_);
  const auto* row = static_cast<const float*>(incoming_->mapped());
  for (const std::uint64_t end = taken_ + count; taken_ < end; ++taken_, row += pending_.columns())
    if (live_.contains(taken_)) std::copy_n(row, pending_.columns(), &pending_(pending_rows_++, 0));
}

// In place rows are written where rows have been read before.
void Compaction::write(std::uint64_t count) {
  if (count == 0) return;
  torn_ = !beside_;
  upload_.run(pending_.view().slice(0, count), beside_ ? *beside_ : storage_, {}, written_);
  written_ += count;
  pending_rows_ -= count;
  std::memmove(pending_.data(), &pending_(count, 0), pending_rows_ * pending_.columns() * sizeof(float));
}

void Compaction::run(const Progress& progress) {
  const std::uint64_t all = numbers_.size();
  while (written_ < kept_) {
    // What an earlier call read, and may have failed to write, comes first.
    write(taken_ == all ? pending_rows_ : pending_rows_ / tile_rows * tile_rows);
    if (taken_ == all) continue;
    read(std::min(piece_, all - taken_));
    if (progress) progress(taken_, all);
  }
  if (beside_)
    storage_.take(std::move(*beside_));
  else
    storage_.shorten(kept_);
  torn_ = false;
}

}  // namespace proxel::index
