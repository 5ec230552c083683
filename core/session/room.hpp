#pragma once

#include <cstdint>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "proxel/neighbors.hpp"

namespace proxel::session {

/// Matches per query that there is room for at first.
inline constexpr std::uint64_t matches_at_first = 64;

/// Room for the k nearest. Throws Error(invalid_argument | out_of_memory).
Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k);

/// Room for the k nearest that is made beside the search of a device: fresh memory takes the host about as long as copying
/// answers into it does. Room of 256 MiB is made before, so that where it does not fit nothing is searched.
class RoomBeside {
 public:
  /// Throws as neighbors_room(), also get() and take().
  RoomBeside(std::uint64_t queries, std::uint64_t k);

  /// Has a thread make the room where it takes 1 MiB and more.
  void begin();
  /// The room, which is made by the first call. From any thread.
  Neighbors& get();
  Neighbors take() { return std::move(get()); }

 private:
  std::uint64_t queries_, k_;
  std::mutex mutex_;
  std::optional<Neighbors> room_;
  std::future<void> making_;  // it goes before what it makes
};

/// Throws Error(out_of_memory): k neighbours of so many queries.
[[noreturn]] void fail_for_neighbors(std::uint64_t queries, std::uint64_t k);

/// Throws Error(out_of_memory): so many matches and more.
[[noreturn]] void fail_for_matches(std::uint64_t found);

}  // namespace proxel::session
