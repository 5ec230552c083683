#include "proxel/output_files.hpp"

#include "data/staged_file.hpp"
#include "proxel/error.hpp"

namespace proxel {

OutputFiles::OutputFiles() = default;
OutputFiles::~OutputFiles() = default;
OutputFiles::OutputFiles(OutputFiles&&) noexcept = default;
OutputFiles& OutputFiles::operator=(OutputFiles&&) noexcept = default;

const std::string& OutputFiles::stage(const std::string& path) {
  return files_.emplace_back(std::make_unique<data::StagedFile>(path))->beside();
}

void OutputFiles::add(const std::string& path, const Write& write) {
  const std::string& place = stage(path);
  try {
    write(place);
  } catch (const Error& error) {
    const std::string what = error.what(), prefix = place + ": ";
    if (error.subject() != place || !what.starts_with(prefix)) throw;
    throw Error(error.code(), path, what.substr(prefix.size()));
  }
}

void OutputFiles::commit() {
  for (const auto& file : files_) file->sync();
  {
    const auto lock = data::appearing();
    try {
      for (const auto& file : files_) {
        if (files_.size() > 1) file->keep_old();
        file->place();
      }
    } catch (...) {
      for (auto file = files_.rbegin(); file != files_.rend(); ++file) (*file)->undo();
      throw;
    }
  }
  for (const auto& file : files_) file->finish();
  files_.clear();
}

}  // namespace proxel
