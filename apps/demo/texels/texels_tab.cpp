#include "texels/texels_tab.hpp"

#include <algorithm>
#include <utility>

#include "shell/backends.hpp"
#include "shell/child.hpp"
#include "shell/comparison.hpp"
#include "shell/keys.hpp"
#include "shell/notices.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

constexpr const char* data_job = "texels.data";
constexpr const char* search_job = "texels.search";
constexpr const char* compare_job = "texels.compare";

TexelData read(const std::string& what, const std::filesystem::path& folder) {
  if (what == "digits") return read_digits(folder);
  if (what == "covertype") return read_covertype(folder);
  return read_vectors(what);
}

std::vector<ValueRange> scales_of(const proxel::Matrix<float>& rows) {
  std::vector<ValueRange> scales(rows.columns());
  std::vector<float> column(rows.rows());
  for (std::uint64_t i = 0; i < rows.columns(); ++i) {
    for (std::uint64_t row = 0; row < rows.rows(); ++row) column[row] = rows(row, i);
    scales[i] = ValueRange::of(column);
  }
  return scales;
}

}  // namespace

std::unique_ptr<Tab> make_texels_tab() { return std::make_unique<TexelsTab>(); }

void TexelsTab::open(Context& context) {
  if (wanted_ != "digits" && wanted_ != "covertype" && !std::filesystem::exists(wanted_)) {
    context.notices.show("texels.kept", wanted_ + " is not there any more; handwritten digits are shown instead");
    wanted_ = "digits";
  }
  load(context, wanted_);
}

bool TexelsTab::drop(Context& context, std::span<const std::string> paths) {
  load(context, paths.front());
  return true;
}

std::vector<std::pair<std::string, std::string>> TexelsTab::keys() const {
  return {{"Space", "play the passes, or pause"},
          {"Left, Right", "a pass back or on"},
          {"Up, Down", "faster, slower"},
          {"Home, End", "the first and the last pass"},
          {"Tab, Escape", "to the choices on the left, and back to the passes"}};
}

// What there was stays until the other has been read.
void TexelsTab::load(Context& context, const std::string& what) {
  context.worker.run(data_job, "Reading vectors", [this, &context, what](Progress&) -> Worker::Ending {
    auto data = std::make_shared<const TexelData>(read(what, context.data));
    return [this, &context, what, data, scales = scales_of(data->rows)] {
      const bool first = !data_;
      data_ = data;
      scales_ = scales;
      wanted_ = what;
      question_.drawn.clear();
      // What was kept is of these data, too, when the program begins.
      question_.query = first ? std::min(question_.query, data->queries.rows() - 1) : 0;
      plot_.clear();
      run_.reset();
      coordinates_.clear();
      release(context);
      ask(context);
    };
  });
}

// A newer question takes the place of one that is not answered yet.
void TexelsTab::ask(Context& context) {
  context.worker.cancel(compare_job);
  badge_.reset();
  asked_device_ = context.backends.chosen();
  const bool with_coordinates = coordinates_.empty();
  context.worker.run(
      search_job, "Running the passes",
      [this, &context, &backends = context.backends, searches = searches_, data = data_, question = question_,
       device = asked_device_, with_coordinates](Progress& progress) -> Worker::Ending {
    TexelSearch& search = searches->on(backends.device(device), data);
    progress.check();
    auto run = std::make_shared<TexelRun>(search.run(question));
    auto coordinates = std::make_shared<std::vector<float>>();
    if (with_coordinates) *coordinates = search.coordinates();
    return [this, &context, data, run, coordinates] {
      if (data != data_) return;  // there are other data now
      if (!coordinates->empty()) coordinates_ = std::move(*coordinates);
      show(context, std::move(*run));
    };
  });
}

void TexelsTab::show(Context& context, TexelRun run) {
  plot_.add(run.device, run.milliseconds());
  const bool first = !run_;
  run_ = std::move(run);
  playback_.resize(run_->states.size());
  if (first && !context.reduce_motion) playback_.toggle();
  pictured_ = SIZE_MAX;
  const auto here = std::make_shared<const TexelRun>(*run_);
  compare_backends(context, compare_job, badge_, here->device,
                   [searches = searches_, data = data_, here](proxel::Device& device, Progress& progress) {
    TexelSearch& search = searches->on(device, data);
    progress.check();
    return difference(*here, search.run(here->question));
  });
}

