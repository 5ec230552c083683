// Rows that are added to an index of several ranks, and removed from it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "distributed/implementation.hpp"
#include "index/check_search.hpp"
#include "index/part_of_more.hpp"
#include "search/check.hpp"

namespace proxel {

using namespace distributed;

void DistributedIndex::Implementation::add_step(Exchange& exchange, Request& request) {
  MatrixParcel parcel;
  const auto target = static_cast<std::uint32_t>(request.target);
  if (is_root()) {
    exchange.attempt([&] {
      parcel.rows = Matrix<float>(added.rows, added.columns);
      for (std::uint64_t row = 0; row < added.rows; ++row)
        for (std::uint64_t column = 0; column < added.columns; ++column) parcel.rows(row, column) = added(row, column);
    });
    if (target != 0) exchange.send(parcel, target);
  } else if (target == ranks.rank()) {
    exchange.receive(parcel, 0);
  }
  Nothing nothing;
  const auto add = [&] {
    if (target == ranks.rank()) shard->add(parcel.rows.view());
  };
  exchange.gather(nothing, add, [](Nothing&, Nothing&) {});
  exchange.conclude();
  if (target == ranks.rank()) numbers.append(rows, request.k);
  infos[target].rows += request.k;
  rows += request.k;
  if (shard) index::PartOfMore::tell(*shard, rows);
}

void DistributedIndex::Implementation::remove_step(Exchange& exchange, const Request& request) {
  SumParcel gone;
  const auto remove = [&] {
    std::vector<std::uint32_t> mine;
    if (request.step == Step::remove)
      for (const std::uint32_t number : request.numbers)
        if (const auto row = numbers.row_of(number)) mine.push_back(*row);
    if (shard && request.call == Call::remove) gone.sum = shard->remove(mine);
  };
  exchange.gather(gone, remove, [](SumParcel& sum, const SumParcel& other) { sum.sum += other.sum; });
  try {
    exchange.conclude();
  } catch (const std::exception& error) {
    if (request.step == Step::remove)
      broken = fmt::format("rows were removed on some ranks and not on others, where it failed: {}", error.what());
    throw;
  }
  share(gone);
  removed += gone.sum;
  removed_now = gone.sum;
}

void DistributedIndex::Implementation::compact_step(Exchange& exchange) {
  KeptParcel kept;
  const auto compact = [&] {
    kept.words.resize(filter_words(rows));
    kept.counts.resize(ranks.size());
    if (!shard) return;
    if (!compacted) {
      // An index has at least one row: what has none left goes when all are done.
      if (shard->removed_rows() == shard->rows())
        compacted.emplace(shard->rows(), no_neighbor);
      else
        compacted = shard->compact(exchange.watching(progress));
    }
    for (std::uint64_t row = 0; row < compacted->size(); ++row) {
      if ((*compacted)[row] == no_neighbor) continue;
      const std::uint32_t number = numbers.number(row);
      kept.words[number / 32] |= 1u << number % 32;
      ++kept.counts[ranks.rank()];
    }
  };
  compacting = true;
  exchange.gather(kept, compact, [](KeptParcel& all, const KeptParcel& other) { all.add(other); });
  try {
    exchange.conclude();
  } catch (...) {
    broken = "compact() was interrupted; call it again, which finishes it";
    throw;
  }
  share(kept);
  numbers_now = renumber(kept);
  compacting = false;
  broken.clear();
}

std::vector<std::uint32_t> DistributedIndex::Implementation::renumber(const KeptParcel& kept) {
  std::vector<std::uint32_t> new_numbers(rows, no_neighbor);
  std::uint32_t next = 0;
  for (std::uint64_t number = 0; number < rows; ++number)
    if (kept.words[number / 32] >> number % 32 & 1) new_numbers[number] = next++;
  sharding::RowNumbers left;
  for (std::uint64_t row = 0; row < numbers.size(); ++row)
    if (const std::uint32_t number = new_numbers[numbers.number(row)]; number != no_neighbor) left.append(number, 1);
  numbers = std::move(left);
  if (numbers.size() == 0) shard.reset();
  compacted.reset();
  for (std::size_t rank = 0; rank < infos.size(); ++rank) infos[rank].rows = kept.counts[rank];
  rows = next;
  removed = 0;
  if (shard) index::PartOfMore::tell(*shard, rows);
  return new_numbers;
}

// All are in the same call, and can do it, before the first does.
void DistributedIndex::Implementation::prepare(Call call) {
  Request trial{.call = call, .step = Step::prepare, .last = false};
  step(trial, call);
}

std::uint64_t DistributedIndex::add(MatrixView<float> more) {
  Implementation& self = *implementation_;
  const InUse::Scope used(self.in_use, "index");
  const std::uint64_t before = self.rows;
  self.together(Call::add, [&] {
    index::check_added(more, self.dimensions);
    search::require_range("rows", before + more.rows, 1, search::most_rows);
    // That which has fewest, of those that have a device.
    std::size_t target = 0;
    for (std::size_t rank = 0; rank < self.infos.size(); ++rank)
      if (self.infos[rank].rows != 0 &&
          (self.infos[target].rows == 0 || self.infos[rank].rows < self.infos[target].rows))
        target = rank;
    self.prepare(Call::add);
    self.added = more;
    Request request{.call = Call::add, .step = Step::add, .k = more.rows, .target = target};
    self.step(request, Call::add);
  });
  return before;
}

std::uint64_t DistributedIndex::remove(std::span<const std::uint32_t> removed) {
  Implementation& self = *implementation_;
  const InUse::Scope used(self.in_use, "index");
  self.together(Call::remove, [&] {
    for (const std::uint32_t row : removed)
      if (row >= self.rows)
        throw Error(ErrorCode::invalid_argument, "rows", fmt::format("{} is not one of the {} rows", row, self.rows));
    self.prepare(Call::remove);
    Request request{.call = Call::remove, .step = Step::remove};
    request.numbers.assign(removed.begin(), removed.end());
    self.step(request, Call::remove);
  });
  return self.removed_now;
}

std::vector<std::uint32_t> DistributedIndex::compact(const Progress& progress) {
  Implementation& self = *implementation_;
  const InUse::Scope used(self.in_use, "index");
  self.progress = progress;
  self.together(Call::compact, [&] {
    if (self.removed == self.rows) throw Error(ErrorCode::invalid_argument, "compact", "every row has been removed");
    self.prepare(Call::compact);
    Request request{.call = Call::compact, .step = Step::compact};
    self.step(request, Call::compact);
  });
  return std::exchange(self.numbers_now, {});
}

}  // namespace proxel
