#include "bundled_data.hpp"

namespace proxel::tool {

std::filesystem::path bundled_data() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path() / PROXEL_DATA_FROM_PROGRAMS).lexically_normal();
}

}  // namespace proxel::tool
