#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include <fmt/format.h>

#include "features/ldraw.hpp"
#include "files/file_bytes.hpp"
#include "proxel/error.hpp"

namespace proxel::features {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_kept_triangles = std::uint64_t{1} << 22, most_kept_files = 1 << 16;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Parts lie in parts/ and parts/s/, models beside.
fs::path library_above(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  for (int up = 0; up < 4; ++up, folder /= "..")
    if (is_folder(folder / "p") || is_folder(folder / "parts")) return folder;
  return {};
}

// The first file of that name, as it is written or in small letters, which libraries use.
std::string found_in(const std::vector<fs::path>& folders, const std::string& name) {
  std::string small = name;
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const fs::path& folder : folders)
    for (const std::string& one : {name, small}) {
      std::error_code ignored;
      if (fs::is_regular_file(folder / one, ignored)) return (folder / one).string();
    }
  return {};
}

}  // namespace

std::shared_ptr<const LdrawFile> LdrawLibrary::file(const std::string& path) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = kept_.find(path); found != kept_.end()) return found->second;
  }
  const std::vector<std::uint8_t> bytes = files::file_bytes(path, most_mesh_bytes);
  auto read = std::make_shared<const LdrawFile>(parse_ldraw(path, files::as_text(bytes)));
  const std::scoped_lock lock(mutex_);
  if (kept_triangles_ + read->triangles.size() <= most_kept_triangles && kept_.size() < most_kept_files &&
      kept_.emplace(path, read).second)
    kept_triangles_ += read->triangles.size();
  return read;
}

Triangles LdrawLibrary::read(const std::string& path) {
  const fs::path own = fs::path(path).parent_path();
  const fs::path library = folder_.empty() ? library_above(path) : fs::path(folder_);
  std::vector<fs::path> folders = {own, own / "s"};
  if (!library.empty())
    for (const char* inner : {"parts", "p", "parts/s", "p/48", "models", "unofficial/parts", "unofficial/p"})
      folders.push_back(library / inner);
  std::map<std::string, std::string> places;  // a part names its sub-files again and again
  const FindSubFile find = [&](const std::string& name) -> std::shared_ptr<const LdrawFile> {
    auto [place, is_new] = places.try_emplace(name);
    if (is_new) place->second = found_in(folders, name);
    return place->second.empty() ? nullptr : file(place->second);
  };
  const std::vector<std::uint8_t> bytes = files::file_bytes(path, most_mesh_bytes);
  try {
    return assembled(parse_ldraw(path, files::as_text(bytes)), find);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_found || !library.empty()) throw;
    throw Error(
        ErrorCode::not_found, error.subject(),
        fmt::format("{}, and no folder of the library, with p/ and parts/, lies above the file; --ldraw names it",
                    std::string(error.what()).substr(error.subject().size() + 2)));
  }
}

}  // namespace proxel::features
