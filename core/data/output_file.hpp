#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

#include "data/staged_file.hpp"

namespace proxel::data {

/// A file that appears under its name whole or not at all: it is written
/// beside, and renamed by finish(). Without finish() nothing is left behind.
/// All functions throw Error(input_output) where the system refuses, a full
/// disk included.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void finish();

 private:
  StagedFile staged_;
  std::FILE* file_ = nullptr;
};

}  // namespace proxel::data
