#include "search_options.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "number_checks.hpp"
#include "sizes.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

constexpr const char* rows_group = "Rows";
const std::map<std::string, SelectionMethod> quick_forms = {
    {"auto", SelectionMethod::automatic},
    {"subgroup", SelectionMethod::quick_multi_select_subgroup},
    {"workgroup", SelectionMethod::quick_multi_select_workgroup}};
constexpr const char* how = "How the search runs";

}  // namespace

void add_search_options(CLI::App& command, SearchOptions& options, bool queries_required) {
  add_file_options(command, options, queries_required);
  add_metric_options(command, options);
  add_index_options(command, options);
}

void add_file_options(CLI::App& command, SearchOptions& options, bool queries_required) {
  command.add_option("--database", options.database, std::string("File of the rows that are searched: ") + row_formats)
      ->required()
      ->type_name("FILE");
  auto* queries = command
                      .add_option("--queries", options.queries,
                                  "File of the queries, as many columns as the database "
                                  "(file.hdf5#test), or '-'")
                      ->type_name("FILE");
  if (queries_required) queries->required();

  add_input_options(command, options.input, true);
  add_row_options(command, options);
  command.add_option("--query-rows", options.query_rows.max_rows, "Read at most this many queries")
      ->group(rows_group)
      ->check(positive_number())
      ->type_name("COUNT");
  command.add_option("--first-query", options.query_rows.first_row, "Skip this many queries")
      ->group(rows_group)
      ->type_name("COUNT");
}

void add_metric_option(CLI::App& command, SearchOptions& options) {
  std::map<std::string, Metric> metrics;
  for (const Metric metric : all_metrics) metrics[std::string(to_string(metric))] = metric;
  // The transformer would print the enumerators' numbers; the names are enough.
  command
      .add_option_function<std::string>(
          "--metric", [&options](const std::string& name) { options.metric = metric_from_string(name); },
          "l1 (Manhattan), l2sq (squared Euclidean), l2, linf (Chebyshev), ip (inner product, "
          "largest first), cosine (1 - cos) or pearson (1 - correlation)")
      ->check(CLI::IsMember(metrics))
      ->type_name("NAME")
      ->default_str(std::string(to_string(options.metric)));
}

void add_metric_options(CLI::App& command, SearchOptions& options) {
  add_metric_option(command, options);
  command.add_option("-k,--k", options.k, "Neighbours per query")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 1))
      ->type_name("COUNT")
      ->capture_default_str();
}

void add_row_options(CLI::App& command, SearchOptions& options) {
  command.add_option("--rows", options.database_rows.max_rows, "Read at most this many database rows")
      ->group(rows_group)
      ->check(positive_number())
      ->type_name("COUNT");
  command.add_option("--first-row", options.database_rows.first_row, "Skip this many database rows")
      ->group(rows_group)
      ->type_name("COUNT");
}

void add_index_options(CLI::App& command, SearchOptions& options) {
  IndexOptions& index = options.index;
  command
      .add_option("--dimensions-per-pass", index.papers.bustos.dimensions_per_pass,
                  "texel: dimensions accumulated per pass, t in Bustos 2006")
      ->check(CLI::Range(1, 16))
      ->group(how)
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--block-rows", index.papers.bustos.block_rows, "texel: rows per block of textures")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 28))
      ->group(how)
      ->type_name("COUNT")
      ->capture_default_str();
  command
      .add_option("--reductions-per-pass", index.papers.bustos.reductions_per_pass,
                  "texel: 4:1 reductions per pass; 1 as in the paper, 0 lets proxel fuse them")
      ->check(CLI::Range(0, 16))
      ->group(how)
      ->type_name("COUNT")
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--row-selection",
          [&index](const std::string& name) { index.papers.komarov.selection = quick_forms.at(name); },
          "komarov: quick multi-select with a subgroup or a workgroup per query; auto decides "
          "by the number of queries")
      ->check(CLI::IsMember({"auto", "subgroup", "workgroup"}))
      ->group(how)
      ->type_name("NAME")
      ->default_str("auto");
  command
      .add_flag(
          "--distances-only", index.papers.garcia.distances_only,
          "garcia-direct, garcia-gemm with --raw: distances without the rows that they are of, as the paper's program "
          "returns them")
      ->group(how);
  add_scratch_option(command, options);
  add_storage_option(command, index);
  add_row_memory_option(command, index);
}

