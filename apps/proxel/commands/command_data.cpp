// proxel data: what a file holds, the same in another format, and rows made of what people have.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "features/feature_kinds.hpp"
#include "format.hpp"
#include "groundtruth/data_make.hpp"
#include "input.hpp"
#include "json_output.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/data.hpp"
#include "stream_file.hpp"
#include "table.hpp"
#include "tool.hpp"

namespace proxel::tool::data_command {
namespace {

constexpr const char* data_examples = R"(Examples:
  proxel data info base.fvecs
  proxel data convert base.fvecs base.npy
  proxel data make 1000000x96 base.fbin
  proxel data features shapes models -o shapes.npy)";

constexpr const char* features_examples = R"(Examples:
  proxel data features shapes models -o shapes.npy
      shapes of CAD parts, from meshes
  proxel data features sift photos -o features.npy --names keypoints.csv
      local features of images
  proxel data features documents texts -o documents.npy
      term frequencies of texts
  proxel data features dna genome.fa --length 16 -o words.txt
      words of sequences, for 'proxel words'

Of the same files and options come the same rows, whatever the number of threads.)";

constexpr const char* info_examples = R"(Examples:
  proxel data info base.fvecs
      format, rows, columns and element type, read from the header alone
  proxel data info glove.hdf5
      also the data sets that can be named after '#': glove.hdf5#test, and in groups:
      glove.hdf5:/group/name; the arrays of an .npz file likewise: arrays.npz#x
  proxel data info table.csv
      what was taken for the header and for what separates the columns
  proxel data info rows.csv.gz --json | jq .rows
      for a script)";

constexpr const char* convert_examples = R"(Examples:
  proxel data convert base.fvecs base.npy
      binary32 values, row by row
  proxel data convert 'glove.hdf5#neighbors' truth.ivecs
      integers stay integers between .ivecs, .ibin, .npy, .csv and HDF5
  proxel data convert rows.csv.gz first.fbin --rows 1000
      only the first 1,000 rows
  proxel data convert table.csv vectors.npy --columns x,y,4-6 --missing drop
      some columns of a table, rows with a missing value left out
  proxel data convert messung.csv rows.npy --delimiter semicolon --decimal ,
      numbers as they are written in much of Europe
  psql -c 'copy points to stdout csv header' | proxel data convert - points.npy
      what another program writes)";

TableInfo inspect_any(const std::string& path, const TableOptions& options) {
  return read_either(path, [&](const auto&... file) { return inspect_table(file..., options); });
}

std::string name_of_delimiter(char delimiter) {
  return delimiter == '\t' ? "tab" : delimiter == ' ' ? "blanks" : std::string(1, delimiter);
}

int run_info(const std::string& path, const InputOptions& options, const Context& context) {
  const TableInfo info = inspect_any(path, options.table);
  if (context.json) {
    nlohmann::ordered_json document = {{"command", "data info"},        {"path", info.path.string()},
                                       {"format", info.format},         {"rows", info.rows},
                                       {"columns", info.columns},       {"type", to_string(info.type)},
                                       {"file_bytes", info.file_bytes}, {"parts", info.parts}};
    if (info.text) {
      document["header"] = info.text->header;
      document["delimiter"] = std::string(1, info.text->delimiter);
      document["column_names"] = info.column_names;
    }
    print(document);
    return exit_success;
  }
  Table table({{"what"}, {"value"}});
  table.add({"file", info.path.string()});
  table.add({"format", info.format});
  table.add({"rows", with_separators(info.rows)});
  table.add({"columns", with_separators(info.columns)});
  if (info.text) {
    table.add({"header", info.text->header ? "the first line" : "none"});
    table.add({"delimiter", name_of_delimiter(info.text->delimiter)});
    if (info.text->index_left_out) table.add({"left out", "the first column, which has no name"});
    if (!info.column_names.empty())
      table.add({"names of columns", fmt::format("{}", fmt::join(info.column_names, ", "))});
  }
  table.add({"element type", std::string(to_string(info.type))});
  table.add({"size of the file", as_bytes(info.file_bytes)});
  table.add({"as binary32", as_bytes(info.rows * info.columns * 4)});
  if (!info.parts.empty()) table.add({"data sets", fmt::format("{}", fmt::join(info.parts, ", "))});
  table.print();
  return exit_success;
}

