#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "file_kinds.hpp"
#include "proxel/output_files.hpp"

namespace proxel::tool {

/// The files that a command writes: looked at before its work, given their names together
/// at its end.
class Outputs {
 public:
  /// @param force   replaces whatever is there (--force)
  /// @param inputs  the files that the command reads; an empty name and "-" are none, and
  ///                what follows '#' or ":/" in a name is a part of the file
  Outputs(bool force, const std::vector<std::string>& inputs);

  /// Says that a file will be written. Throws Error(not_found | invalid_argument) that names
  /// the option where there is no such folder, the name is that of a folder, an input would
  /// be replaced, or a file that is not of that kind; CannotWrite where the folder or the
  /// file may not be written.
  void plan(const std::string& option, const std::string& path, FileKind kind);

  /// See OutputFiles; what the system refuses becomes CannotWrite.
  void write(const std::string& path, const OutputFiles::Write& write);
  const std::string& stage(const std::string& path);
  /// Throws Interrupted after Ctrl-C, before any file has its name, and CannotWrite.
  void commit();

 private:
  bool is_input(const std::string& path) const;

  bool force_;
  std::vector<std::string> inputs_;
  std::vector<std::string> planned_;
  OutputFiles files_;
};

/// Throws Error(invalid_argument) where files with these beginnings would have no name that is seen ("", "out/", ".."), or
/// where the beginning names a folder, a device or a pipe that is there: files would appear beside it.
void check_prefix(const std::string& option, const std::string& prefix);

/// Throws CannotWrite where the folder of an output has less space than it needs; without effect where that is not known.
/// @param needed  bytes
/// @param with    what the bytes are besides the output's: " with its checkpoints"
void check_space(const std::string& output, std::uint64_t needed, std::string_view with = "");

void add_force_option(CLI::App& command, bool& force);

}  // namespace proxel::tool