void check_method_options(const IndexOptions& options, bool raw) {
  const PaperOptions& given = options.papers;
  const PaperOptions usual;
  const auto refuse = [&](bool is_given, bool is_read, const char* option, const char* methods) {
    if (is_given && !is_read)
      throw Error(ErrorCode::invalid_argument, option,
                  fmt::format("is of the method {}; {} searches", methods, to_string(options.method)));
  };
  const bool texel = options.method == Method::texel;
  refuse(given.bustos.dimensions_per_pass != usual.bustos.dimensions_per_pass, texel, "--dimensions-per-pass", "texel");
  refuse(given.bustos.block_rows != usual.bustos.block_rows, texel, "--block-rows", "texel");
  refuse(given.bustos.reductions_per_pass != usual.bustos.reductions_per_pass, texel, "--reductions-per-pass", "texel");
  refuse(given.komarov.selection != usual.komarov.selection, options.method == Method::komarov, "--row-selection",
         "komarov");
  refuse(given.garcia.distances_only,
         options.method == Method::garcia_direct || (options.method == Method::garcia_gemm && raw), "--distances-only",
         "garcia-direct, or garcia-gemm with --raw");
}

void add_storage_option(CLI::App& command, IndexOptions& index) {
  command
      .add_option_function<std::string>("--storage",
                                        [&index](const std::string& name) {
    for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::int8, ElementType::uint8})
      if (to_string(type) == name) index.storage = type;
  },
                                        "What the device keeps of the rows: float32, float16 (rounded), int8 or uint8 "
                                        "(integers of that range alone); distances are exact for what is kept. Rows "
                                        "that are narrower than float32 have to fit the memory limit")
      ->check(CLI::IsMember({"float32", "float16", "int8", "uint8"}))
      ->group(how)
      ->type_name("TYPE")
      ->default_str("float32");
}

void add_memory_limit_option(CLI::App& command, std::uint64_t& limit, const std::string& help) {
  CLI::Option* option = command.add_option("--memory-limit", limit, help);
  take_size(option, 1)->group(how);
}

void add_row_memory_option(CLI::App& command, IndexOptions& index) {
  add_memory_limit_option(
      command, index.memory_limit,
      "Device memory that the rows may take, with a unit: 512MiB, 1.5GiB. Rows of float32 that need more pass through "
      "in blocks, for which at least 1 KiB per column is needed; narrower ones (--storage) have to fit (default: four "
      "fifths of the device's memory)");
}

void add_scratch_option(CLI::App& command, SearchOptions& options) {
  CLI::Option* option = command.add_option("--scratch-limit", options.index.scratch_limit,
                                           "Device memory that one search may use beside the database, with a unit: "
                                           "256MiB, 1.5GiB; at least 1 MiB");
  take_size(option, std::uint64_t{1} << 20)->group(how)->default_str("256MiB");
}

Matrix<float> read(const std::string& path, const ReadOptions& rows) { return read_rows(path, rows).rows; }

namespace {

// Reads queries to rows that were scaled before.
InputRows queries_to(std::uint64_t dimensions, const std::optional<Scaling>& scaling, const SearchOptions& options) {
  InputRows queries = read_queries(options.queries, options.query_rows, options.input, dimensions);
  check_dimensions(dimensions, queries.rows.columns());
  if (scaling) scaling->apply(queries.rows);
  return queries;
}

// Rows, and the scaling that they were given.
std::optional<Scaling> scale(Matrix<float>& rows, const InputOptions& options) {
  if (options.scale == Scale::none) return std::nullopt;
  Scaling scaling(rows, options.scale);
  scaling.apply(rows);
  return scaling;
}

}  // namespace

bool holds_saved_index(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && Index::is_saved(path);
}

namespace {

void refuse_saved_index(const std::string& path) {
  if (holds_saved_index(path))
    throw Error(ErrorCode::unsupported, path,
                "is an index that was saved, which 'proxel search' alone searches; give the file of its rows");
}

InputRows read_rows_of_database(const SearchOptions& options) {
  const auto before = state_of(options.database);
  InputRows read = read_rows(options.database, options.database_rows, options.input);
  require_unchanged(before, "read");
  return read;
}

}  // namespace

