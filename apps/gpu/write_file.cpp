#include "gpu/write_file.hpp"

#include <filesystem>
#include <fstream>

#include "proxel/error.hpp"
#include "proxel/output_files.hpp"

namespace gpu {

void write_file(const std::string& path, std::string_view content) {
  const auto write = [&](const std::string& place) {
    std::ofstream stream(place, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) throw proxel::Error(proxel::ErrorCode::input_output, place, "cannot be written");
  };
  // A pipe or a terminal has no place beside it.
  std::error_code missing;
  if (const auto status = std::filesystem::status(path, missing);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write(path);
  proxel::OutputFiles files;
  files.add(path, write);
  files.commit();
}

}  // namespace gpu