struct ConvertOptions {
  std::string input, output;
  ReadOptions rows;
  bool force = false;
  InputOptions reading;
};

Matrix<std::int32_t> read_integer_rows(const ConvertOptions& options) {
  TableOptions table = options.reading.table;
  table.rows = options.rows;
  return read_either(options.input, [&](const auto&... file) { return read_integer_table(file..., table); });
}

bool holds_integers(const ConvertOptions& options) {
  if (options.output.ends_with(".ivecs") || options.output.ends_with(".ibin")) return true;
  if (options.output.ends_with(".fvecs") || options.output.ends_with(".fbin")) return false;
  if (is_stream(options.input)) return false;  // which cannot be looked at twice
  switch (inspect_data(options.input).type) {
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::int64:
    case ElementType::uint64:
      return true;
    default:
      return false;
  }
}

int run_convert(const ConvertOptions& options, const Context& context) {
  Outputs outputs(options.force, {options.input});
  outputs.plan("OUT", options.output, FileKind::values);
  ProgressBar bar("reading " + options.input);
  const auto write = [&](const auto& matrix) {
    bar.set_title("writing " + options.output);
    outputs.write(options.output, [&](const std::string& place) { write_matrix(place, matrix); });
    outputs.commit();
    bar.finish();
  };
  std::uint64_t rows = 0, columns = 0;
  const bool integers = holds_integers(options);
  if (integers) {
    const Matrix<std::int32_t> matrix = read_integer_rows(options);
    rows = matrix.rows();
    columns = matrix.columns();
    // The writer's integers are unsigned; the bits are the same.
    const auto* first = reinterpret_cast<const std::uint32_t*>(matrix.data());
    write(MatrixView<std::uint32_t>(first, rows, columns));
  } else {
    const Matrix<float> matrix = read_rows(options.input, options.rows, options.reading).rows;
    rows = matrix.rows();
    columns = matrix.columns();
    write(matrix.view());
  }
  if (context.json)
    print({{"command", "data convert"},
           {"input", options.input},
           {"output", options.output},
           {"rows", rows},
           {"columns", columns},
           {"type", integers ? "int32" : "float32"}});
  else
    fmt::print("wrote {}: {} × {} {}\n", options.output, with_separators(rows), columns,
               integers ? "32-bit integers" : "binary32 values");
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* data =
      app.add_subcommand("data", "Look into data files, convert them, and make rows of meshes, images and texts");
  data->footer(data_examples);
  data->require_subcommand(1);

  const auto path = std::make_shared<std::string>();
  CLI::App* info = make_command(*data, context, "info", "Say what a file holds", info_examples);
  info->add_option("FILE", *path, "Data file; HDF5 data sets are named after '#'")->required()->type_name("");
  const auto reading = std::make_shared<InputOptions>();
  add_text_options(*info, *reading);
  info->callback([&context, path, reading] {
    context.action = [&context, path, reading] { return run_info(*path, *reading, context); };
  });

  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert =
      make_command(*data, context, "convert", "Write a file's values in another format", convert_examples);
  convert->add_option("IN", options->input, "Any format that proxel reads, a pipe, or '-' for standard input")
      ->required()
      ->type_name("");
  convert->add_option("OUT", options->output, ".npy, .csv, .fvecs, .fbin, .ivecs or .ibin")->required()->type_name("");
  convert->add_option("--rows", options->rows.max_rows, "Convert at most this many rows")
      ->check(positive_number())
      ->type_name("COUNT");
  convert->add_option("--first-row", options->rows.first_row, "Skip this many rows")->type_name("COUNT");
  add_force_option(*convert, options->force);
  add_text_options(*convert, options->reading);
  convert->callback(
      [&context, options] { context.action = [&context, options] { return run_convert(*options, context); }; });

  add_data_make(*data, context);

  CLI::App* features = data->add_subcommand("features", "Make rows or words of meshes, images, texts and sequences");
  features->footer(features_examples);
  features->require_subcommand(1);
  add_shape_features(*features, context);
  add_sift_features(*features, context);
  add_document_features(*features, context);
  add_sequence_words(*features, context);
}

}  // namespace proxel::tool::data_command
