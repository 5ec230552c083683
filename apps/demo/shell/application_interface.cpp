// What the window shows around its tabs, and the keys.
#include <algorithm>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "shell/application.hpp"
#include "shell/child.hpp"
#include "shell/targets.hpp"

namespace demo {
namespace {

constexpr double progress_after = 0.3;  // seconds; shorter work shows no bar

}  // namespace

void Application::draw_interface() {
  take_keys();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGui::Begin("proxel", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  ImGui::PushFont(theme_.regular);
  draw_bar();
  std::set<std::string> elsewhere;
  for (std::size_t i = 0; i < tabs_.size(); ++i)
    if (i != shown_) elsewhere.insert(key_of(*tabs_[i]));
  notices_.draw(theme_, elsewhere);
  const float status = ImGui::GetTextLineHeight() + 1.5f * theme_.gap;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 area(ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y - status);
  begin_child("tab", area);
  if (!tabs_.empty()) {
    if (!opened_[shown_]) {
      opened_[shown_] = true;
      tabs_[shown_]->open(*context_);
    }
    tabs_[shown_]->draw(*context_);
  }
  ImGui::EndChild();
  mark("tab area", corner, ImVec2(corner.x + area.x, corner.y + area.y));
  draw_status();
  ImGui::PopFont();
  ImGui::End();
  draw_help();
}

// The tabs, and at the right what holds for all of them.
void Application::draw_bar() {
  ImGui::PushFont(theme_.bold);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme_.accent, "proxel");
  ImGui::PopFont();
  for (std::size_t i = 0; i < tabs_.size(); ++i) {
    ImGui::SameLine(0, i == 0 ? 2 * theme_.gap : theme_.gap / 2);
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyle().Colors[i == shown_ ? ImGuiCol_TabActive : ImGuiCol_Tab]);
    if (ImGui::Button(tabs_[i]->name())) show_tab(tabs_[i]->name());
    ImGui::PopStyleColor();
    mark((std::string("tab ") + tabs_[i]->name()).c_str());
  }

  draw_about();
  const float combo = 17 * ImGui::GetFontSize(), button = ImGui::GetFrameHeight() * 1.2f;
  const char* other = theme_.dark ? "☀" : "☾";
  ImGui::SameLine(ImGui::GetWindowWidth() - combo - 2 * button - 2 * ImGui::GetStyle().ItemSpacing.x -
                  ImGui::GetStyle().WindowPadding.x);
  ImGui::SetNextItemWidth(combo);
  const std::string label = fmt::format("{}  {}", backends_->chosen(),
                                        backends_->chosen() == "cpu" ? "" : backends_->short_name(backends_->chosen()));
  if (ImGui::BeginCombo("##backend", label.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const proxel::DeviceInfo& device : backends_->usable())
      if (ImGui::Selectable(fmt::format("{}  {}", device.id, device.name).c_str(), device.id == backends_->chosen()))
        backends_->choose(device.id);
      else
        mark(("backend " + device.id).c_str());
    for (const auto& [id, reason] : backends_->missing()) ImGui::TextDisabled("%s: %s", id.c_str(), reason.c_str());
    ImGui::EndCombo();
  }
  mark("backend");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Which of proxel's backends searches");
  ImGui::SameLine();
  if (ImGui::Button(other, ImVec2(button, 0))) set_theme(theme_.dark ? "light" : "dark");
  mark("theme");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip(theme_.dark ? "Light" : "Dark");
  ImGui::SameLine();
  if (ImGui::Button("?", ImVec2(button, 0))) help_ = true;
  mark("help");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Keys (F1)");
  ImGui::Separator();
}

// What the tab is for, where there is room beside it for what holds for all of them.
void Application::draw_about() {
  if (tabs_.empty()) return;
  ImGui::SameLine(0, 2 * theme_.gap);
  const float letters = ImGui::GetFontSize();  // of the buttons beside it
  ImGui::PushFont(theme_.small);
  const char* text = tabs_[shown_]->about();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text);
  const float room = ImGui::GetContentRegionAvail().x - 17 * letters - 4 * ImGui::GetFrameHeight() - 4 * theme_.gap;
  if (size.x <= room) {
    const ImVec2 at(corner.x, corner.y + (letters - size.y) / 2 + ImGui::GetStyle().FramePadding.y);
    ImGui::GetWindowDrawList()->AddText(at, theme_.colour(theme_.muted), text);
    mark("about", at, ImVec2(at.x + size.x, at.y + size.y));
  }
  ImGui::PopFont();
}

