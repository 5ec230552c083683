#include "shell/application.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gpu/screenshot.hpp"
#include "gpu/write_file.hpp"
#include "proxel/error.hpp"
#include "shell/settings.hpp"
#include "shell/targets.hpp"

namespace demo {
namespace {

constexpr VkExtent2D usual_size{1280, 720};
constexpr float motionless_frame = 1.0f / 60;
constexpr double unhurried = 0.25;  // seconds between looks at things that move slowly
constexpr std::size_t longest_times = 600;

double milliseconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

std::string key_of(const Tab& tab) {
  std::string key = tab.name();
  std::ranges::transform(key, key.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return key;
}

Application::Application(Options options) : options_(std::move(options)), script_(options_.steps) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ConfigInputTextCursorBlink = !options_.reduce_motion;
  input::name_keys();

  std::string complaint;
  settings_ = read_settings(options_.settings, complaint);
  if (!complaint.empty()) notices_.show("settings", complaint);
  VkExtent2D size = usual_size;
  if (const auto kept = settings_.find("size"); kept != settings_.end() && kept->is_array() && kept->size() == 2 &&
                                                (*kept)[0].is_number_unsigned() && (*kept)[1].is_number_unsigned())
    size = {std::clamp((*kept)[0].get<std::uint32_t>(), 320u, 16384u),
            std::clamp((*kept)[1].get<std::uint32_t>(), 240u, 16384u)};
  if (options_.size) size = *options_.size;

  Gpu::Options wanted;
  wanted.program = "proxel-demo";
  wanted.device = options_.window_device;
  if (!options_.offscreen) {
    window_ = std::make_unique<Window>(size, "proxel", input_);
    wanted.instance_extensions = Window::instance_extensions();
    wanted.suits = Window::presents;
    size = window_->size();
  }
  gpu_ = std::make_unique<Gpu>(wanted);
  if (!gpu_->draws) throw proxel::Error(proxel::ErrorCode::unsupported, "--window-device", "this device does not draw");
  if (window_) {
    window_->attach(*gpu_);
    size = window_->swapchain().extent();
  }
  pictures_ = std::make_unique<Pictures>(*gpu_);
  backends_ = std::make_unique<Backends>();
  frames_ = std::make_unique<gpu::Frames>(*gpu_);
  target_ = std::make_unique<gpu::Target>(*gpu_, size, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  paint_ = std::make_unique<gpu::Paint>(*gpu_, target_->render_pass(), pictures_->set_layout());
  worker_ = std::make_unique<Worker>([this] {
    woken_ = true;
    if (window_) Window::wake();
  });
  context_.reset(
      new Context{*backends_, *worker_, *pictures_, notices_, *gpu_, theme_, options_.data, options_.reduce_motion});
  tabs_ = make_tabs();
  opened_.resize(tabs_.size());
  restore();
}

Application::~Application() {
  worker_.reset();
  vkDeviceWaitIdle(gpu_->device);
  tabs_.clear();
  backends_.reset();
  frames_.reset();
  target_.reset();
  pictures_.reset();
  if (window_) window_->detach();
  gpu_.reset();
  ImGui::DestroyContext();
}

// What the command line says goes before what was kept.
void Application::restore() {
  const auto kept = [this](const char* name) {
    const auto found = settings_.find(name);
    return found != settings_.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  set_theme(!options_.theme.empty() ? options_.theme : kept("theme") == "light" ? "light" : "dark");
  set_scale();
  if (!options_.backend.empty() && !backends_->choose(options_.backend))
    throw proxel::Error(proxel::ErrorCode::not_found, "--device",
                        "there is no device '" + options_.backend + "' that can be used; 'proxel devices' lists them");
  if (options_.backend.empty() && !backends_->choose(kept("backend"))) backends_->choose("cpu");
  const auto each = settings_.find("tabs");
  for (const auto& tab : tabs_) {
    if (tab->name() == kept("tab")) show_tab(tab->name());
    if (each == settings_.end() || !each->is_object() || !each->contains(tab->name())) continue;
    try {
      tab->restore((*each)[tab->name()]);
    } catch (const std::exception& exception) {
      notices_.show("settings", fmt::format("the settings of {} were left aside: {}", tab->name(), exception.what()));
    }
  }
  if (!options_.tab.empty()) show_tab(options_.tab);
}

void Application::save() {
  settings_["theme"] = theme_.dark ? "dark" : "light";
  settings_["backend"] = backends_->chosen();
  if (!tabs_.empty()) settings_["tab"] = tabs_[shown_]->name();
  if (window_) settings_["size"] = {target_->extent().width, target_->extent().height};
  for (const auto& tab : tabs_) settings_["tabs"][tab->name()] = tab->settings();
  if (!write_settings(options_.settings, settings_))
    fmt::print(stderr, "proxel-demo: the settings could not be written to {}\n", options_.settings.string());
}

void Application::set_scale() {
  const float scale = options_.scale ? *options_.scale : window_ ? window_->content_scale() : 1;
  apply_scale(theme_, std::clamp(scale, 0.5f, 4.0f), *pictures_);
}

void Application::set_theme(const std::string& name) {
  apply_colours(theme_, name != "light");
  settling_ = 3;
}

void Application::show_tab(const std::string& name) {
  const auto found = std::find_if(tabs_.begin(), tabs_.end(), [&](const auto& tab) { return tab->name() == name; });
  if (found == tabs_.end()) {
    std::string names;
    for (const auto& tab : tabs_) names += std::string(names.empty() ? "" : ", ") + tab->name();
    throw proxel::Error(proxel::ErrorCode::invalid_argument, "tab", "'" + name + "' was given; there are " + names);
  }
  shown_ = static_cast<std::size_t>(found - tabs_.begin());
  settling_ = 3;
}

void Application::drop(const std::vector<std::string>& paths) {
  if (paths.empty() || tabs_.empty()) return;
  const std::string about = key_of(*tabs_[shown_]) + ".drop";
  notices_.clear(about);
  try {
    if (!tabs_[shown_]->drop(*context_, paths))
      notices_.show(about, fmt::format("{} is nothing that the tab {} can show", paths.front(), tabs_[shown_]->name()));
  } catch (const std::exception& exception) {
    notices_.show(about, exception.what());
  }
  settling_ = 3;
}

void Application::resize(VkExtent2D size) {
  if (window_) window_->attach_anew(), size = window_->swapchain().extent();
  if (size.width == target_->extent().width && size.height == target_->extent().height) return;
  vkDeviceWaitIdle(gpu_->device);
  target_ = std::make_unique<gpu::Target>(*gpu_, size, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  settling_ = 3;
}

int Application::run() {
  while (!quits_ && (options_.frames == 0 || number_ < options_.frames)) {
    if (!wait_for_something()) break;
    if (!script_.empty() && !advance_script()) break;
    const bool finished = worker_->finish([this](const std::string& key, const std::string& error) {
      if (error.empty())
        notices_.clear(key);
      else
        notices_.show(key, error);
    });
    if (finished) settling_ = 3;
    // The first tab shows its data.
    if (ready_ == 0 && number_ > 2 && !worker_->busy_soon())
      ready_ = milliseconds_between(options_.begin, Clock::now());
    frame();
  }
  worker_->cancel();
  save();
  if (options_.frames != 0 && number_ >= options_.frames && !script_.empty() && !script_.finished())
    throw proxel::Error(proxel::ErrorCode::invalid_argument, script_.waiting_for(),
                        "was not reached within the frames of --frames");
  return 0;
}

// Whether the window is still open.
bool Application::wait_for_something() {
  const bool moves = std::exchange(context_->drawing, false) || settling_ > 0 || !input_.empty() || !script_.empty() ||
                     options_.frames != 0;
  followed_ = moves;
  if (!window_) {
    quits_ = quits_ || (script_.empty() && options_.frames == 0);
    return true;
  }
  // The bar of a long job and the blinking cursor of a text field move slowly.
  const bool slowly = worker_->busy() || (ImGui::GetIO().WantTextInput && !options_.reduce_motion);
  const auto begin = Clock::now();
  window_->take_events(moves ? 0 : slowly ? unhurried : 60);
  while (!window_->closed() && window_->minimised()) window_->take_events(60);
  while (!moves && !window_->closed() && !window_->stirred() && !woken_ && input_.empty() &&
         !(slowly && milliseconds_between(begin, Clock::now()) >= unhurried * 1000))
    window_->take_events(slowly ? unhurried : 60);
  if (woken_.exchange(false)) settling_ = std::max(settling_, 1);
  if (window_->stirred() || !input_.empty()) settling_ = 3;
  drop(window_->dropped());
  if (const float scale = window_->content_scale(); !options_.scale && scale != theme_.scale) set_scale();
  return !window_->closed();
}

bool Application::advance_script() {
  const Stage stage{
      input_, [this](const std::string& name) { show_tab(name); }, [this](const std::vector<std::string>& paths) {
    drop(paths);
  }, [this](const std::string& file) { screenshot(file); }, [this](const std::string& file) {
    write_report(file);
  }, [this](const std::string& name) { set_theme(name); }, [this](std::uint32_t width, std::uint32_t height) {
    if (window_)
      window_->resize({width, height});
    else
      resize({width, height});
  }, [this] { frame_times_.clear(); }, [this] { return !worker_->busy(); }};
  return script_.advance(stage);
}

void Application::frame() {
  const auto begin = Clock::now();
  if (followed_ && number_ > 0) {
    frame_times_.push_back(milliseconds_between(last_, begin));
    if (frame_times_.size() > longest_times) frame_times_.pop_front();
  }
  const float since = options_.reduce_motion
                          ? motionless_frame
                          : std::clamp(static_cast<float>(milliseconds_between(last_, begin)) / 1000, 1e-4f, 0.1f);
  last_ = begin;

  if (window_) {
    const VkExtent2D now = window_->size(), had = target_->extent();
    if (now.width != had.width || now.height != had.height) resize(now);
  }
  const auto slot = static_cast<std::uint32_t>(number_ % gpu::frames_in_flight);
  frames_->take(slot);
  VkImage shown = VK_NULL_HANDLE;
  std::uint32_t image = 0;
  if (window_) {
    shown = window_->swapchain().acquire(frames_->slot(slot).acquired, image);
    if (!shown) {
      resize(window_->size());
      settling_ = 3;
      return;
    }
  }

  context_->slot = slot;
  context_->frame_seconds = since;
  context_->seconds += static_cast<double>(since);
  begin_targets();
  input_.apply();
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = since;
  io.DisplaySize = ImVec2(static_cast<float>(target_->extent().width), static_cast<float>(target_->extent().height));
  ImGui::NewFrame();
  draw_interface();
  ImGui::Render();
  if (window_) window_->set_cursor(ImGui::GetMouseCursor());

  record(frames_->begin(slot), shown);
  frames_->submit(slot, window_ ? window_->swapchain().drawn(image) : VK_NULL_HANDLE);
  if (window_ && !window_->swapchain().present(image)) {
    resize(window_->size());
    settling_ = 3;
  }
  if (number_ == 0) {
    frames_->take(slot);
    first_frame_ = milliseconds_between(options_.begin, Clock::now());
  }
  ++number_;
  if (settling_ > 0) --settling_;
}

void Application::record(VkCommandBuffer commands, VkImage shown) {
  pictures_->record(commands);
  if (!tabs_.empty()) {
    tabs_[shown_]->record(*context_, commands);
    gpu::barrier(commands);
  }
  target_->transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  target_->begin(commands, {{theme_.background.x, theme_.background.y, theme_.background.z, 1}});
  paint_->draw(commands, *ImGui::GetDrawData(), target_->extent(), context_->slot);
  vkCmdEndRenderPass(commands);
  target_->transition(commands, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  if (!shown) return;
  gpu::transition(commands, shown, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  const auto corner = [](VkExtent2D of) {
    return VkOffset3D{static_cast<std::int32_t>(of.width), static_cast<std::int32_t>(of.height), 1};
  };
  VkImageBlit region{};
  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.srcOffsets[1] = corner(target_->extent());
  region.dstOffsets[1] = corner(window_->swapchain().extent());
  vkCmdBlitImage(commands, target_->picture().handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, shown,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
  gpu::transition(commands, shown, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

void Application::screenshot(const std::string& file) {
  vkDeviceWaitIdle(gpu_->device);
  const auto pixels = gpu::read_pixels(*gpu_, target_->picture());
  proxel::images::Image image{target_->extent().width, target_->extent().height, {}};
  image.rgb.reserve(pixels.size() / 4 * 3);
  for (std::size_t i = 0; i < pixels.size(); i += 4)
    for (std::size_t channel = 0; channel < 3; ++channel)
      image.rgb.push_back(static_cast<std::uint8_t>(pixels[i + channel]));
  const auto bytes = proxel::images::encode_png(image);
  gpu::write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Application::write_report(const std::string& file) { gpu::write_file(file, report().dump(1) + '\n'); }

nlohmann::json Application::report() const {
  nlohmann::json json;
  json["window_device"] = gpu_->properties.deviceName;
  json["window"] = window_ ? "shown" : "offscreen";
  json["size"] = {target_->extent().width, target_->extent().height};
  json["theme"] = theme_.dark ? "dark" : "light";
  json["scale"] = theme_.scale;
  json["background"] = {std::lround(theme_.background.x * 255), std::lround(theme_.background.y * 255),
                        std::lround(theme_.background.z * 255)};
  json["backend"] = backends_->chosen();
  for (const proxel::DeviceInfo& device : backends_->usable()) json["backends"].push_back(device.id);
  json["first_frame_ms"] = first_frame_;
  json["ready_ms"] = ready_;
  if (!frame_times_.empty()) {
    std::vector<double> times(frame_times_.begin(), frame_times_.end());
    std::sort(times.begin(), times.end());
    json["frame_ms"] = {
        {"count", times.size()}, {"least", times.front()}, {"median", times[times.size() / 2]}, {"most", times.back()}};
  }
  json["notices"] = notices_.report();
  json["visited"] = visited();
  json["busy"] = worker_->busy();
  if (!tabs_.empty()) json["tab"] = tabs_[shown_]->name();
  for (const auto& [name, area] : targets())
    json["targets"][name] = {area.least.x, area.least.y, area.most.x, area.most.y};
  for (std::size_t i = 0; i < tabs_.size(); ++i)
    if (opened_[i]) json["tabs"][tabs_[i]->name()] = tabs_[i]->report();
  return json;
}

}  // namespace demo
