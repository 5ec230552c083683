// Meshes of OFF and STL files, and the descriptors of what they hold.
#include <cmath>
#include <string_view>

#include "check.hpp"
#include "features/mesh_file.hpp"
#include "features/pose.hpp"
#include "features/shape_descriptor.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace proxel;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto parse : {features::parse_off, features::parse_stl}) {
    const auto mesh = fuzzing::attempt("part", [&] { return parse("part", text); });
    if (!mesh) continue;
    fuzzing::require(mesh->size() <= size, "a triangle takes more than a byte");
    const auto shape = fuzzing::attempt("part", [&] { return features::posed(*mesh, "part"); });
    if (!shape) continue;
    for (const features::Triangle& triangle : shape->triangles)
      for (const features::Point& point : triangle)
        for (const double value : point) fuzzing::require(std::isfinite(value), "a posed surface has a place");
    if (size % 16 != 0) continue;  // what follows takes long beside reading
    const auto row = fuzzing::attempt("part", [&] { return features::shape_descriptor(*mesh, "part"); });
    fuzzing::require(row && row->size() == features::shape_dimensions, "a descriptor has its values");
    for (const float value : *row) fuzzing::require(value >= 0 && value <= 2, "a descriptor's values are 0 … 2");
  }
  return 0;
}