// What is being worked on, at the right what draws the window.
void Application::draw_status() {
  ImGui::Separator();
  ImGui::PushFont(theme_.small);
  const auto showing = worker_->showing();
  if (showing && showing->seconds > progress_after) {
    const float height = ImGui::GetTextLineHeight();
    const bool known = showing->total > 0;
    const float part = known ? static_cast<float>(showing->done) / static_cast<float>(showing->total) : 0.0f;
    const std::string said = known ? fmt::format("{:.0f} %", 100 * part) : fmt::format("{:.0f} s", showing->seconds);
    ImGui::ProgressBar(part, ImVec2(12 * height, height), said.c_str());
    mark("progress");
    ImGui::SameLine();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme_.gap, 0));
    if (ImGui::Button("Cancel")) worker_->cancel();
    ImGui::PopStyleVar();
    mark("cancel");
    ImGui::SameLine();
    ImGui::TextUnformatted(showing->title.c_str());
  } else {
    ImGui::TextDisabled("%s", "F1 shows the keys. Drop files onto the window to search your own.");
  }
  const double latest = frame_times_.empty() ? 0 : frame_times_.back();
  const std::string drawn =
      fmt::format("window on {} · {:.1f} ms a frame", std::string(gpu_->properties.deviceName).substr(0, 40), latest);
  ImGui::SameLine(ImGui::GetWindowWidth() - ImGui::CalcTextSize(drawn.c_str()).x - ImGui::GetStyle().WindowPadding.x);
  ImGui::TextDisabled("%s", drawn.c_str());
  ImGui::PopFont();
}

void Application::draw_help() {
  if (help_) ImGui::OpenPopup("Keys");
  const ImVec2 whole = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(whole.x / 2, whole.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  help_ = false;
  ImGui::PushFont(theme_.regular);
  if (ImGui::BeginPopup("Keys")) {
    const auto line = [this](const std::string& key, const std::string& what) {
      ImGui::TextColored(theme_.accent, "%s", key.c_str());
      ImGui::SameLine(9 * ImGui::GetFontSize());
      ImGui::TextUnformatted(what.c_str());
    };
    line("Ctrl+1 … 5", "the tabs");
    line("Tab, arrows", "go from one thing to the next; Space or Enter presses it");
    line("Ctrl+click", "types a value into a slider");
    line("Ctrl+L", "light or dark");
    line("Ctrl+S", "writes what is shown to proxel-demo.png");
    line("F11", "full screen");
    line("Ctrl+Q", "ends the program");
    if (!tabs_.empty() && !tabs_[shown_]->keys().empty()) {
      ImGui::Separator();
      for (const auto& [key, what] : tabs_[shown_]->keys()) line(key, what);
    }
    ImGui::EndPopup();
  }
  ImGui::PopFont();
}

void Application::take_keys() {
  constexpr Key digits[] = {Key::digit_1, Key::digit_2, Key::digit_3, Key::digit_4, Key::digit_5};
  for (std::size_t i = 0; i < std::min(tabs_.size(), std::size(digits)); ++i)
    if (pressed_with_control(digits[i])) show_tab(tabs_[i]->name());
  if (pressed(Key::f1)) help_ = true;
  if (pressed(Key::f11) && window_) window_->toggle_full_screen();
  if (pressed_with_control(Key::l)) set_theme(theme_.dark ? "light" : "dark");
  if (pressed_with_control(Key::q)) quits_ = true;
  if (pressed_with_control(Key::s)) {
    try {
      screenshot("proxel-demo.png");
    } catch (const proxel::Error& error) {
      notices_.show("screenshot", error.what());
    }
  }
}

}  // namespace demo
