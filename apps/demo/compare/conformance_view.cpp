#include "compare/conformance_view.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "shell/backends.hpp"
#include "shell/keys.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

constexpr const char* key = "conformance";

}  // namespace

void ConformanceView::run(Context& context) {
  proxel::conformance::Options options;
  options.filter = filter_;
  options.quick = quick_;
  for (const proxel::DeviceInfo& device : context.backends.usable()) options.devices.push_back(device.id);
  growing_ = std::make_shared<Growing>();
  conforms_.reset();
  context.worker.run(key, "conformance cases " + filter_, [this, options, growing = growing_](Progress& progress) {
    const auto report = proxel::conformance::run(
        options, [&](const proxel::conformance::CaseReport& latest, std::uint64_t done, std::uint64_t total) {
      progress.check();
      {
        const std::scoped_lock lock(growing->mutex);
        growing->cases.push_back(latest);
        ++(latest.outcome == proxel::conformance::Outcome::passed   ? growing->totals.passed
           : latest.outcome == proxel::conformance::Outcome::failed ? growing->totals.failed
                                                                    : growing->totals.unsupported);
      }
      progress.report(done, total);
    });
    return [this, conforms = report.conforms()] { conforms_ = conforms; };
  });
}

void ConformanceView::draw(Context& context) {
  const Theme& theme = context.theme;
  ImGui::PushFont(theme.bold);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Conformance");
  ImGui::PopFont();
  ImGui::SameLine(0, 2 * theme.gap);
  ImGui::SetNextItemWidth(13 * ImGui::GetFontSize());
  if (pressed_with_control(Key::f)) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputTextWithHint("##filter", "part of a name, or a pattern with *", &filter_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  mark("filter");
  ImGui::SameLine();
  ImGui::Checkbox("quick selection", &quick_);
  mark("quick");
  ImGui::SameLine();
  const bool busy = context.worker.busy(key);
  if (busy) {
    if (ImGui::Button("Stop")) context.worker.cancel(key);
  } else if (ImGui::Button("Run cases") || entered) {
    run(context);
  }
  mark("run cases");
  ImGui::SameLine(0, 2 * theme.gap);
  const std::scoped_lock lock(growing_->mutex);
  const auto& totals = growing_->totals;
  if (busy && growing_->cases.empty()) ImGui::TextColored(theme.muted, "preparing …");
  if (!growing_->cases.empty())
    ImGui::TextColored(
        totals.failed               ? theme.bad
        : conforms_.value_or(false) ? theme.good
                                    : theme.muted,
        "%s",
        fmt::format("{} passed, {} failed, {} not supported{}", totals.passed, totals.failed, totals.unsupported,
                    conforms_ ? *conforms_ ? ": conforms" : ": does not conform"
                    : busy    ? " so far"
                              : "; stopped")
            .c_str());
  if (growing_->cases.empty()) {
    if (!busy) ImGui::NewLine();
    ImGui::TextColored(
        theme.muted,
        "Every pass and every search, on every device, against an independent brute force and against each other.");
    return;
  }
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("cases", 4, flags, ImVec2(0, ImGui::GetContentRegionAvail().y))) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("outcome");
  ImGui::TableSetupColumn("device");
  ImGui::TableSetupColumn("ms");
  ImGui::TableSetupColumn("case", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  using proxel::conformance::Outcome;
  // What failed first, then the latest.
  std::vector<const proxel::conformance::CaseReport*> order;
  for (auto one = growing_->cases.rbegin(); one != growing_->cases.rend(); ++one) order.push_back(&*one);
  std::stable_partition(order.begin(), order.end(), [](const auto* one) { return one->outcome == Outcome::failed; });
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& one = *order[static_cast<std::size_t>(i)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(one.outcome == Outcome::passed   ? theme.good
                         : one.outcome == Outcome::failed ? theme.bad
                                                          : theme.muted,
                         "%s", std::string(to_string(one.outcome)).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(one.device.c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fmt::format("{:.1f}", one.milliseconds).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(one.name.c_str());
      if (!one.message.empty()) {
        ImGui::SameLine();
        ImGui::TextColored(theme.muted, "%s", one.message.c_str());
      }
    }
  ImGui::EndTable();
  mark("cases");
}

void ConformanceView::restore(const nlohmann::json& json) {
  if (!json.is_object()) return;
  if (const auto found = json.find("filter"); found != json.end() && found->is_string()) filter_ = *found;
  if (const auto found = json.find("quick"); found != json.end() && found->is_boolean()) quick_ = *found;
}

nlohmann::json ConformanceView::report() const {
  const std::scoped_lock lock(growing_->mutex);
  nlohmann::json json = {{"passed", growing_->totals.passed},
                         {"failed", growing_->totals.failed},
                         {"unsupported", growing_->totals.unsupported}};
  if (conforms_) json["conforms"] = *conforms_;
  return json;
}

}  // namespace demo
