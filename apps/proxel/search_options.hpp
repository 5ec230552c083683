#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "file_state.hpp"
#include "input.hpp"
#include "proxel/data.hpp"
#include "proxel/index.hpp"
#include "searched_devices.hpp"

namespace proxel::tool {

/// Options that search and compare share: what is searched, and how.
struct SearchOptions {
  std::string database;
  std::string queries;
  Metric metric = Metric::l2sq;
  std::uint64_t k = 10;
  ReadOptions database_rows;
  ReadOptions query_rows;
  InputOptions input;
  IndexOptions index;
  bool raw = false;
};

/// The help of --raw.
inline constexpr const char* raw_help =
    "Show the arithmetic of the method's paper uncorrected, and so what it loses; refused by "
    "methods whose arithmetic is the canonical one (see 'proxel accuracy')";

/// @param queries_required  compare can take its queries out of the database
void add_search_options(CLI::App& command, SearchOptions& options, bool queries_required);

/// Files of database and queries, and which rows of them are read; range
/// search has no more of it.
void add_file_options(CLI::App& command, SearchOptions& options, bool queries_required);

// Its parts, for commands that search without separate queries.
void add_metric_options(CLI::App& command, SearchOptions& options);  ///< metric and k
void add_metric_option(CLI::App& command, SearchOptions& options);   ///< metric alone
void add_row_options(CLI::App& command, SearchOptions& options);     ///< which database rows
void add_index_options(CLI::App& command, SearchOptions& options);   ///< how the search runs
/// Refuses options of one method where another searches. Throws Error(invalid_argument).
void check_method_options(const IndexOptions& options, bool raw);
void add_scratch_option(CLI::App& command, SearchOptions& options);
void add_storage_option(CLI::App& command, IndexOptions& index);
void add_memory_limit_option(CLI::App& command, std::uint64_t& limit, const std::string& help);
void add_row_memory_option(CLI::App& command, IndexOptions& index);  ///< that option, for rows

/// A binary32 matrix from a file; what is at fault is told with the option's name.
Matrix<float> read(const std::string& path, const ReadOptions& rows);

/// The help of --database and of other options that name files of rows.
inline constexpr const char* row_formats =
    ".npy, .npz, .fvecs, .bvecs, .ivecs, .fbin, .f16bin, .u8bin, .i8bin, .ibin, .csv, .tsv or .txt (these three also "
    "with .gz), .hdf5 (file.hdf5#train, file.hdf5:/group/name), a pipe, or '-' for standard input";

/// Whether that is a file, and one that --save wrote.
bool holds_saved_index(const std::string& path);

/// The rows that are searched, as the options say.
InputRows read_database(const SearchOptions& options);

/// Rows and queries as the options say, scaled alike.
struct InputPair {
  InputRows database, queries;
};
InputPair read_pair(const SearchOptions& options);

/// The rows that are searched: read, or mapped where the file allows it and they
/// are too many for the device, or have in the file the type they are stored in.
class DatabaseFile {
 public:
  /// @param progress  told of rows, where the file is an index that was saved
  DatabaseFile(const SearchOptions& options, const SearchedDevices& devices, const Progress& progress);
  /// The part of a process that has no rows, of so many columns.
  static DatabaseFile none(std::uint64_t columns);

  std::uint64_t rows() const { return is_saved_index() ? saved_rows_ : elements_ ? elements_->rows : view_.rows; }
  std::uint64_t columns() const {
    return is_saved_index() ? saved_columns_ : elements_ ? elements_->columns : view_.columns;
  }
  bool is_saved_index() const { return saved_ || divided_; }
  const RowNames& names() const { return read_.names; }
  /// The rows, unless they are stored in a narrower type or are those of a saved index.
  const MatrixView<float>& view() const { return view_; }
  /// To be called once.
  SearchedRows index(const Team& team, const SearchedDevices& devices, const IndexOptions& options,
                     const Progress& progress);
  /// Queries to these rows, scaled as they are.
  InputRows read_queries(const SearchOptions& options) const;
  /// Throws Error(input_output) where the file that rows are read from as they are searched is not the one that was opened.
  void require_unchanged() const;

 private:
  DatabaseFile() = default;
  bool map(const SearchOptions& options, const Device& device);
  bool load(const SearchOptions& options, const SearchedDevices& devices, const Progress& progress);

  InputRows read_;
  std::optional<Scaling> scaling_;
  std::optional<MappedMatrix> mapped_;
  std::optional<FileState> opened_;  // of the file that is read while it is searched
  MatrixView<float> view_;
  std::optional<ElementsView> elements_;  // instead of the view
  std::optional<Index> saved_;            // instead of both, until index() takes it
  std::optional<ShardedIndex> divided_;   // the same of several devices
  std::uint64_t saved_rows_ = 0, saved_columns_ = 0;
};

/// Throws Error(invalid_argument) unless database and queries have equally many columns.
void check_dimensions(std::uint64_t database, std::uint64_t queries);

}  // namespace proxel::tool
