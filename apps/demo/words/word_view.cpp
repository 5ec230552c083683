#include "words/word_view.hpp"

#include <fmt/format.h>

namespace demo {
namespace {

struct Look {
  ImVec4 colour;
  bool filled = false;  // a box behind the letter
  bool struck = false;
};

Look look_of(Edit edit, const Theme& theme) {
  switch (edit) {
    case Edit::changed:
      return {theme.series[1], true, false};
    case Edit::inserted:
      return {theme.good, true, false};
    case Edit::removed:
      return {theme.bad, false, true};
    case Edit::same:
      break;
  }
  return {theme.text};
}

// Returns where the next letter goes.
float draw_letter(ImDrawList& list, ImVec2 at, const std::string& letter, const Look& look, const Theme& theme) {
  const ImVec2 size = ImGui::CalcTextSize(letter.c_str());
  const float right = at.x + size.x;
  if (look.filled)
    list.AddRectFilled(at, ImVec2(right, at.y + size.y), theme.colour(look.colour, 0.25f), 2 * theme.scale);
  list.AddText(at, theme.colour(look.colour, look.struck ? 0.7f : 1), letter.c_str());
  if (look.struck)
    list.AddLine(ImVec2(at.x, at.y + size.y * 0.55f), ImVec2(right, at.y + size.y * 0.55f), theme.colour(look.colour),
                 theme.scale);
  return right;
}

struct Remark {
  const char* text;
  ImVec4 colour;
};

Remark remark_of(WordMark mark, const Theme& theme) {
  switch (mark) {
    case WordMark::missed:
      return {"missed by the index", theme.bad};
    case WordMark::tied:
      return {"as near as the last", theme.muted};
    case WordMark::wrong:
      return {"farther", theme.bad};
    case WordMark::none:
      break;
  }
  return {"", theme.muted};
}

}  // namespace

bool draw_word(const FoundWord& word, WordMark mark, const Theme& theme, float width) {
  ImGui::PushID(static_cast<int>(word.number));
  const float height = ImGui::GetTextLineHeight() + theme.gap * 0.75f;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::Selectable("##word", false, 0, ImVec2(width, height));
  ImGui::PopID();
  if (!ImGui::IsItemVisible()) return clicked;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = corner.y + (height - ImGui::GetTextLineHeight()) / 2;
  ImGui::PushFont(theme.mono);
  list.AddText(ImVec2(corner.x + theme.gap, top), theme.colour(theme.muted),
               fmt::format("{:3}", word.distance).c_str());
  ImGui::PopFont();

  // The remark keeps its place, whatever the word's length.
  const Remark remark = remark_of(mark, theme);
  ImGui::PushFont(theme.small);
  const ImVec2 remark_size = ImGui::CalcTextSize(remark.text);
  const float remark_left = corner.x + width - remark_size.x - theme.gap;
  list.AddText(ImVec2(remark_left, corner.y + (height - remark_size.y) / 2), theme.colour(remark.colour), remark.text);
  ImGui::PopFont();

  float x = corner.x + 6.5f * theme.gap;
  list.PushClipRect(corner, ImVec2(remark_left - theme.gap, corner.y + height), true);
  if (word.script.empty()) list.AddText(ImVec2(x, top), theme.colour(theme.text), word.text.c_str());
  for (const EditStep& step : word.script)
    x = draw_letter(list, ImVec2(x, top), step.letter, look_of(step.edit, theme), theme);
  list.PopClipRect();
  return clicked;
}

void draw_letter_legend(const Theme& theme) {
  ImGui::PushFont(theme.small);
  const float line = ImGui::GetTextLineHeight();
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto entry = [&](Edit edit, const char* text) {
    at.x = draw_letter(list, at, "a", look_of(edit, theme), theme) + theme.gap / 2;
    list.AddText(at, theme.colour(theme.muted), text);
    at.x += ImGui::CalcTextSize(text).x + 2 * theme.gap;
  };
  const float left = at.x;
  entry(Edit::same, "as typed");
  entry(Edit::changed, "another letter");
  entry(Edit::inserted, "inserted");
  entry(Edit::removed, "left out");
  ImGui::Dummy(ImVec2(at.x - left, line));
  ImGui::PopFont();
}

}  // namespace demo
