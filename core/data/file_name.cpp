#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "data/parsers.hpp"

namespace proxel::data {
namespace {

struct Ending {
  std::string_view text;
  std::string_view format;
};
constexpr std::array endings = {Ending{".npy", "npy"},       Ending{".npz", "npz"},       Ending{".fvecs", "fvecs"},
                                Ending{".bvecs", "bvecs"},   Ending{".ivecs", "ivecs"},   Ending{".fbin", "fbin"},
                                Ending{".f16bin", "f16bin"}, Ending{".u8bin", "u8bin"},   Ending{".i8bin", "i8bin"},
                                Ending{".ibin", "ibin"},     Ending{".csv", "csv"},       Ending{".tsv", "csv"},
                                Ending{".txt", "csv"},       Ending{".csv.gz", "csv.gz"}, Ending{".tsv.gz", "csv.gz"},
                                Ending{".txt.gz", "csv.gz"}, Ending{".hdf5", "hdf5"},     Ending{".h5", "hdf5"}};

// What people keep vectors in and proxel has no reader for.
constexpr std::array others = {Ending{".parquet", "Parquet"}, Ending{".feather", "Feather"},
                               Ending{".arrow", "Arrow"},     Ending{".orc", "ORC"},
                               Ending{".xlsx", "Excel"},      Ending{".xls", "Excel"},
                               Ending{".mat", "MATLAB"},      Ending{".pkl", "pickle"},
                               Ending{".pt", "PyTorch"},      Ending{".safetensors", "safetensors"}};

template <typename Endings>
std::string_view find_ending(const std::string& path, const Endings& table) {
  std::string lower = path;
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const Ending& ending : table)
    if (lower.ends_with(ending.text)) return ending.format;
  return {};
}

bool has_parts(std::string_view format) { return format == "hdf5" || format == "npz"; }

// Where the file's name ends in "file.h5#part" and in "file.h5:/group/part".
std::size_t end_of_file_name(const std::string& path) {
  for (const std::string_view mark : {"#", ":/"})
    for (std::size_t at = path.find(mark); at != std::string::npos; at = path.find(mark, at + 1))
      if (has_parts(find_ending(path.substr(0, at), endings))) return at;
  return std::string::npos;
}

}  // namespace

void refuse_format(const std::string& path, std::string_view format) {
  throw Error(ErrorCode::unsupported, path,
              fmt::format("{} files cannot be read; in Python, "
                          "numpy.save(\"rows.npy\", table.to_numpy(\"float32\")) writes a pandas "
                          "table as .npy, and table.to_csv(\"rows.csv\") as .csv",
                          format));
}

bool has_format(const std::string& name) { return !find_ending(name, endings).empty(); }

FileName parse_file_name(const std::string& path) {
  FileName name;
  const std::size_t end = end_of_file_name(path);
  name.path = path.substr(0, end);
  if (end != std::string::npos) {
    name.part = path.substr(end + 1);
    // Within a file every name is absolute.
    while (name.part.starts_with('/')) name.part.erase(0, 1);
  }
  name.format = find_ending(name.path, endings);
  if (!name.format.empty()) return name;
  if (const auto other = find_ending(path, others); !other.empty()) refuse_format(path, other);
  if (std::error_code missing; std::filesystem::is_directory(path, missing))
    throw Error(ErrorCode::input_output, path, "is a folder");
  throw Error(ErrorCode::unsupported, path,
              "its name tells no format that can be read: .npy, .npz, .fvecs, .bvecs, .ivecs, "
              ".fbin, .f16bin, .u8bin, .i8bin, .ibin, .csv, .tsv, .txt (these three also with .gz), .hdf5, .h5");
}

}  // namespace proxel::data
