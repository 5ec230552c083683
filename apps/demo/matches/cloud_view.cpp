#include "matches/cloud_view.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "proxel/index.hpp"
#include "shell/child.hpp"
#include "shell/comparison.hpp"
#include "shell/keys.hpp"
#include "shell/notices.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

constexpr const char* compare_job = "matches.cloud.compare";
constexpr const char* here = "this window";
constexpr std::uint32_t least_points = 1000, most_points = 100000, most_k = 16;
constexpr float least_reach = 0.02f, most_reach = 1;
constexpr float drag_radius = 0.25f, key_turn = 0.1f;
constexpr float most_frame_seconds = 0.05f;  // after a rest points do not jump

}  // namespace

void CloudView::open(Context& context) {
  // A processor that poses as a GPU draws fewer.
  if (count_ == 0) count_ = context.gpu.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? 2000 : 20000;
  if (context.reduce_motion) plays_ = false;
  remake_ = true;
}

void CloudView::make(Context& context) {
  remake_ = false;
  context.worker.cancel(compare_job);
  badge_.reset();
  const auto begin = std::chrono::steady_clock::now();
  vkDeviceWaitIdle(context.gpu.device);
  search_.reset();
  try {
    search_ = std::make_unique<GraphSearch>(context.gpu, context.gpu.lent(), count_, dimensions_, k_ + 1);
  } catch (const proxel::Error& error) {
    context.notices.show("matches.cloud",
                         std::string("the graph cannot be searched for in this window: ") + error.what());
    return;
  }
  context.notices.clear("matches.cloud");
  cluster(context);
  cloud_.emplace(count_, dimensions_, kind_);
  search_->lay_out(laid_out_ ? &*cloud_ : nullptr);
  made_milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  plot_.clear();
  changed_ = true;
  search_->keep_next();  // compared once without being asked
  comparing_ = true;
}

void CloudView::cluster(Context& context) {
  vkDeviceWaitIdle(context.gpu.device);
  const float length = reach_ * search_->spacing();
  search_->find_clusters(clusters_ ? std::optional(length * length) : std::nullopt);
  changed_ = true;
}

void CloudView::draw(Context& context) {
  if (remake_) make(context);
  if (!search_) return;  // the notice says why
  // With something marked by the keyboard, its keys are for that.
  if (!ImGui::GetIO().NavVisible) {
    if (pressed(Key::space)) plays_ = !plays_;
    if (pressed(Key::right)) look_.camera.turn += key_turn;
    if (pressed(Key::left)) look_.camera.turn -= key_turn;
  }
  if (plays_) {
    cloud_->advance(std::min(context.frame_seconds, most_frame_seconds));
    changed_ = true;
  }
  if (laid_out_) changed_ = true;  // it moves on where the points rest
  if (changed_ || comparing_) context.keep_drawing();

  const Theme& theme = context.theme;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float side = std::min(300 * theme.scale, room.x * 0.34f);
  draw_canvas(context, ImVec2(room.x - side - theme.gap, room.y));
  ImGui::SameLine(0, theme.gap);
  begin_child("controls", ImVec2(side, room.y));
  draw_controls(context);
  plot_.draw("device time of the search in the frame, ms", theme, ImVec2(side, 170 * theme.scale));
  ImGui::EndChild();
}

void CloudView::draw_controls(Context& context) {
  const Theme& theme = context.theme;
  const float label = 80 * theme.scale;
  if (ImGui::Button(plays_ ? "Pause" : "Play", ImVec2(label, 0))) plays_ = !plays_;
  mark("play");
  ImGui::SameLine();
  ImGui::BeginDisabled(comparing_ || context.worker.busy(compare_job));
  if (ImGui::Button("Compare")) {
    search_->keep_next();
    comparing_ = true;
  }
  mark("compare");
  ImGui::EndDisabled();
  const auto slider = [&](const char* name, std::uint32_t& value, std::uint32_t least, std::uint32_t most, int flags) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name + 2);
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(-1);
    int number = static_cast<int>(value);
    if (ImGui::SliderInt(name, &number, static_cast<int>(least), static_cast<int>(most), "%d",
                         flags | ImGuiSliderFlags_AlwaysClamp))
      value = static_cast<std::uint32_t>(number);
    mark(name + 2);
    // Buffers are made anew once the mouse lets go.
    if (ImGui::IsItemDeactivatedAfterEdit()) remake_ = true;
  };
  slider("##points", count_, least_points, most_points, ImGuiSliderFlags_Logarithmic);
  slider("##neighbours", k_, 1, most_k, 0);
  const auto radio = [&](const char* name, auto& value, auto choice) {
    if (ImGui::RadioButton(name, value == choice) && value != choice) {
      value = choice;
      remake_ = true;
    }
    mark(name);
  };
  radio("2-D", dimensions_, 2u);
  ImGui::SameLine(label);
  radio("3-D", dimensions_, 3u);
  radio("clusters", kind_, Cloud::Kind::clusters);
  ImGui::SameLine();
  radio("uniform", kind_, Cloud::Kind::uniform);
  if (ImGui::Checkbox("what hangs together", &clusters_)) cluster(context);
  mark("what hangs together");
  if (ImGui::Checkbox("as the graph lies", &laid_out_)) {
    vkDeviceWaitIdle(context.gpu.device);
    search_->lay_out(laid_out_ ? &*cloud_ : nullptr);
    changed_ = true;
  }
  mark("as the graph lies");
  if (clusters_) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("reach");
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderFloat("##reach", &reach_, least_reach, most_reach, "%.2f", ImGuiSliderFlags_AlwaysClamp))
      cluster(context);
    mark("reach");
    ImGui::TextUnformatted(search_->clusters() ? fmt::format("{} clusters", *search_->clusters()).c_str() : "counting");
  }
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", dimensions_ == 3 ? "Drag to look from elsewhere; the wheel zooms."
                            : laid_out_      ? "Neighbours are drawn together, all others apart; the wheel zooms."
                                             : "Drag to move points; the wheel zooms.");
  ImGui::TextDisabled(
      "Neighbours of all %u points are found anew in every frame, inside it: proxel records the search "
      "into this window's own command buffer.",
      cloud_->size());
  ImGui::PopTextWrapPos();
}

