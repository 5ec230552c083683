#pragma once

#include <cstdint>
#include <string>

namespace engine {

/// Pixels for each of the font's own.
inline constexpr float text_scale = 2;

/// Writes the quads of a text, as text.vert reads them; returns their number.
std::uint32_t text_quads(const std::string& text, void* memory, std::uint64_t bytes);

}  // namespace engine
