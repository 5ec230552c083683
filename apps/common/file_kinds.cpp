#include "file_kinds.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include <zlib.h>

#include "long_table.hpp"
#include "proxel/data.hpp"
#include "proxel/error.hpp"
#include "report/scatter.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

// The first bytes of a file, or of what is compressed in it.
std::string begin_of(const std::string& path) {
  std::string begin(1 << 12, '\0');
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  const int got = gzread(file, begin.data(), static_cast<unsigned>(begin.size()));
  gzclose(file);
  begin.resize(static_cast<std::size_t>(std::max(got, 0)));
  return begin;
}

std::string end_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg(), most = 1 << 12;
  std::string end(static_cast<std::size_t>(std::clamp<std::streamoff>(size, 0, most)), '\0');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  file.read(end.data(), static_cast<std::streamsize>(end.size()));
  return file ? end : "";
}

// A matrix of numbers as text, of these characters alone.
bool is_text_of(const std::string& path, std::string_view characters) {
  const std::string begin = begin_of(path);
  return begin.find_first_not_of(characters) == std::string::npos &&
         begin.find_first_not_of(",\n") != std::string::npos;
}

bool holds(const std::string& path, std::initializer_list<ElementType> types) {
  try {
    return std::ranges::find(types, inspect_data(path).type) != types.end();
  } catch (const Error&) {
    return false;
  }
}

bool is_indices(const std::string& path) {
  if (path.ends_with(".csv")) return is_text_of(path, "0123456789,\n");
  return holds(path, {ElementType::uint32, ElementType::int32});
}

bool is_distances(const std::string& path) {
  if (path.ends_with(".csv")) return is_text_of(path, "0123456789.+-einfa,\n");
  return holds(path, {ElementType::float32});
}

// An .hdf5 file that has more than that is somebody's data.
bool is_ground_truth(const std::string& path) {
  try {
    if (!path.ends_with("hdf5") && !path.ends_with("h5"))
      return holds(path, {ElementType::uint32, ElementType::int32, ElementType::int64});
    const auto parts = inspect_data(path + "#neighbors").parts;
    return std::ranges::all_of(parts, [](const auto& part) { return part == "neighbors" || part == "distances"; });
  } catch (const Error&) {
    return false;
  }
}

bool is_graph(const std::string& path) {
  if (!begin_of(path).starts_with("PK\x03\x04")) return false;
  const std::string directory = end_of(path);
  const auto lists = [&](const char* member) { return directory.find(member) != std::string::npos; };
  return lists("indices.npy") && lists("indptr.npy") && lists("format.npy") && lists("shape.npy") && lists("data.npy");
}

// docs/signature-file.md, docs/permutation-file.md and docs/index-file.md: magic, version, kind.
bool is_section_file(const std::string& path, std::string_view kinds) {
  const std::string begin = begin_of(path);
  return begin.starts_with("\x89proxel\n") && begin.size() > 16 && kinds.find(begin[12]) != std::string_view::npos &&
         begin.compare(13, 3, std::string_view("\0\0\0", 3)) == 0;
}

bool contains(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

}  // namespace

std::string description(FileKind kind) {
  switch (kind) {
    case FileKind::indices:
      return "a file of indices";
    case FileKind::distances:
      return "a file of distances";
    case FileKind::neighbors_json:
      return "a list of neighbours that proxel wrote";
    case FileKind::graph:
      return "a graph's sparse matrix";
    case FileKind::table:
      return "a table that proxel wrote";
    case FileKind::exhibits:
      return "a table of papers' exhibits";
    case FileKind::page:
      return "a page that proxel wrote";
    case FileKind::picture:
      return "a contact sheet that proxel wrote";
    case FileKind::map:
      return "a map that proxel drew";
    case FileKind::signatures:
      return "a file of feature signatures";
    case FileKind::kept_photos:
      return "a file that photos --index keeps";
    case FileKind::permutation_index:
    case FileKind::vector_index:
      return "an index that proxel saved";
    case FileKind::ground_truth:
      return "a file of ground truth";
    case FileKind::checkpoint:
      return "a checkpoint of groundtruth";
    case FileKind::values:
      return "";
  }
  return "";
}

bool is_of_kind(const std::string& path, FileKind kind) {
  switch (kind) {
    case FileKind::indices:
      return is_indices(path);
    case FileKind::distances:
      return is_distances(path);
    case FileKind::neighbors_json:
      return begin_of(path).starts_with("[\n  {\n    \"query\": 0,");
    case FileKind::graph:
      return is_graph(path);
    case FileKind::table:
      return begin_of(path).starts_with(long_table_heading);
    case FileKind::exhibits:
      return begin_of(path).starts_with("paper,exhibit,whose,");
    case FileKind::page:
      return contains(begin_of(path), "<meta name=\"generator\" content=\"proxel ");
    // After the signature and the image's header.
    case FileKind::picture:
      return contains(begin_of(path).substr(0, 64), std::string_view("tEXtSoftware\0proxel", 19));
    case FileKind::map:
      return begin_of(path).starts_with(scatter_heading);
    case FileKind::kept_photos:
      return begin_of(path).starts_with(kept_photos_heading.substr(0, kept_photos_heading.find('1')));
    case FileKind::signatures:
      return is_section_file(path, "\x03");
    case FileKind::permutation_index:
      return is_section_file(path, "\x01\x02");
    case FileKind::vector_index:
      return is_section_file(path, "\x04");
    case FileKind::ground_truth:
      return is_ground_truth(path);
    case FileKind::checkpoint:
      return begin_of(path).starts_with(checkpoint_heading.substr(0, checkpoint_heading.find('1')));
    case FileKind::values:
      return false;
  }
  return false;
}

std::string_view to_string(SearchedObjects objects) {
  static constexpr std::string_view names[] = {"vectors", "words", "signatures"};
  return names[static_cast<int>(objects)];
}

namespace {

// Fields of a line that are numbers; "nan" and "inf" are words.
std::size_t count_numbers(std::string_view line) {
  constexpr std::string_view between = " \t,;|\r";
  std::size_t count = 0;
  for (std::size_t first = 0; (first = line.find_first_not_of(between, first)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(between, first), line.size());
    double number = 0;
    const auto [last, error] = std::from_chars(line.data() + first, line.data() + end, number);
    const bool letter = std::isalpha(static_cast<unsigned char>(line[end - 1])) != 0;
    if (error == std::errc() && last == line.data() + end && !letter) ++count;
    first = end;
  }
  return count;
}

}  // namespace

SearchedObjects objects_in(const std::string& path) {
  if (is_stream(path)) return SearchedObjects::vectors;
  if (path.ends_with(".sig") || is_of_kind(path, FileKind::signatures)) return SearchedObjects::signatures;
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  if (name.has_extension() && name.extension() != ".txt") return SearchedObjects::vectors;
  const std::string begin = begin_of(path);
  if (begin.empty()) return SearchedObjects::vectors;
  const std::size_t first = begin.find('\n'), second = begin.find('\n', first + 1);
  if (first == std::string::npos || first + 1 == begin.size())
    return count_numbers(begin) != 0 ? SearchedObjects::vectors : SearchedObjects::words;
  const std::string_view line = std::string_view(begin).substr(first + 1, second - first - 1);
  // docs/signature-file.md: how NMSLIB's text begins.
  if (line.empty() && count_numbers(std::string_view(begin).substr(0, first)) == 3) return SearchedObjects::signatures;
  // The first line may name columns.
  return count_numbers(line) != 0 ? SearchedObjects::vectors : SearchedObjects::words;
}

}  // namespace proxel::tool
