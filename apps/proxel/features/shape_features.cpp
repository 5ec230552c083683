#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

#include "features/feature_kinds.hpp"
#include "features/mesh_file.hpp"
#include "features/shape_descriptor.hpp"

namespace proxel::tool {
namespace {

constexpr const char* shape_examples = R"(Examples:
  proxel data features shapes models -o shapes.npy --names shapes.csv
      of every .off, .stl, .dat and .ldr file in the folder and below it
  proxel data features shapes bolt.stl nut.off -o shapes.npy
      of the files that are named
  proxel data features shapes brick.dat --ldraw ~/ldraw -o shapes.npy
      a part of LDraw; what it refers to is looked for in p/, parts/ and parts/s/ of that folder
  proxel search --database shapes.npy --queries asked.npy --metric l1 --k 10 --output alike
      the most similar parts

A part is moved, turned to its principal axes and scaled; six depth images show it from all
sides; of each 85 low frequencies are kept, and two ratios say how long and flat it is: 512
values. Neither the part's place, size and direction nor the order of its triangles matter
(docs/features.md).

A file that cannot be read is listed and left out. Exit codes: 0 all were read; 1 some could not be,
the others were written; 2 none could be, or the options are wrong; more in 'proxel --help'.)";

struct ShapeOptions : FeatureOptions {
  std::string ldraw;
};

FeaturesMade make_shapes(FeatureWork&& work, const ShapeOptions& options) {
  features::LdrawLibrary library(options.ldraw);
  std::vector<std::size_t> triangles(work.paths.size());
  FileRows made = rows_of_files(work, features::shape_dimensions, [&](std::size_t number, float* row) {
    features::Triangles mesh = features::read_mesh(work.paths[number], library);
    triangles[number] = mesh.size();
    std::ranges::copy(features::shape_descriptor(std::move(mesh), work.paths[number]), row);
  });
  FeaturesMade result{.names = std::move(work.names)};
  result.names.heading({"file", "triangles"});
  for (const std::size_t number : made.of) result.names.add({work.paths[number], std::to_string(triangles[number])});
  result.failures = std::move(made.failures);
  set_rows(result, std::move(made.rows));
  return result;
}

}  // namespace

void add_shape_features(CLI::App& features, Context& context) {
  CLI::App* command = make_command(features, context, "shapes",
                                   "Shapes of CAD parts, from files of meshes: 512 values each", shape_examples);
  const auto options = std::make_shared<ShapeOptions>();
  add_feature_options(*command, *options, "Meshes (.off, .stl, LDraw's .dat and .ldr), and folders of them",
                      "The rows that are written: .npy, .csv, .fvecs or .fbin");
  command
      ->add_option("--ldraw", options->ldraw,
                   "LDraw's folder, with p/ and parts/ (default: looked for above each file)")
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_features({"shapes", features::mesh_endings, "meshes"}, *options, context,
                          [&](FeatureWork&& work) { return make_shapes(std::move(work), *options); });
    };
  });
}

}  // namespace proxel::tool
