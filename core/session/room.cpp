#include "session/room.hpp"

#include <system_error>

#include <fmt/format.h>

#include "search/check.hpp"

namespace proxel::session {

Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k) {
  search::require_range("k", k, 1, search::most_k);
  try {
    return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    fail_for_neighbors(queries, k);
  }
}

RoomBeside::RoomBeside(std::uint64_t queries, std::uint64_t k) : queries_(queries), k_(k) {
  constexpr std::uint64_t large_bytes = std::uint64_t{256} << 20;
  search::require_range("k", k, 1, search::most_k);
  if (queries > large_bytes / 8 / k) get();
}

void RoomBeside::begin() {
  // It takes a thread longer to start than to make less.
  constexpr std::uint64_t worthwhile_bytes = std::uint64_t{1} << 20;
  if (queries_ < worthwhile_bytes / 8 / k_) return;
  const auto make = [this] {
    try {
      get();
    } catch (const std::exception&) {
      // take() tells of it
    }
  };
  try {
    making_ = std::async(std::launch::async, make);
  } catch (const std::system_error&) {
    // No thread to be had: who asks for the room makes it.
  }
}

Neighbors& RoomBeside::get() {
  const std::scoped_lock lock(mutex_);
  if (!room_) room_ = neighbors_room(queries_, k_);
  return *room_;
}

void fail_for_neighbors(std::uint64_t queries, std::uint64_t k) {
  throw Error(ErrorCode::out_of_memory, "k",
              fmt::format("{} neighbours of {} queries do not fit the host's memory", k, queries));
}

void fail_for_matches(std::uint64_t found) {
  throw Error(ErrorCode::out_of_memory, "radius",
              fmt::format("{} neighbours and more do not fit the host's memory", found));
}

}  // namespace proxel::session