void CloudView::handle_mouse(ImVec2 corner, ImVec2 room) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0)
    look_.camera.zoom = std::clamp(look_.camera.zoom * std::pow(1.1f, io.MouseWheel), 0.5f, 8.0f);
  // How the mouse came here is no dragging; the way to where it lets go is.
  const bool held = (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) && !ImGui::IsItemActivated();
  if (!held || (io.MouseDelta.x == 0 && io.MouseDelta.y == 0)) return;
  if (dimensions_ == 3) {
    look_.camera.turn += io.MouseDelta.x * 6 / room.x;
    look_.camera.tilt = std::clamp(look_.camera.tilt + io.MouseDelta.y * 4 / room.y, -1.5f, 1.5f);
    return;
  }
  if (laid_out_) return;  // nobody sees where the points are
  const auto under = [&](float x, float y) {
    return plane_point(2 * (x - corner.x) / room.x - 1, 2 * (y - corner.y) / room.y - 1, room.x / room.y,
                       look_.camera.zoom);
  };
  const PlanePoint now = under(io.MousePos.x, io.MousePos.y);
  const PlanePoint before = under(io.MousePos.x - io.MouseDelta.x, io.MousePos.y - io.MouseDelta.y);
  cloud_->drag(before.x, before.y, now.x - before.x, now.y - before.y, drag_radius / look_.camera.zoom);
  changed_ = true;
}

void CloudView::draw_canvas(Context& context, ImVec2 room) {
  const Theme& theme = context.theme;
  room = ImVec2(std::max(16.0f, std::floor(room.x)), std::max(16.0f, std::floor(room.y)));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("canvas", room);
  mark("canvas");
  handle_mouse(corner, room);

  const VkExtent2D extent{static_cast<std::uint32_t>(room.x), static_cast<std::uint32_t>(room.y)};
  if (!drawing_) drawing_ = std::make_unique<GraphPicture>(context.gpu);
  if (drawing_->extent().width != extent.width || drawing_->extent().height != extent.height) {
    vkDeviceWaitIdle(context.gpu.device);
    context.pictures.release(picture_);
    drawing_->resize(extent);
    picture_ = context.pictures.show(drawing_->view(), extent);
    drawn_.reset();
  }
  look_.scale = theme.scale;
  look_.light = !theme.dark;
  look_.background = {{theme.panel.x, theme.panel.y, theme.panel.z, 1}};
  ImGui::GetWindowDrawList()->AddImage(picture_.id, corner, ImVec2(corner.x + room.x, corner.y + room.y));
}

void CloudView::record(Context& context, VkCommandBuffer commands) {
  if (!search_ || !drawing_) return;
  const bool searches = changed_ || comparing_;
  if (searches) {
    search_->record(commands, *cloud_);
    // What is counted in a frame is known some frames later.
    changed_ = clusters_ && !search_->clusters();
    ++frames_;
    if (const auto milliseconds = search_->milliseconds()) plot_.add(here, *milliseconds);
    if (auto frame = search_->taken()) compare(context, std::move(*frame));
  }
  if (!searches && drawn_ == look_) return;
  drawing_->record(commands, *search_, look_);
  drawn_ = look_;
}

void CloudView::compare(Context& context, GraphSearch::Frame frame) {
  comparing_ = false;
  const auto points = std::make_shared<const proxel::Matrix<float>>(std::move(frame.points));
  compare_backends(
      context, compare_job, badge_,
      {here, std::move(frame.found), [points, found = search_->found()](proxel::Device& device, Progress& progress) {
    proxel::Index index(device, points->view());
    proxel::SearchOptions options;
    options.progress = progress.callback();
    return index.search(points->view(), found, proxel::Metric::l2sq, options);
  }});
}

void CloudView::restore(const nlohmann::json& settings) {
  count_ = settings.value("points", count_);
  if (count_ != 0) count_ = std::clamp(count_, least_points, most_points);
  k_ = std::clamp(settings.value("k", k_), 1u, most_k);
  dimensions_ = settings.value("dimensions", dimensions_) == 3 ? 3 : 2;
  clusters_ = settings.value("clusters_found", clusters_);
  laid_out_ = settings.value("laid_out", laid_out_);
  reach_ = std::clamp(settings.value("reach", reach_), least_reach, most_reach);
  kind_ = settings.value("uniform", kind_ == Cloud::Kind::uniform) ? Cloud::Kind::uniform : Cloud::Kind::clusters;
}

nlohmann::json CloudView::settings() const {
  return {{"points", count_},
          {"k", k_},
          {"dimensions", dimensions_},
          {"uniform", kind_ == Cloud::Kind::uniform},
          {"clusters_found", clusters_},
          {"laid_out", laid_out_},
          {"reach", reach_}};
}

nlohmann::json CloudView::report() const {
  nlohmann::json report = settings();
  report["plays"] = plays_;
  report["badge"] = badge_.report();
  report["plot"] = plot_.report();
  report["frames_searched"] = frames_;
  report["made_milliseconds"] = made_milliseconds_;
  report["clusters"] = search_ && search_->clusters() ? nlohmann::json(*search_->clusters()) : nlohmann::json();
  report["turn"] = look_.camera.turn;
  report["zoom"] = look_.camera.zoom;
  return report;
}

}  // namespace demo
