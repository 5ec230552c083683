#pragma once

// What the tests of every format of sections under checksums ask.

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "data/block_writer.hpp"
#include "data/byte_source.hpp"

namespace proxel::unit {

/// All that `write` hands to its sink.
template <typename Write>
std::string bytes_written(const Write& write) {
  std::string bytes;
  write(
      [&](std::span<const std::byte> more) { bytes.append(reinterpret_cast<const char*>(more.data()), more.size()); });
  return bytes;
}

/// What `read` makes of a file of these bytes.
template <typename Read>
auto read_from(const std::string& name, const std::string& bytes, const Read& read) {
  // An exact copy, so that a sanitizer sees what reads past it.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  return read(data::MemorySource(name, std::as_bytes(std::span(exact))));
}

/// What `read` says is wrong with the bytes; nothing where they are read.
template <typename Read>
std::string complaint_about(const std::string& name, const std::string& bytes, const Read& read) {
  try {
    read_from(name, bytes, read);
  } catch (const Error& error) {
    CHECK((error.code() == ErrorCode::malformed_file || error.code() == ErrorCode::unsupported));
    CHECK(error.subject() == name);
    return error.what();
  }
  return "";
}

/// That no other value of any byte is read.
template <typename Complaint>
void check_every_changed_byte(const std::string& whole, const Complaint& complaint) {
  REQUIRE(complaint(whole) == "");
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (int change = 1; change < 256; ++change) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      CAPTURE(i);
      CAPTURE(change);
      CHECK(complaint(damaged) != "");
    }
}

}  // namespace proxel::unit
