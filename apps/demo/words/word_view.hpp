#pragma once

#include <imgui.h>

#include "shell/theme.hpp"
#include "words/word_search.hpp"

namespace demo {

/// What a word found says beside itself.
enum class WordMark {
  none,
  missed,  ///< a nearest word that the index did not find
  tied,    ///< as near as the last of the nearest, but not one of them
  wrong,   ///< farther than all of the nearest
};

/// A word letter by letter, with what was edited in colours, its distance before it, in a line
/// that is `width` wide. Whether it was clicked.
bool draw_word(const FoundWord& word, WordMark mark, const Theme& theme, float width);

/// What the colours of letters mean, in one line.
void draw_letter_legend(const Theme& theme);

}  // namespace demo
