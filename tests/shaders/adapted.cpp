// Writes every embedded shader to a folder as it is, as a processor gets it ("NAME.host.spv"), as one gets it that ends
// long loops ("NAME.loops.spv"), and as a device gets it that keeps subnormal numbers ("NAME.subnormals.spv").
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "shaders.hpp"

namespace {

void write(const std::string& path, std::span<const std::uint32_t> code) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(code.data()), static_cast<std::streamsize>(code.size_bytes()));
  if (!file.flush()) throw std::runtime_error(path);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  using namespace proxel::vulkan;
  const char* const names[] = {
#define PROXEL_SHADER(name) #name,
#include "proxel_shader_table.inc"
#undef PROXEL_SHADER
  };
  for (const char* name : names) {
    const std::string path = std::string(arguments[1]) + "/" + name;
    const auto code = shader_code(name);
    write(path + ".spv", code);
    write(path + ".host.spv", without_subgroup_barriers(without_unrolling(code)));
    write(path + ".loops.spv", telling_ended_loops(without_subgroup_barriers(without_unrolling(code))));
    write(path + ".subnormals.spv", keeping_subnormals(code, false));
  }
}