void TexelsTab::take_keys() {
  if (pressed(Key::space)) playback_.toggle();
  if (pressed(Key::left)) playback_.step(-1);
  if (pressed(Key::right)) playback_.step(1);
  if (pressed(Key::home)) playback_.show(0);
  if (pressed(Key::end)) playback_.show(SIZE_MAX);
  if (pressed(Key::up)) seconds_per_pass_ = std::max(seconds_per_pass_ / 1.25f, least_seconds_per_pass);
  if (pressed(Key::down)) seconds_per_pass_ = std::min(seconds_per_pass_ * 1.25f, most_seconds_per_pass);
  if (pressed(Key::tab)) focus_choices_ = true;
}

void TexelsTab::draw(Context& context) {
  busy_ = context.worker.busy(data_job) || context.worker.busy(search_job);
  hovered_.clear();
  // Shown again, it has the keys again.
  if (ImGui::GetFrameCount() > std::exchange(last_frame_, ImGui::GetFrameCount()) + 1) focus_states_ = true;
  // Another backend answers from now on.
  if (data_ && asked_device_ != context.backends.chosen()) ask(context);
  if (playback_.playing()) {
    playback_.advance(context.frame_seconds, seconds_per_pass_);
    context.keep_drawing();
  }

  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float left = std::min(320 * context.theme.scale, room.x * 0.32f);
  if (std::exchange(focus_choices_, false)) ImGui::SetNextWindowFocus();
  begin_child("choices", ImVec2(left, room.y));
  draw_choices(context);
  if (ImGui::IsWindowFocused() && pressed(Key::escape) && !ImGui::IsAnyItemActive()) focus_states_ = true;
  ImGui::EndChild();
  ImGui::SameLine(0, 2 * context.theme.gap);
  // The keys are the passes' unless the choices have them.
  const bool idle = !ImGui::IsAnyItemActive() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && idle) focus_states_ = true;
  if (std::exchange(focus_states_, false)) ImGui::SetNextWindowFocus();
  ImGui::BeginChild("states", ImVec2(0, room.y), false,
                    ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (ImGui::IsWindowFocused()) take_keys();
  draw_states(context);
  ImGui::EndChild();
}

void TexelsTab::restore(const nlohmann::json& settings) {
  wanted_ = settings.value("data", wanted_);
  question_.query = settings.value("query", question_.query);
  question_.metric = proxel::metric_from_string(settings.value("metric", std::string("l1")));
  if (proxel::normalizes(question_.metric)) question_.metric = proxel::Metric::l1;
  question_.dimensions_per_pass = std::clamp<std::uint32_t>(settings.value("t", question_.dimensions_per_pass), 1, 16);
}

nlohmann::json TexelsTab::settings() const {
  return {{"data", wanted_},
          {"query", question_.query},
          {"metric", to_string(question_.metric)},
          {"t", question_.dimensions_per_pass}};
}

nlohmann::json TexelsTab::report() const {
  nlohmann::json report = {{"busy", busy_},
                           {"metric", to_string(question_.metric)},
                           {"t", question_.dimensions_per_pass},
                           {"query", question_.query},
                           {"drawn", !question_.drawn.empty()},
                           {"playing", playback_.playing()},
                           {"hovered", hovered_},
                           {"badge", badge_.report()},
                           {"plot", plot_.report()}};
  if (data_)
    report["data"] = {{"name", data_->name}, {"rows", data_->rows.rows()}, {"dimensions", data_->rows.columns()}};
  if (!run_) return report;
  constexpr const char* names[] = {"accumulate", "minimum", "reduce"};
  report["device"] = run_->device;
  report["passes"] = run_->states.size();
  report["position"] = playback_.position();
  report["seconds_per_pass"] = seconds_per_pass_;
  report["pass"] = names[static_cast<int>(state().pass)];
  report["alive"] = {state().width, state().height};
  report["neighbor"] = run_->neighbor;
  report["distance"] = run_->distance;
  report["device_milliseconds"] = run_->milliseconds();
  return report;
}

}  // namespace demo
