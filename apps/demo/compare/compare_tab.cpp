// Any search on all backends: the parts of its time as bars, the answers compared to the bit, and
// the conformance cases.

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "compare/all_comparisons.hpp"
#include "compare/chart.hpp"
#include "compare/compare_task.hpp"
#include "compare/conformance_view.hpp"
#include "format.hpp"
#include "shell/backends.hpp"
#include "shell/child.hpp"
#include "shell/keys.hpp"
#include "shell/notices.hpp"
#include "shell/tab.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

namespace tool = proxel::tool;
constexpr const char* key = "compare";

class CompareTab : public Tab {
 public:
  const char* name() const override { return "Compare"; }
  const char* about() const override { return "Run one search on every backend: the same answer, and how fast?"; }

  void open(Context& context) override { start(context); }

  void draw(Context& context) override {
    const Theme& theme = context.theme;
    const float side = 21 * ImGui::GetFontSize();
    begin_child("controls", ImVec2(side, 0));
    draw_controls(context);
    ImGui::EndChild();
    ImGui::SameLine(0, 2 * theme.gap);
    begin_child("results");
    const float all = ImGui::GetContentRegionAvail().y;
    begin_child("comparison", ImVec2(0, all * 0.6f));
    draw_verdict(context);
    draw_bars(theme);
    draw_table(theme);
    ImGui::EndChild();
    ImGui::Separator();
    conformance_.draw(context);
    ImGui::EndChild();
  }

  bool drop(Context& context, std::span<const std::string> paths) override {
    take_file(task_, paths.front());
    start(context);
    return true;
  }

  std::vector<std::pair<std::string, std::string>> keys() const override {
    return {{"Ctrl+G", "compares again"}, {"Ctrl+F", "to the conformance cases"}};
  }

  void restore(const nlohmann::json& json) override {
    if (!json.is_object()) return;
    if (json.contains("task")) from_json(json["task"], task_);
    if (json.contains("conformance")) conformance_.restore(json["conformance"]);
    if (const auto found = json.find("export"); found != json.end() && found->is_string()) export_ = *found;
  }

  nlohmann::json settings() const override {
    return {{"task", to_json(task_)}, {"conformance", conformance_.settings()}, {"export", export_}};
  }

  nlohmann::json report() const override {
    nlohmann::json json = {{"conformance", conformance_.report()}, {"exported", exported_}, {"identical", false}};
    if (!comparison_) return json;
    json["verdict"] = comparison_->verdict();
    json["identical"] = comparison_->good();
    json["task"] = comparison_->task();
    json["answers"] = comparison_->json()["answers"];
    return json;
  }

 private:
  void start(Context& context) {
    const std::string words = (context.data / "words.txt.gz").string();
    comparison_.reset();
    exported_.clear();
    context.worker.run(key, "making what is searched",
                       [this, &context, words, task = task_](Progress& progress) -> Worker::Ending {
      const tool::TaskPointer search = make_search(task, words, progress.callback());
      return [this, &context, task, search] {
        comparison_ = describe(*search);
        std::vector<std::string> usable;
        for (const proxel::DeviceInfo& device : context.backends.usable()) usable.push_back(device.id);
        search_on(context, search, compared_subjects(task, *search, usable), 0,
                  std::make_shared<std::optional<tool::Answer>>());
      };
    });
  }

  // One device after the other, so that each shows as soon as it is there.
  void search_on(Context& context, tool::TaskPointer search, std::vector<tool::Subject> subjects, std::size_t next,
                 std::shared_ptr<std::optional<tool::Answer>> reference) {
    if (next == subjects.size()) return;
    const std::string title =
        fmt::format("searching on {} ({} of {})", subjects[next].device, next + 1, subjects.size());
    context.worker.run(key, title, [=, this, &context](Progress& progress) -> Worker::Ending {
      const tool::Watch watch{[](const std::string&) {}, progress.callback()};
      tool::Measured measured = measure_subject(*search, subjects[next], *reference, watch);
      return [=, this, &context, measured = std::move(measured)] {
        comparison_->measured.push_back(measured);
        search_on(context, search, subjects, next + 1, reference);
      };
    });
  }

