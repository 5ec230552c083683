#include "outputs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "console.hpp"
#include "file_state.hpp"
#include "format.hpp"
#include "interrupt.hpp"

namespace proxel::tool {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, option, why);
}

// Two names of one file, or links of either kind to it, are the same file.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code missing;
  return fs::equivalent(one, other, missing) ||
         fs::weakly_canonical(fs::absolute(one), missing) == fs::weakly_canonical(fs::absolute(other), missing);
}

template <typename Action>
decltype(auto) refused_by_system(const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::input_output) throw;
    throw CannotWrite(error.subject(), reason(error));
  }
}

// Whether the system lets a file appear there, by letting one.
void try_folder(const std::string& path) {
  OutputFiles trial;
  std::FILE* file = std::fopen(trial.stage(path).c_str(), "wbx");
  if (file == nullptr) throw CannotWrite(path, fmt::format("cannot be created: {}", std::strerror(errno)));
  std::fclose(file);
}

}  // namespace

Outputs::Outputs(bool force, const std::vector<std::string>& inputs) : force_(force) {
  for (const std::string& input : inputs)
    if (!input.empty() && input != "-") inputs_.push_back(file_of_rows(input));
}

bool Outputs::is_input(const std::string& path) const {
  return std::ranges::any_of(inputs_, [&](const std::string& input) { return same_file(path, input); });
}

void Outputs::plan(const std::string& option, const std::string& path, FileKind kind) {
  const fs::path name = path;
  std::error_code missing;
  if (name.filename().empty() || fs::is_directory(name, missing))
    refuse(option, fmt::format("'{}' is the name of a folder; that of a file is expected", path));
  if (const fs::path folder = name.parent_path(); !folder.empty() && !fs::is_directory(folder, missing))
    throw Error(ErrorCode::not_found, option, fmt::format("the folder '{}' does not exist", folder.string()));
  if (kind == FileKind::page && name.extension() != ".html" && name.extension() != ".htm")
    refuse(option, fmt::format("'{}' does not end in .html, as pages do", path));
  const auto status = fs::status(name, missing);
  if (missing && status.type() == fs::file_type::none) throw CannotWrite(path, missing.message());
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(option, fmt::format("'{}' is no regular file", path));
  for (const std::string& other : planned_)
    if (same_file(path, other)) refuse(option, fmt::format("'{}' and '{}' are one file", path, other));
  if (fs::exists(status) && !force_) {
    if (is_input(path)) refuse(option, fmt::format("'{}' is read by this command; --force replaces it", path));
    if (kind != FileKind::values && access(path.c_str(), R_OK) != 0)
      throw Error(ErrorCode::input_output, path, std::strerror(errno));
    const bool holds_something = fs::file_size(name, missing) != 0;
    if (holds_something && !is_of_kind(path, kind))
      refuse(option, kind == FileKind::values
                         ? fmt::format("'{}' exists; --force replaces it", path)
                         : fmt::format("'{}' exists and is not {}; --force replaces it", path, description(kind)));
  }
  if (fs::exists(status) && !force_ && access(path.c_str(), W_OK) != 0) throw CannotWrite(path, std::strerror(errno));
  refused_by_system([&] { try_folder(path); });
  planned_.push_back(path);
}

void Outputs::write(const std::string& path, const OutputFiles::Write& write) {
  throw_if_interrupted();
  refused_by_system([&] { files_.add(path, write); });
}

const std::string& Outputs::stage(const std::string& path) {
  return refused_by_system([&]() -> const std::string& { return files_.stage(path); });
}

void Outputs::commit() {
  throw_if_interrupted();
  refused_by_system([&] { files_.commit(); });
}

void check_prefix(const std::string& option, const std::string& prefix) {
  const std::string name = fs::path(prefix).filename().string();
  std::error_code missing;
  const fs::file_status there = fs::status(prefix, missing);
  if (name.empty() || name == "." || name == ".." || fs::is_directory(there))
    refuse(option, fmt::format("'{}' is the name of a folder; what the files' names begin with is expected, "
                               "such as {}",
                               prefix, (fs::path(prefix) / "found").string()));
  if (fs::exists(there) && !fs::is_regular_file(there))
    refuse(option,
           fmt::format("'{}' is no regular file; what the files' names begin with is expected, such as found", prefix));
}

void check_space(const std::string& output, std::uint64_t needed, std::string_view with) {
  std::error_code unknown;
  const fs::space_info space = fs::space(fs::absolute(output).parent_path(), unknown);
  if (!unknown && space.available < needed)
    throw CannotWrite(output, fmt::format("{} are needed{}, and {} are free in that folder", as_bytes(needed), with,
                                          as_bytes(space.available)));
}

void add_force_option(CLI::App& command, bool& force) {
  command.add_flag("--force", force,
                   "Replace existing files whatever they are. Without it none is replaced that this "
                   "command reads, or that is not of the kind it writes");
}

}  // namespace proxel::tool
