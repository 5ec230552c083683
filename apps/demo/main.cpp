// proxel-demo: similarity search to look at. A window whose tabs are the systems; it lends its own
// Vulkan device to the library, as an engine does.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "bundled_data.hpp"
#include "finite.hpp"
#include "proxel/error.hpp"
#include "proxel/version.h"
#include "shell/application.hpp"
#include "shell/settings.hpp"

namespace {

VkExtent2D parse_size(const std::string& text) {
  const auto times = text.find('x');
  VkExtent2D size{};
  if (times != std::string::npos)
    size = {static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10)),
            static_cast<std::uint32_t>(std::strtoul(text.c_str() + times + 1, nullptr, 10))};
  if (size.width < 320 || size.height < 240 || size.width > 16384 || size.height > 16384)
    throw proxel::Error(proxel::ErrorCode::invalid_argument, "--size",
                        "'" + text + "' was given; 320x240 to 16384x16384 are allowed");
  return size;
}

}  // namespace

int main(int argc, char** argv) {
  demo::Options options;
  options.begin = std::chrono::steady_clock::now();
  options.settings = demo::default_settings_file();
  options.data = proxel::tool::bundled_data();
  std::string size, script;
  std::vector<std::string> steps;
  CLI::App app{"Similarity search to look at: texels, matches, words, images, and a comparison of backends.",
               "proxel-demo"};
  app.set_version_flag("--version", "proxel-demo " PROXEL_VERSION_STRING);
  app.add_option("--tab", options.tab, "which tab to begin with");
  app.add_option("--device", options.backend, "which of proxel's devices searches: cpu, vulkan:0, cuda:0, …");
  app.add_option("--size", size, "of the window, 1280x720");
  app.add_option("--scale", options.scale, "of everything in the window; 1 at 96 dots per inch")
      ->check(CLI::Range(0.5, 4.0))
      ->check(proxel::tool::finite());
  app.add_option("--theme", options.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--settings", options.settings, "file that keeps settings from run to run")->capture_default_str();
  app.add_option("--data", options.data, "folder of the bundled data, if it is not where it was installed");
  app.add_option("--window-device", options.window_device,
                 "position among the Vulkan devices of the one that draws the window");
  app.add_flag("--offscreen", options.offscreen, "no window: for scripts, where there is no display");
  app.add_flag("--no-motion", options.reduce_motion, "nothing moves by the clock; every frame is a 60th of a second");
  app.add_option("--frames", options.frames, "end after so many frames");
  app.add_option("--script", script, "JSON file with input, {\"steps\": [\"tab Words\", \"type house\"]}");
  app.add_option("--do", steps, "one step of a script; may be repeated")->type_name("STEP");
  app.footer(demo::script_help);
  CLI11_PARSE(app, argc, argv);
  try {
    if (!size.empty()) options.size = parse_size(size);
    if (!script.empty()) options.steps = demo::Script::read(script);
    options.steps.insert(options.steps.end(), steps.begin(), steps.end());
    return demo::Application(std::move(options)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "proxel-demo: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