  template <typename Value, typename List, typename Name>
  static bool combo(const char* label, const char* target, Value& value, const List& list, const Name& name_of) {
    bool changed = false;
    if (ImGui::BeginCombo(label, std::string(name_of(value)).c_str())) {
      for (const Value& one : list) {
        const std::string name(name_of(one));
        if (ImGui::Selectable(name.c_str(), one == value)) {
          value = one;
          changed = true;
        }
        mark((std::string(target) + " " + name).c_str());
      }
      ImGui::EndCombo();
    }
    mark(target);
    return changed;
  }

  static void slider(const char* label, const char* target, int& value, int least, int most) {
    ImGui::SliderInt(label, &value, least, most, "%d", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    mark(target);
  }

  void draw_controls(Context& context) {
    const Theme& theme = context.theme;
    ImGui::PushFont(theme.bold);
    ImGui::TextUnformatted("One search, every backend");
    ImGui::PopFont();
    ImGui::PushTextWrapPos();
    ImGui::TextColored(theme.muted,
                       "The same search on all devices; answers are compared with the reference to the bit.");
    ImGui::PopTextWrapPos();
    ImGui::Dummy(ImVec2(0, theme.gap / 2));
    ImGui::PushItemWidth(12 * ImGui::GetFontSize());
    const tool::SearchedObjects before = objects_of(task_.subject);
    if (combo("search for", "subject", task_.subject, all_subjects,
              [](Subject one) { return subject_names[static_cast<int>(one)]; }) &&
        objects_of(task_.subject) != before)
      task_.file.clear();
    if (!task_.file.empty()) {
      const auto slash = task_.file.find_last_of('/');
      ImGui::TextColored(theme.accent, "%s", task_.file.substr(slash == std::string::npos ? 0 : slash + 1).c_str());
      ImGui::SameLine();
      if (ImGui::SmallButton("×")) task_.file.clear();
    }
    switch (objects_of(task_.subject)) {
      case tool::SearchedObjects::vectors:
        draw_vector_controls();
        break;
      case tool::SearchedObjects::words:
        combo("distance", "distance", task_.distance,
              std::array{proxel::StringDistance::levenshtein, proxel::StringDistance::hamming},
              [](proxel::StringDistance one) { return to_string(one); });
        break;
      case tool::SearchedObjects::signatures:
        if (task_.file.empty()) {
          slider("signatures", "signatures", task_.signatures, 100, 100000);
          slider("centroids", "centroids", task_.centroids, 1, 100);
        }
        ImGui::SliderFloat("α", &task_.alpha, 0.001f, 10, "%.3g",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
        mark("alpha");
        break;
    }
    slider("queries", "queries", task_.queries, 1, 10000);
    slider("k", "k", task_.k, 1, 1000);
    ImGui::PopItemWidth();
    if (task_.subject != Subject::permutations) {
      ImGui::Checkbox("and all devices together", &task_.together);
      mark("together");
    }
    ImGui::Dummy(ImVec2(0, theme.gap / 2));
    const bool busy = context.worker.busy(key);
    const ImVec2 wide(12 * ImGui::GetFontSize(), ImGui::GetFrameHeight() * 1.25f);
    if (busy) {
      if (ImGui::Button("Stop", wide)) context.worker.cancel(key);
    } else {
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyle().Colors[ImGuiCol_TabActive]);
      if (ImGui::Button("Compare", wide) || pressed_with_control(Key::g)) start(context);
      ImGui::PopStyleColor();
    }
    mark("compare");
    ImGui::Dummy(ImVec2(0, theme.gap));
    draw_export(context);
  }

  void draw_vector_controls() {
    if (task_.file.empty()) {
      combo("distribution", "distribution", task_.distribution,
            std::array{Distribution::uniform, Distribution::clusters, Distribution::integers},
            [](Distribution one) { return distribution_names[static_cast<int>(one)]; });
      slider("rows", "rows", task_.rows, 100, 1000000);
      slider("dimensions", "dimensions", task_.dimensions, 1, 1024);
    }
    combo("metric", "metric", task_.metric, proxel::all_metrics, [](proxel::Metric one) { return to_string(one); });
    if (task_.subject == Subject::range) return;  // which all methods serve alike
    std::vector<proxel::Method> methods;
    for (const std::string& name : proxel::method_names()) methods.push_back(proxel::method_from_string(name));
    combo("method", "method", task_.method, methods, [](proxel::Method one) { return to_string(one); });
  }

  void draw_export(Context& context) {
    const Theme& theme = context.theme;
    ImGui::PushFont(theme.bold);
    ImGui::TextUnformatted("Keep it");
    ImGui::PopFont();
    ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
    ImGui::InputTextWithHint("file", "proxel-compare", &export_);
    mark("export name");
    ImGui::BeginDisabled(!comparison_ || comparison_->measured.empty() || export_.empty());
    for (const char* kind : {"png", "csv", "json"}) {
      std::string label(kind);
      std::transform(label.begin(), label.end(), label.begin(),
                     [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
      if (ImGui::Button(label.c_str())) save(context, kind);
      mark((std::string("export ") + kind).c_str());
      ImGui::SameLine();
    }
    ImGui::EndDisabled();
    ImGui::NewLine();
    if (!exported_.empty()) ImGui::TextColored(theme.good, "wrote %s", exported_.c_str());
  }

  void save(Context& context, const std::string& kind) {
    const std::string path = export_ + "." + kind;
    std::string text;
    if (kind == "csv") text = to_csv(tool::table_of(*comparison_));
    if (kind == "json") text = comparison_->json().dump(2) + "\n";
    if (kind == "png") {
      const auto bytes = proxel::images::encode_png(draw_chart(*comparison_));
      text.assign(bytes.begin(), bytes.end());
    }
    try {
      write_file(path, text.data(), text.size());
      exported_ = path;
      context.notices.clear("compare.export");
    } catch (const proxel::Error& error) {
      context.notices.show("compare.export", error.what());
    }
  }

  void draw_verdict(Context& context) {
    const Theme& theme = context.theme;
    ImGui::PushFont(theme.bold);
    const bool busy = context.worker.busy(key);
    if (!comparison_ || comparison_->measured.empty())
      ImGui::TextColored(theme.muted, busy ? "comparing …" : "nothing has been compared yet");
    else if (busy)
      ImGui::TextColored(theme.muted, "%s so far", comparison_->verdict().c_str());
    else
      ImGui::TextColored(comparison_->good() ? theme.good : theme.bad, "%s", comparison_->verdict().c_str());
    mark("verdict");
    ImGui::PopFont();
    if (comparison_) {
      const std::string what = comparison_->task();
      ImGui::SameLine(0, 2 * theme.gap);
      if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(what.c_str()).x) ImGui::NewLine();
      ImGui::TextColored(theme.muted, "%s", what.c_str());
    }
  }

  // A bar per device and method: upload, compute, read-back.
  void draw_bars(const Theme& theme) const {
    const ImVec4 colours[] = {theme.series[1], theme.series[0], theme.series[2]};
    constexpr const char* names[] = {"upload (host clock)", "compute (device time)", "read-back (host clock)"};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (int i = 0; i < 3; ++i) {
      const float height = ImGui::GetTextLineHeight();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      list.AddRectFilled(ImVec2(at.x, at.y + height * 0.15f), ImVec2(at.x + height * 0.7f, at.y + height * 0.85f),
                         theme.colour(colours[i]));
      ImGui::Dummy(ImVec2(height * 0.7f, height));
      ImGui::SameLine(0, theme.gap / 2);
      ImGui::TextColored(theme.muted, "%s", names[i]);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", parts_method);
      if (i < 2) ImGui::SameLine(0, 2 * theme.gap);
    }
    const std::size_t bars = comparison_ ? comparison_->measured.size() : 0;
    const float line = ImGui::GetFrameHeight() * 1.1f, label = 16 * ImGui::GetFontSize(),
                figures = 15 * ImGui::GetFontSize();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float across = ImGui::GetContentRegionAvail().x;
    const float high = static_cast<float>(std::max<std::size_t>(bars, 3)) * line + theme.gap;
    ImGui::Dummy(ImVec2(across, high));
    mark("chart");
    list.AddRectFilled(corner, ImVec2(corner.x + across, corner.y + high), theme.colour(theme.panel), theme.gap / 2);
    if (!comparison_) return;
    double most = 0;
    for (const tool::Measured& row : comparison_->measured)
      if (row.timed()) most = std::max(most, parts_of(row).sum());
    for (std::size_t i = 0; i < bars; ++i) {
      const tool::Measured& row = comparison_->measured[i];
      const float top = corner.y + theme.gap / 2 + static_cast<float>(i) * line,
                  text = top + (line - ImGui::GetTextLineHeight()) / 2;
      list.AddText(ImVec2(corner.x + theme.gap, text), theme.colour(theme.text),
                   fmt::format("{}  {}", row.device.id, row.method).c_str());
      float x = corner.x + label;
      if (!row.timed()) {
        list.AddText(ImVec2(x, text),
                     theme.colour(row.outcome == tool::Measured::Outcome::failed ? theme.bad : theme.muted),
                     row.verdict().c_str());
        continue;
      }
      const Parts parts = parts_of(row);
      const double times[] = {parts.upload, parts.compute, parts.readback};
      for (int part = 0; part < 3; ++part) {
        const float length = most > 0 ? static_cast<float>(times[part] / most) * (across - label - figures) : 0;
        list.AddRectFilled(ImVec2(x, top + line * 0.15f), ImVec2(x + length, top + line * 0.85f),
                           theme.colour(colours[part]));
        x += length;
      }
      list.AddText(
          ImVec2(x + theme.gap, text), theme.colour(row.difference ? theme.bad : theme.muted),
          fmt::format("{} ms{}{}", tool::significant(parts.sum()),
                      row.first > 1.5 * row.total ? fmt::format(", first {} ms", tool::significant(row.first)) : "",
                      row.difference ? ", DIFFERENT" : "")
              .c_str());
    }
    ImGui::Dummy(ImVec2(0, theme.gap / 2));
  }

  void draw_table(const Theme& theme) const {
    if (!comparison_ || comparison_->measured.empty()) return;
    const tool::Table table = tool::table_of(*comparison_);
    const auto columns = static_cast<int>(table.columns().size()) - 1;  // the backend stands in the device's id
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                                      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX |
                                      ImGuiTableFlags_ScrollY;
    ImGui::PushFont(theme.small);
    if (ImGui::BeginTable("times", columns, flags, ImGui::GetContentRegionAvail())) {
      ImGui::TableSetupScrollFreeze(0, 1);
      for (int column = 1; column <= columns; ++column)
        ImGui::TableSetupColumn(table.columns()[static_cast<std::size_t>(column)].heading.c_str());
      ImGui::TableHeadersRow();
      for (const auto& row : table.rows()) {
        ImGui::TableNextRow();
        for (std::size_t column = 1; column < row.size(); ++column) {
          ImGui::TableNextColumn();
          const tool::Cell& cell = row[column];
          if (table.columns()[column].number)
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x -
                                                                             ImGui::CalcTextSize(cell.text.c_str()).x));
          ImGui::TextColored(cell.style == tool::Style::good  ? theme.good
                             : cell.style == tool::Style::bad ? theme.bad
                                                              : theme.text,
                             "%s", cell.text.c_str());
        }
      }
      ImGui::EndTable();
      mark("table");
    }
    ImGui::PopFont();
  }

  CompareTask task_;
  std::optional<tool::Comparison> comparison_;
  ConformanceView conformance_;
  std::string export_ = "proxel-compare", exported_;
};

}  // namespace

std::unique_ptr<Tab> make_compare_tab() { return std::make_unique<CompareTab>(); }

}  // namespace demo
