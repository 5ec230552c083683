#pragma once

#include <string>
#include <string_view>

#include "features/ldraw.hpp"
#include "features/mesh.hpp"

namespace proxel::features {

/// The endings of files that hold meshes.
inline constexpr std::string_view mesh_endings[] = {".off", ".stl", ".dat", ".ldr"};

/// The surface that a file of text in the Object File Format holds (OFF, also with colours, normals or texture
/// coordinates, which are passed over). A polygon is the fan of triangles around its first vertex; points and edges
/// have no surface. Throws Error(malformed_file | unsupported) that names the file and the line.
Triangles parse_off(const std::string& name, std::string_view text);

/// That of a file of stereolithography, binary where its size is that of the number of triangles which it states,
/// otherwise text. Throws as parse_off().
Triangles parse_stl(const std::string& name, std::string_view bytes);

/// Reads a file by its ending. What an LDraw file refers to is looked for in the library.
/// Throws Error: not_found, of a sub-file too; input_output; malformed_file; unsupported for other endings, more
/// triangles than are allowed, and surfaces without area.
Triangles read_mesh(const std::string& path, LdrawLibrary& library);

}  // namespace proxel::features
