#pragma once

// Parts of the LDraw library (ldraw.org, "LDraw File Format Specification"): text, in which a line is a triangle, a
// quadrilateral, or another file that is put somewhere.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "features/mesh.hpp"

namespace proxel::features {

struct LdrawReference {
  std::string sub_file;  ///< with '/' between folders
  Point origin;
  std::array<Point, 3> rows;  ///< of the matrix that the sub-file's points are multiplied with
  std::uint64_t line = 0;
};

struct LdrawFile {
  std::string name;
  Triangles triangles;
  std::vector<LdrawReference> references;
};

/// Lines, conditional lines and comments have no surface. Throws Error(malformed_file | unsupported) that names file
/// and line, also for a sub-file outside the library ("../…").
LdrawFile parse_ldraw(const std::string& name, std::string_view text);

/// Gives the sub-file that a file refers to; null where there is none.
using FindSubFile = std::function<std::shared_ptr<const LdrawFile>(const std::string& sub_file)>;

/// The surface of a file with all that it refers to.
/// Throws Error that names the file and the line that refers: not_found with the sub-file's name; malformed_file where
/// sub-files are nested deeper than 32, as those that hold themselves are; unsupported where there is too much.
Triangles assembled(const LdrawFile& file, const FindSubFile& find);

/// The files of a library, each read once as far as they fit. Threads may share it.
class LdrawLibrary {
 public:
  /// @param folder  the one that holds p/ and parts/; empty: looked for above each file
  explicit LdrawLibrary(std::string folder = {}) : folder_(std::move(folder)) {}

  /// Throws Error as parse_ldraw() and assembled(), and as file_bytes().
  Triangles read(const std::string& path);

 private:
  std::shared_ptr<const LdrawFile> file(const std::string& path);

  std::string folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const LdrawFile>> kept_;
  std::uint64_t kept_triangles_ = 0;
};

}  // namespace proxel::features
