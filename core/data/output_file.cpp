#include "data/output_file.hpp"

#include <utility>

namespace proxel::data {

OutputFile::OutputFile(std::string path) : staged_(std::move(path)) {
  file_ = std::fopen(staged_.beside().c_str(), "wbx");
  if (file_ == nullptr) staged_.fail("cannot be created");
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) staged_.fail("cannot be written");
}

void OutputFile::finish() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) staged_.fail("cannot be written");
  staged_.appear();
}

}  // namespace proxel::data
