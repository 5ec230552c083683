#include "proxel/distributed_index.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <unistd.h>

#include "distributed/implementation.hpp"
#include "index/part_of_more.hpp"
#include "proxel/version.h"
#include "search/check.hpp"
#include "session/stopwatch.hpp"

namespace proxel {

using namespace distributed;

namespace {

template <std::size_t size>
void copy_text(const std::string& text, std::array<char, size>& to) {
  std::copy_n(text.data(), std::min(text.size(), size - 1), to.data());
}

std::string host_name() {
  std::array<char, 64> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Throws, on every rank the same, unless the parts are of one database.
void check_parts(const std::vector<Introduction>& ranks) {
  const Introduction* first = nullptr;
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Introduction& rank = ranks[i];
    if (rank.version != PROXEL_VERSION)
      throw Error(
          ErrorCode::unsupported, "version",
          fmt::format("rank {} runs another version of proxel, or a machine that represents numbers otherwise", i));
    rows += rank.rows;
    if (rank.rows == 0) continue;
    if (!first) first = &rank;
    if (rank.dimensions != first->dimensions)
      throw Error(ErrorCode::invalid_argument, "dimensions",
                  fmt::format("rank {} has rows of {}, rank {} of {}", i, rank.dimensions, first - ranks.data(),
                              first->dimensions));
    if (rank.storage != first->storage)
      throw Error(
          ErrorCode::invalid_argument, "storage",
          fmt::format("rank {} stores rows as {}, rank {} as {}", i, to_string(static_cast<ElementType>(rank.storage)),
                      first - ranks.data(), to_string(static_cast<ElementType>(first->storage))));
  }
  search::require_range("rows", rows, 1, search::most_rows);
}

}  // namespace

DistributedIndex::Implementation::Implementation(Ranks& who, const DistributedOptions& with)
    : ranks(who), options(with), exceptions(std::uncaught_exceptions()) {}

DistributedIndex::Implementation::~Implementation() {
  // The others would wait for this rank at the next call.
  if (ranks.size() > 1 && std::uncaught_exceptions() > exceptions && !ranks.has_told())
    ranks.abort(fmt::format("rank {} of {} on {} was ended by an exception outside of calls of the index", ranks.rank(),
                            ranks.size(), host_name()));
}

void DistributedIndex::Implementation::introduce() {
  IntroductionsParcel all;
  all.ranks.resize(ranks.size());
  Introduction& mine = all.ranks[ranks.rank()];
  mine.is_there = 1;
  mine.version = PROXEL_VERSION;
  copy_text(host_name(), mine.host);
  copy_text(device, mine.device);
  if (shard) {
    mine.rows = shard->rows();
    mine.removed = shard->removed_rows();
    mine.dimensions = shard->dimensions();
    mine.storage = static_cast<std::uint64_t>(shard->storage());
  }
  Exchange exchange(ranks);
  exchange.gather(all, [] {}, [](IntroductionsParcel& known, const IntroductionsParcel& told) {
    for (std::size_t i = 0; i < known.ranks.size(); ++i)
      if (told.ranks[i].is_there) known.ranks[i] = told.ranks[i];
  });
  exchange.conclude();
  share(all);
  ranks.set_told(true);
  check_parts(all.ranks);
  ranks.set_told(false);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const Introduction& one = all.ranks[rank];
    if (rank == ranks.rank()) numbers.append(rows, one.rows);
    rows += one.rows;
    removed += one.removed;
    if (one.rows != 0) dimensions = static_cast<std::uint32_t>(one.dimensions);
    infos.push_back({one.device.data(), one.host.data(), one.rows});
  }
  if (shard) index::PartOfMore::tell(*shard, rows);
}

DistributedIndex::DistributedIndex(Ranks& ranks, const MakeShard& make, const DistributedOptions& options)
    : implementation_(std::make_unique<Implementation>(ranks, options)) {
  const session::Stopwatch building;
  Implementation& self = *implementation_;
  do_together(ranks, [&] {
    Shard made = make();
    self.shard = std::move(made.index);
    self.device = made.device;
  });
  self.introduce();
  self.build_milliseconds = building.milliseconds();
}

DistributedIndex::DistributedIndex(Ranks& ranks, Device& device, MatrixView<float> shard,
                                   const IndexOptions& index_options, const DistributedOptions& options)
    : DistributedIndex(ranks, [&]() -> Shard {
        if (index_options.papers.garcia.distances_only)
          throw Error(ErrorCode::unsupported, "distances_only",
                      "answers of several ranks are merged by their rows' numbers");
        if (shard.rows == 0) return {std::nullopt, device.info().id};
        return {Index(device, shard, index_options), device.info().id};
      }, options) {}

DistributedIndex::~DistributedIndex() = default;
DistributedIndex::DistributedIndex(DistributedIndex&&) noexcept = default;
DistributedIndex& DistributedIndex::operator=(DistributedIndex&&) noexcept = default;

void DistributedIndex::Implementation::require_whole() const {
  if (!broken.empty()) throw Error(ErrorCode::unsupported, "index", broken);
}

void DistributedIndex::Implementation::together(Call call, const std::function<void()>& asks) {
  ranks.set_told(false);
  if (!is_root()) {
    for (bool last = false; !last;) {
      Request request;
      step(request, call);
      last = request.last;
    }
    return;
  }
  try {
    if (call != Call::compact || !compacting) require_whole();
    asks();
  } catch (...) {
    if (ranks.has_told()) throw;
    // Nothing has been asked yet, or not all that was to be: the others wait for a question.
    Exchange exchange(ranks);
    exchange.attempt([] { throw; });
    Request request;
    exchange.broadcast(request);
    exchange.agree();
  }
}

void DistributedIndex::Implementation::step(Request& request, Call called) {
  Exchange exchange(ranks);
  exchange.broadcast(request);
  exchange.attempt([&] {
    if (request.call != called)
      throw Error(ErrorCode::invalid_argument, "index",
                  fmt::format("{} was called where rank 0 called {}", name_of(called), name_of(request.call)));
  });
  switch (request.step) {
    case Step::search:
      return search_step(exchange, request);
    case Step::range_search:
      return range_step(exchange, request);
    case Step::read_rows:
      return read_step(exchange, request);
    case Step::add:
      return add_step(exchange, request);
    case Step::prepare:
    case Step::remove:
      return remove_step(exchange, request);
    case Step::compact:
      return compact_step(exchange);
  }
}

std::uint64_t DistributedIndex::rows() const { return implementation_->rows; }
std::uint64_t DistributedIndex::removed_rows() const { return implementation_->removed; }
std::uint32_t DistributedIndex::dimensions() const { return implementation_->dimensions; }
std::uint32_t DistributedIndex::rank() const { return implementation_->ranks.rank(); }
const std::vector<RankInfo>& DistributedIndex::shards() const { return implementation_->infos; }
double DistributedIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
