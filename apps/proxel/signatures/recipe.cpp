// How signatures were made, as their file says it: one line of JSON.

#include <string_view>
#include <type_traits>

#include "json_output.hpp"
#include "proxel/error.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {
namespace {

/// Changes with whatever changes the signatures.
constexpr std::string_view this_recipe = "position-colour-texture 2";

// Visits the options in the order of the file.
template <typename Options, typename Visit>
void visit(Options& options, const Visit& each) {
  each("points", options.points);
  each("seed", options.seed);
  each("longest_side", options.longest_side);
  each("window", options.window);
  each("centroids", options.most_centroids);
  each("joining_distance", options.joining_distance);
  each("smallest_cluster", options.smallest_cluster);
  each("iterations", options.iterations);
  each("position", options.position);
  each("colour", options.colour);
  each("texture", options.texture);
}

}  // namespace

std::string recipe_of(const images::SignatureOptions& options) {
  nlohmann::ordered_json recipe = {{"recipe", this_recipe},
                                   {"sampling", options.sampling == Sampling::grid ? "grid" : "random"}};
  visit(options, [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const float&>)
      recipe[name] = json_float(value);
    else
      recipe[name] = value;
  });
  return recipe.dump();
}

images::SignatureOptions options_of(const SignatureFile& file, const std::string& path) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorCode::unsupported, path,
                reason + "; an image cannot be made a query for it: give --query or --queries");
  };
  if (file.recipe.empty()) refuse("does not say how its signatures were made");
  images::SignatureOptions options;
  try {
    const auto recipe = nlohmann::json::parse(file.recipe);
    if (recipe.at("recipe").get<std::string>() != this_recipe)
      refuse("its signatures were made by another recipe than this program's");
    options.sampling = recipe.at("sampling").get<std::string>() == "grid" ? Sampling::grid : Sampling::random;
    visit(options,
          [&](const char* name, auto& value) { value = recipe.at(name).get<std::decay_t<decltype(value)>>(); });
  } catch (const nlohmann::json::exception&) {
    refuse("its recipe is not one of this program's");
  }
  return options;
}

}  // namespace proxel::tool
