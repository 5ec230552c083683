#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "proxel/data_table.hpp"

namespace proxel::fuzzing {

/// Inspects and reads the bytes as a file of that name, and aborts where a
/// promise is broken: anything but Error is thrown, an error does not name the
/// file, inspecting and reading disagree, a part of the rows differs from the
/// same rows of the whole, or more memory is used than is allowed.
/// @param options  but for its rows
void check_parser(const std::string& file_name, const std::uint8_t* bytes, std::size_t size,
                  const TableOptions& options = {});

/// Reads the bytes as lines of text, plain or gzip, by the same rules.
void check_lines(const std::uint8_t* bytes, std::size_t size);

}  // namespace proxel::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