InputRows read_database(const SearchOptions& options) {
  refuse_saved_index(options.database);
  InputRows database = read_rows_of_database(options);
  scale(database.rows, options.input);
  return database;
}

InputPair read_pair(const SearchOptions& options) {
  refuse_saved_index(options.database);
  InputRows database = read_rows_of_database(options);
  const auto scaling = scale(database.rows, options.input);
  InputRows queries = queries_to(database.rows.columns(), scaling, options);
  return {std::move(database), std::move(queries)};
}

bool DatabaseFile::map(const SearchOptions& options, const Device& device) {
  const std::string& path = options.database;
  const ReadOptions& rows = options.database_rows;
  if (!options.input.as_it_stands() || is_stream(path)) return false;
  if (path.find(".npy") == std::string::npos && path.find("vecs") == std::string::npos &&
      path.find("bin") == std::string::npos)
    return false;
  const DataInfo info = inspect_data(path);
  const std::uint64_t left = info.rows - std::min(info.rows, rows.first_row);
  const std::uint64_t count = std::min(left, rows.max_rows);
  const bool narrow = options.index.storage != ElementType::float32;
  if (count == 0 ||
      (narrow ? info.type != options.index.storage : Index::fits(device, count, info.columns, options.index)))
    return false;
  const std::optional<FileState> state = state_of(path);
  try {
    mapped_.emplace(path);
    opened_ = state;
    if (narrow)
      elements_ = mapped_->elements().slice(rows.first_row, count);
    else
      view_ = mapped_->view().slice(rows.first_row, count);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;  // otherwise it is read
    return false;
  }
}

bool DatabaseFile::load(const SearchOptions& options, const SearchedDevices& devices, const Progress& progress) {
  const std::string& path = options.database;
  if (!holds_saved_index(path)) return false;
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw Error(ErrorCode::invalid_argument, option,
                  fmt::format("is for files of rows; {} is an index that was saved, which is searched as it is", path));
  };
  refuse(!options.input.as_it_stands(), "--database");
  refuse(options.database_rows.first_row != 0, "--first-row");
  refuse(options.database_rows.max_rows != UINT64_MAX, "--rows");
  refuse(options.index.storage != ElementType::float32, "--storage");
  opened_ = state_of(path);  // several devices read it as they search, and look at no sums of it again
  if (devices.several())
    divided_.emplace(ShardedIndex::load(devices.all(), path, devices.divided(options.index), progress));
  else
    saved_.emplace(Index::load(devices.first(), path, options.index, progress));
  saved_rows_ = divided_ ? divided_->rows() : saved_->rows();
  saved_columns_ = divided_ ? divided_->dimensions() : saved_->dimensions();
  return true;
}

DatabaseFile::DatabaseFile(const SearchOptions& options, const SearchedDevices& devices, const Progress& progress) {
  if (load(options, devices, progress) || map(options, devices.first())) return;
  read_ = read_rows_of_database(options);
  scaling_ = scale(read_.rows, options.input);
  view_ = read_.rows.view();
}

DatabaseFile DatabaseFile::none(std::uint64_t columns) {
  DatabaseFile file;
  file.view_ = MatrixView<float>(nullptr, 0, columns);
  return file;
}

void DatabaseFile::require_unchanged() const { tool::require_unchanged(opened_, "searched"); }

SearchedRows DatabaseFile::index(const Team& team, const SearchedDevices& devices, const IndexOptions& options,
                                 const Progress& progress) {
  if (team.is_several())
    return SearchedRows(team, devices, [&]() -> std::optional<Index> {
      if (rows() == 0) return std::nullopt;
      if (saved_) return std::move(*saved_);
      return elements_ ? Index(devices.first(), *elements_, options, progress)
                       : Index(devices.first(), view_, options, progress);
    });
  if (saved_) return SearchedRows(std::move(*saved_));
  if (divided_) return SearchedRows(std::move(*divided_));
  if (elements_) return SearchedRows(devices, *elements_, options, progress);
  return SearchedRows(devices, view_, options, progress);
}

InputRows DatabaseFile::read_queries(const SearchOptions& options) const {
  return queries_to(columns(), scaling_, options);
}

void check_dimensions(std::uint64_t database, std::uint64_t queries) {
  if (database != queries)
    throw Error(ErrorCode::invalid_argument, "--queries",
                fmt::format("have {} dimensions, the database has {}", queries, database));
}

}  // namespace proxel::tool
