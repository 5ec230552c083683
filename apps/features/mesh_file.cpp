#include "features/mesh_file.hpp"

#include "files/file_bytes.hpp"
#include "files/find_files.hpp"
#include "proxel/error.hpp"

namespace proxel::features {

Triangles read_mesh(const std::string& path, LdrawLibrary& library) {
  using files::ends_in;
  if (ends_in(path, ".dat") || ends_in(path, ".ldr")) return library.read(path);
  if (!ends_in(path, ".off") && !ends_in(path, ".stl"))
    throw Error(ErrorCode::unsupported, path, "a mesh's name ends in .off, .stl, .dat or .ldr");
  const std::vector<std::uint8_t> bytes = files::file_bytes(path, most_mesh_bytes);
  return ends_in(path, ".off") ? parse_off(path, files::as_text(bytes)) : parse_stl(path, files::as_text(bytes));
}

}  // namespace proxel::features
