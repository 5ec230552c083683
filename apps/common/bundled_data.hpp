#pragma once

#include <filesystem>

namespace proxel::tool {

/// The folder of the data that comes with the programs, as seen from the program that runs.
/// Whether it was installed is another matter: it is a package of its own.
std::filesystem::path bundled_data();

}  // namespace proxel::tool
