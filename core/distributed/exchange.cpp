#include "distributed/exchange.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "distributed/parcels.hpp"

namespace proxel {

Ranks::~Ranks() = default;

namespace distributed {
namespace {

// Large enough for a network's full speed, and small enough that what cannot be kept can be read and dropped.
constexpr std::uint64_t largest_message = std::uint64_t{16} << 20;

// What an Error's what() has before its own text.
std::string text_of(const Error& error) {
  const std::string what = error.what(), prefix = error.subject() + ": ";
  return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
}

}  // namespace

Outcome Outcome::of_exception(std::uint32_t rank) {
  Outcome outcome{failed, ErrorCode::backend_failure, rank, "index", "an exception ended the call"};
  try {
    throw;
  } catch (const Stopped&) {
    outcome.kind = stopped;
  } catch (const Error& error) {
    outcome.code = error.code();
    outcome.subject = error.subject();
    outcome.text = text_of(error);
  } catch (const std::bad_alloc&) {
    outcome.code = ErrorCode::out_of_memory;
    outcome.text = "the host has not enough memory";
  } catch (const std::exception& error) {
    outcome.text = error.what();
  } catch (...) {
  }
  return outcome;
}

void Outcome::add(Outcome later) {
  if (later.kind > kind) *this = std::move(later);
}

// The trees: a rank's parent is it without its lowest bit, and its children are those that have one more, lower bit.
std::uint32_t Exchange::parent_below_root() const { return ranks_.rank() & (ranks_.rank() - 1); }

void Exchange::each_child(const std::function<void(std::uint32_t)>& visit) const {
  const std::uint64_t rank = ranks_.rank(), size = ranks_.size();
  std::uint64_t step = 1;
  while (step < size && !(rank & step)) step *= 2;
  // Those with most children of their own first.
  for (step /= 2; step > 0; step /= 2)
    if (rank + step < size) visit(static_cast<std::uint32_t>(rank + step));
}

void Exchange::keep_failure() {
  own_ = std::current_exception();
  outcome_ = Outcome::of_exception(ranks_.rank());
  if (outcome_.kind == Outcome::failed)
    ranks_.warn(call_);
  else
    own_ = nullptr;
}

void Exchange::send_outcome(const Shape& shape, const Blobs& blobs, std::uint32_t to) {
  Announced announced{shape,
                      {},
                      blobs.size(),
                      outcome_.kind,
                      static_cast<std::uint64_t>(outcome_.code),
                      outcome_.rank,
                      outcome_.subject.size(),
                      outcome_.text.size()};
  std::ranges::transform(blobs, announced.sizes.begin(), [](const auto& blob) { return blob.size(); });
  send_bytes(std::as_bytes(std::span(&announced, 1)), to);
  send_bytes(std::as_bytes(std::span(outcome_.subject)), to);
  send_bytes(std::as_bytes(std::span(outcome_.text)), to);
}

Exchange::Announced Exchange::receive_outcome(std::uint32_t from) {
  Announced announced;
  receive_bytes(std::as_writable_bytes(std::span(&announced, 1)), from);
  Outcome told{static_cast<Outcome::Kind>(announced.kind), static_cast<ErrorCode>(announced.code),
               static_cast<std::uint32_t>(announced.rank), std::string(announced.subject_bytes, ' '),
               std::string(announced.text_bytes, ' ')};
  receive_bytes(std::as_writable_bytes(std::span(told.subject)), from);
  receive_bytes(std::as_writable_bytes(std::span(told.text)), from);
  outcome_.add(std::move(told));
  return announced;
}

void Exchange::check(const Blobs& blobs, const Announced& announced) {
  bool same = blobs.size() == announced.blobs;
  for (std::size_t i = 0; same && i < blobs.size(); ++i) same = blobs[i].size() == announced.sizes[i];
  if (!same) throw Error(ErrorCode::unsupported, "index", "another rank, of another version, sends other messages");
}

void Exchange::send_bytes(std::span<const std::byte> bytes, std::uint32_t to) {
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), largest_message)))
    ranks_.send(bytes.first(std::min(bytes.size(), largest_message)), to);
}

void Exchange::receive_bytes(std::span<std::byte> bytes, std::uint32_t from) {
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), largest_message)))
    ranks_.receive(bytes.first(std::min(bytes.size(), largest_message)), from);
}

void Exchange::discard_bytes(std::uint64_t count, std::uint32_t from) {
  try {
    std::vector<std::byte> dropped(std::min(count, largest_message));
    for (; count != 0; count -= std::min(count, largest_message))
      ranks_.receive(std::span(dropped).first(std::min(count, largest_message)), from);
  } catch (const std::bad_alloc&) {
    ranks_.abort("the host has not enough memory, not even to end in order");
  }
}

void Exchange::conclude() {
  if (ranks_.rank() != 0) {
    // Rank 0 has heard of all by now; what is known here is a part of that.
    outcome_ = {};
    receive_outcome(parent_below_root());
  }
  each_child([&](std::uint32_t child) { send_outcome({}, {}, child); });
  if (outcome_.kind == Outcome::well) return;
  ranks_.set_told(true);
  if (own_) std::rethrow_exception(own_);
  throw Error(outcome_.code, outcome_.subject,
              ranks_.size() == 1 ? outcome_.text
                                 : fmt::format("{} (on rank {} of {})", outcome_.text, outcome_.rank, ranks_.size()));
}

Progress Exchange::watching(const Progress& told) const {
  return [this, told](std::uint64_t done, std::uint64_t total) {
    if (told) told(done, total);
    if (ranks_.warned(call_)) throw Stopped{};
  };
}

}  // namespace distributed

void do_together(Ranks& ranks, const std::function<void()>& work) { distributed::Exchange(ranks).agree(work); }

std::uint64_t add_together(Ranks& ranks, std::uint64_t mine) {
  using distributed::SumParcel;
  SumParcel sum{mine};
  distributed::Exchange up(ranks);
  up.gather(sum, [] {}, [](SumParcel& one, const SumParcel& other) { one.sum += other.sum; });
  up.conclude();
  distributed::Exchange down(ranks);
  down.broadcast(sum);
  down.agree();
  return sum.sum;
}

}  // namespace proxel
