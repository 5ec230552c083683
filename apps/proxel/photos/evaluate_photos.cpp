#include <filesystem>

#include <fmt/format.h>

#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "photos/photo_folder.hpp"

namespace proxel::tool {
namespace {

Classes classes_of(const PhotosOptions& options, const Photos& photos) {
  std::vector<std::string> names;
  for (const Photo& photo : photos.photos)
    names.push_back(options.labels.empty()
                        ? photo.path
                        : std::filesystem::path(photo.path).lexically_relative(options.folder).string());
  Classes classes = options.labels.empty() ? classes_by_folder(names) : classes_by_file(options.labels, names);
  check_can_be_evaluated(classes, options.folder);
  return classes;
}

}  // namespace

int evaluate_photos(const PhotosOptions& options, const Context& context) {
  const std::vector<PhotoWay> ways = ways_of(options);
  ProgressBar bar("opening " + options.device);
  const auto device = open_checked(options.device);
  Outputs outputs = planned_outputs(options);
  const PhotoOptions wanted = wanted_for(options, ways);
  const Photos photos = read_folder(options, wanted, *device, outputs, bar);
  outputs.commit();
  const Classes classes = classes_of(options, photos);
  const std::vector<std::uint32_t> drawn =
      drawn_images(photos.photos.size(), options.queries.count, options.queries.seed);
  std::vector<const Photo*> queries;
  for (const std::uint32_t number : drawn) queries.push_back(&photos.photos[number]);
  bar.set_title("uploading");
  PhotoSearch search(*device, photos.photos, wanted, options.index, bar.callback());
  bar.set_title(fmt::format("{} queries", with_separators(queries.size())));
  const std::vector<PhotoAnswer> answers = search.find(queries, drawn, precision_ranks.back(), bar.callback());
  bar.finish();

  std::vector<Column> columns = {{"by"}};
  add_precision_columns(columns);
  Table table(columns);
  nlohmann::ordered_json document = document_of(options, photos, device->info());
  document["seed"] = options.queries.seed;
  for (const PhotoWay way : ways) {
    PrecisionCount count(classes);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      std::vector<std::uint32_t> nearest;
      for (const FoundPhoto& photo : answers[i].by(way, precision_ranks.back())) nearest.push_back(photo.number);
      count.add(drawn[i], nearest);
    }
    std::vector<Cell> cells = {std::string(to_string(way))};
    add_precision_cells(cells, count.of_all());
    table.add(cells);
    document["ways"][std::string(to_string(way))] = {{"all", to_json(count.of_all())},
                                                     {"classes", classes_json(count)}};
  }
  if (context.json) {
    print(document);
    return code_of(photos);
  }
  table.print();
  fmt::print("\nqueries drawn from {} classes among {}\n", with_separators(classes.names.size()),
             told(photos, device->info()));
  return code_of(photos);
}

}  // namespace proxel::tool
