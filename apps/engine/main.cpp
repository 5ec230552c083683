// A small engine that embeds proxel: points move, their nearest neighbours are found,
// and both are drawn, in one command buffer per frame.

#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "common/finite.hpp"
#include "engine.hpp"

namespace {

// A line for each pass.
void print(const nlohmann::ordered_json& report) {
  std::printf("%s, %s\n%u of %u points in %u dimensions ask for %u neighbours\n",
              report["device"].get<std::string>().c_str(), report["shown"].get<std::string>().c_str(),
              report["queries"].get<unsigned>(), report["points"].get<unsigned>(), report["dimensions"].get<unsigned>(),
              report["neighbours"].get<unsigned>());
  for (const auto& [name, times] : report["pass_milliseconds"].items())
    std::printf("%-9s %8.3f ms\n", name.c_str(), times["median"].get<double>());
}

}  // namespace

int main(int argc, char** argv) {
  engine::Settings settings;
  engine::Shape& shape = settings.choices.shape;
  bool json = false;
  std::string method = engine::name_of(shape.method);
  CLI::App app{"Moving points and their nearest neighbours, found by proxel in every frame."};
  app.add_option("--points", shape.points, "how many points move")
      ->check(CLI::Range(2u, 10000000u))
      ->capture_default_str();
  app.add_option("--dimensions", shape.dimensions, "of the space they move in")
      ->check(CLI::Range(1u, 8u))
      ->capture_default_str();
  app.add_option("--neighbours,-k", shape.neighbours, "nearest neighbours of each")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  app.add_option("--queries", shape.asking, "how many of the points ask; 0: all")->capture_default_str();
  app.add_option(
         "--method", method,
         "boxes, built anew in every frame, or scan: every point is looked at, for at most 2^34 distances a frame")
      ->check(CLI::IsMember({"boxes", "scan"}))
      ->capture_default_str();
  app.add_option("--clusters", shape.reach,
                 "find what hangs together, joined by edges up to so long, in about the distance of the last neighbour "
                 "of evenly spread points; 0: do not")
      ->check(CLI::Range(0.0f, 10.0f) & proxel::tool::finite())
      ->capture_default_str();
  app.add_flag("--layout", shape.layout,
               "show the points where their graph is laid out: each is drawn to its neighbours and pushed away from "
               "others, a step a frame");
  app.add_option("--frames", settings.frames, "frames until it ends; 0: until the window is closed, 100 without one")
      ->capture_default_str();
  app.add_flag("--offscreen", settings.offscreen, "no window, even where there is a display");
  app.add_flag("!--no-interface", settings.choices.shown, "the picture alone, nothing over it");
  app.add_flag("--within", settings.choices.within, "time the passes that proxel records within its own, too");
  app.add_option("--keys", settings.keys, "letters that are pressed, one in each frame from the first on");
  app.add_option("--screenshot", settings.screenshot, "write the last frame to this PNG file");
  app.add_flag("--json", json, "print times and shape as JSON");
  app.add_flag("--check", settings.check, "compare the last frame's neighbours with the processor's");
  app.add_option("--device", settings.device,
                 "position among the Vulkan devices; the first that suits unless it is said");
  app.add_option("--pipeline-cache", settings.pipeline_cache, "file that keeps compiled pipelines between runs");
  app.add_option("--width", settings.extent.width, "of the picture")
      ->check(CLI::Range(16u, 16384u))
      ->capture_default_str();
  app.add_option("--height", settings.extent.height, "of the picture")
      ->check(CLI::Range(16u, 16384u))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (method == "scan") shape.method = engine::Method::scan;
  try {
    engine::Engine engine(settings);
    engine.run();
    if (json)
      std::puts(engine.report().dump(2).c_str());
    else
      print(engine.report());
    if (std::fflush(stdout) != 0)
      throw proxel::Error(proxel::ErrorCode::input_output, "standard output", "cannot be written");
    const engine::Report::Summary& found = engine.summary();
    const bool same = found.different_queries + found.different_clusters + found.different_positions == 0;
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const proxel::Error& error) {
    std::fprintf(stderr, "proxel-engine: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
