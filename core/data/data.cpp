#include "proxel/data.hpp"

#include <algorithm>
#include <array>

#include "data/guarded.hpp"
#include "data/parsers.hpp"

namespace proxel {
namespace data {
namespace {

struct Ending {
  std::string_view text;
  std::string_view format;
};
constexpr std::array endings = {
    Ending{".npy", "npy"},       Ending{".fvecs", "fvecs"}, Ending{".bvecs", "bvecs"},
    Ending{".ivecs", "ivecs"},   Ending{".fbin", "fbin"},   Ending{".u8bin", "u8bin"},
    Ending{".ibin", "ibin"},     Ending{".csv", "csv"},     Ending{".tsv", "csv"},
    Ending{".txt", "csv"},       Ending{".csv.gz", "csv.gz"}, Ending{".tsv.gz", "csv.gz"},
    Ending{".txt.gz", "csv.gz"}, Ending{".hdf5", "hdf5"},   Ending{".h5", "hdf5"}};

std::string_view format_of(const std::string& path) {
  std::string lower = path;
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const Ending& ending : endings)
    if (lower.ends_with(ending.text)) return ending.format;
  return {};
}

bool is_vecs(std::string_view format) { return format.ends_with("vecs"); }
bool is_bin(std::string_view format) { return format.ends_with("bin"); }

// The first letter is the element's: float, byte (unsigned), int.
ElementType type_of(std::string_view format) {
  switch (format.front()) {
    case 'f': return ElementType::float32;
    case 'i': return ElementType::int32;
    default: return ElementType::uint8;
  }
}

}  // namespace

StoredMatrix parse_binary(const ByteSource& source, std::string_view format) {
  if (is_vecs(format)) return parse_vecs(source, format, type_of(format));
  if (is_bin(format)) return parse_bin(source, format, type_of(format));
  return parse_npy(source);
}

FileName parse_file_name(const std::string& path) {
  FileName name;
  const std::size_t mark = path.rfind('#');
  if (mark != std::string::npos && format_of(path.substr(0, mark)) == "hdf5") {
    name.path = path.substr(0, mark);
    name.part = path.substr(mark + 1);
  } else {
    name.path = path;
  }
  name.format = format_of(name.path);
  if (name.format.empty())
    throw Error(ErrorCode::unsupported, path,
                "its name tells no format that can be read: .npy, .fvecs, .bvecs, .ivecs, .fbin, "
                ".u8bin, .ibin, .csv, .tsv, .txt (these three also with .gz), .hdf5, .h5");
  return name;
}

DataInfo inspect(const ByteSource& source, const FileName& name) {
  return guarded(source.name(), [&] {
    if (name.format == "hdf5") return inspect_hdf5(source, name.part);
    if (name.format.starts_with("csv")) return inspect_csv(source, name.format == "csv.gz");
    return info(source, parse_binary(source, name.format));
  });
}

template <typename T>
Matrix<T> read(const ByteSource& source, const FileName& name, const ReadOptions& options) {
  return guarded(source.name(), [&] {
    if (name.format == "hdf5") return read_hdf5<T>(source, name.part, options);
    if (name.format.starts_with("csv")) return read_csv<T>(source, name.format == "csv.gz", options);
    return read_stored<T>(source, parse_binary(source, name.format), options);
  });
}

template Matrix<float> read(const ByteSource&, const FileName&, const ReadOptions&);
template Matrix<std::int32_t> read(const ByteSource&, const FileName&, const ReadOptions&);

}  // namespace data

DataInfo inspect_data(const std::string& path) {
  const data::FileName name = data::parse_file_name(path);
  return data::inspect(data::FileSource(name.path), name);
}

Matrix<float> read_matrix(const std::string& path, const ReadOptions& options) {
  const data::FileName name = data::parse_file_name(path);
  return data::read<float>(data::FileSource(name.path), name, options);
}

Matrix<std::int32_t> read_integers(const std::string& path, const ReadOptions& options) {
  const data::FileName name = data::parse_file_name(path);
  return data::read<std::int32_t>(data::FileSource(name.path), name, options);
}

}  // namespace proxel
