#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proxel/data.hpp"
#include "proxel/export.h"
#include "proxel/matrix.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Whether the first line of a text file names its columns.
enum class HeaderLine {
  automatic,  ///< it does where none of its fields is a number, or they count 0, 1, 2, …
  present,
  absent,
};

/// What becomes of a value that is missing: a field of a text file that is empty, or
/// says NA, N/A, #N/A, <NA>, null, none or ?, in any case.
enum class MissingValues {
  refuse,        ///< Error(malformed_file) that names line and column
  not_a_number,  ///< it is NaN
  drop_row,      ///< its row is left out
  number,        ///< TableOptions::missing_number stands for it
};

/// How .csv, .tsv and .txt are understood; other formats know it themselves.
struct TextOptions {
  HeaderLine header = HeaderLine::automatic;
  /// Between two fields: any character but digits, letters, quotation marks, signs, line
  /// ends and the decimal mark. ' ' stands for runs of blanks and tabs; 0: found out, of
  /// semicolons, tabs, commas and blanks the first that the first line holds.
  char delimiter = 0;
  /// Between units and tenths: '.' or ','.
  char decimal = '.';
};

/// Which part of a file is read, and how.
struct TableOptions {
  ReadOptions rows;
  /// The columns that are read, in that order: names of a text file's header, numbers
  /// from 1 and ranges of them, separated by commas: "x,y", "2-4,7", "3-" (to the last).
  /// A name that holds a comma stands in quotation marks. Empty: all but those of ids
  /// and labels, and but a first column that alone has no name in its header.
  std::string columns;
  /// A column that names the rows: its name, its number from 1, or "last". Empty: none.
  /// Ids are taken of text files only, labels of all.
  std::string ids;
  std::string labels;
  TextOptions text;
  /// Except for refuse and not_a_number also for NaN, whatever the format.
  MissingValues missing = MissingValues::refuse;
  float missing_number = 0;
};

/// Values that binary32 does not hold, which were rounded to the nearest. Of text, a
/// number that binary32 does not give back in as many digits as are written.
struct Rounding {
  std::uint64_t values = 0;  ///< how many; the rest is about the first of them
  std::uint64_t row = 0;     ///< from 0, in the file
  std::uint64_t column = 0;  ///< from 0, in the file
  std::string stored;        ///< "1700000010"
  float read = 0;            ///< 1.7e9
};

/// What a text file was taken for.
struct TextLayout {
  char delimiter = ',';
  bool header = false;
  /// The header's names are the numbers 0, 1, 2, … or 1, 2, 3, …, a guess.
  bool numbers_as_names = false;
  /// Such numbers were taken for a row, a guess too.
  bool names_as_numbers = false;
  /// The first column alone has no name, as pandas and R write a table's index, and was
  /// left out.
  bool index_left_out = false;
  std::uint64_t comment_lines = 0;  ///< lines beginning with '#', up to the last row read
};

/// A matrix and what its file says beside the numbers.
struct DataTable {
  Matrix<float> values;
  std::vector<std::string> columns;   ///< the columns' names; empty where the file has none
  std::vector<std::string> ids;       ///< one for each row where ids were asked for
  std::vector<std::string> labels;    ///< one for each row where labels were asked for
  bool one_dimensional = false;       ///< stored as a vector, read as one column
  Rounding rounding;                  ///< of the columns that were read
  std::uint64_t dropped_rows = 0;     ///< by MissingValues::drop_row
  std::uint64_t replaced_values = 0;  ///< by MissingValues::number
  std::optional<TextLayout> text;     ///< of a text file
};

/// Reads a file as read_matrix() does, and more of it.
/// Throws as read_matrix(), and Error(not_found) where a column is named that is not there.
DataTable read_table(const std::string& path, const TableOptions& options = {});

/// The same of a file's content, say what came through a pipe. Where the end of `name`
/// tells no format, the first bytes do: .npy, .npz, HDF5, gzip, otherwise text.
/// @param name  what errors call it
DataTable read_table(std::span<const std::byte> content, const std::string& name, const TableOptions& options = {});

/// What read_table() would find.
struct TableInfo : DataInfo {
  /// The names of the columns that are read; empty where the file has none.
  std::vector<std::string> column_names;
  std::optional<TextLayout> text;  ///< of a text file
};

/// Rows are counted before any is dropped; columns are those that are chosen.
/// Throws as read_table().
TableInfo inspect_table(const std::string& path, const TableOptions& options = {});
TableInfo inspect_table(std::span<const std::byte> content, const std::string& name, const TableOptions& options = {});

/// Integers as read_integers() reads them, of the columns that are chosen. Missing
/// values are refused. Throws as read_table().
Matrix<std::int32_t> read_integer_table(const std::string& path, const TableOptions& options = {});
Matrix<std::int32_t> read_integer_table(std::span<const std::byte> content, const std::string& name,
                                        const TableOptions& options = {});

}  // namespace proxel
PROXEL_PUBLIC_END
