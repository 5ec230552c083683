// proxel data: what a file holds, and the same in another format.

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/data.hpp"
#include "table.hpp"
#include "tool.hpp"

namespace proxel::tool {
namespace {

constexpr const char* data_examples = R"(Examples:
  proxel data info base.fvecs
  proxel data convert base.fvecs base.npy)";

constexpr const char* info_examples = R"(Examples:
  proxel data info base.fvecs
      format, rows, columns and element type, read from the header alone
  proxel data info glove.hdf5
      also the data sets that can be named after '#': glove.hdf5#test
  proxel data info rows.csv.gz --json | jq .rows
      for a script)";

constexpr const char* convert_examples = R"(Examples:
  proxel data convert base.fvecs base.npy
      binary32 values, row by row
  proxel data convert 'glove.hdf5#neighbors' truth.ivecs
      integers stay integers between .ivecs, .ibin, .npy, .csv and HDF5
  proxel data convert rows.csv.gz first.fbin --rows 1000
      only the first 1,000 rows)";

int run_info(const std::string& path, const Context& context) {
  const DataInfo info = inspect_data(path);
  if (context.json) {
    print({{"command", "data info"},
           {"path", info.path.string()},
           {"format", info.format},
           {"rows", info.rows},
           {"columns", info.columns},
           {"type", to_string(info.type)},
           {"file_bytes", info.file_bytes},
           {"parts", info.parts}});
    return exit_success;
  }
  Table table({{"what"}, {"value"}});
  table.add({"file", info.path.string()});
  table.add({"format", info.format});
  table.add({"rows", with_separators(info.rows)});
  table.add({"columns", with_separators(info.columns)});
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
};

bool holds_integers(const ConvertOptions& options) {
  if (options.output.ends_with(".ivecs") || options.output.ends_with(".ibin")) return true;
  if (options.output.ends_with(".fvecs") || options.output.ends_with(".fbin")) return false;
  switch (inspect_data(options.input).type) {
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::int64:
    case ElementType::uint64: return true;
    default: return false;
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
    const Matrix<std::int32_t> matrix = read_integers(options.input, options.rows);
    rows = matrix.rows();
    columns = matrix.columns();
    // The writer's integers are unsigned; the bits are the same.
    const auto* first = reinterpret_cast<const std::uint32_t*>(matrix.data());
    write(MatrixView<std::uint32_t>(first, rows, columns));
  } else {
    const Matrix<float> matrix = read_matrix(options.input, options.rows);
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

void add_data(CLI::App& app, Context& context) {
  CLI::App* data = app.add_subcommand("data", "Look into data files and convert them");
  data->footer(data_examples);
  data->require_subcommand(1);

  const auto path = std::make_shared<std::string>();
  CLI::App* info = make_command(*data, context, "info", "Say what a file holds", info_examples);
  info->add_option("FILE", *path, "Data file; HDF5 data sets are named after '#'")
      ->required()->type_name("");
  info->callback([&context, path] {
    context.action = [&context, path] { return run_info(*path, context); };
  });

  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert = make_command(*data, context, "convert",
                                   "Write a file's values in another format", convert_examples);
  convert->add_option("IN", options->input, "Any format that proxel reads")->required()->type_name("");
  convert->add_option("OUT", options->output, ".npy, .csv, .fvecs, .fbin, .ivecs or .ibin")
      ->required()->type_name("");
  convert->add_option("--rows", options->rows.max_rows, "Convert at most this many rows")
      ->type_name("COUNT");
  convert->add_option("--first-row", options->rows.first_row, "Skip this many rows")
      ->type_name("COUNT");
  add_force_option(*convert, options->force);
  convert->callback([&context, options] {
    context.action = [&context, options] { return run_convert(*options, context); };
  });
}

}  // namespace proxel::tool
