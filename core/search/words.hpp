#pragma once

// Fills, and copies of what is little, as the passes that a GPU makes of them.

#include <algorithm>

#include "proxel/device.hpp"
#include "proxel/passes/copy_words.h"
#include "proxel/passes/fill_words.h"

namespace proxel::search {

/// For a device to be opened with, as recording finds everything ready.
inline void prepare_words(Device& device) {
  device.prepare(passes::make_fill_words({}));
  device.prepare(passes::make_copy_words({}));
}

/// Calls record(pass) with the pass that copies a view of up to `most` bytes, at most 4 GiB. Returns whether there is one: of whole words.
template <typename Record>
bool copies_by_pass(const BufferView& from, const BufferView& to, std::uint64_t most, const Record& record) {
  if (from.bytes > most || (from.address() | to.address() | from.bytes) % 4 != 0) return false;
  record(passes::make_copy_words({from.address(), to.address(), static_cast<std::uint32_t>(from.bytes / 4)}));
  return true;
}

/// Calls record(pass) with the passes that fill a view.
template <typename Record>
void each_fill(const BufferView& view, std::uint8_t byte, const Record& record) {
  constexpr std::uint64_t most_words = std::uint64_t{1} << 30;
  for (std::uint64_t first = 0; first < view.bytes / 4; first += most_words)
    record(passes::make_fill_words({view.address() + first * 4,
                                    static_cast<std::uint32_t>(std::min(most_words, view.bytes / 4 - first)),
                                    byte * 0x01010101u}));
}

}  // namespace proxel::search
