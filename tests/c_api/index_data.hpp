#pragma once

// An index of vectors through both interfaces.

#include "support.hpp"

namespace proxel::c_test {

inline constexpr std::uint64_t rows = 500;
inline constexpr std::uint64_t dimensions = 6;
inline constexpr std::uint64_t queries = 9;
inline constexpr std::uint64_t k = 5;

// An index made through both interfaces, each on a device of its own.
struct Both {
  Matrix<float> database = random_matrix(rows, dimensions, 1);
  Matrix<float> asked = random_matrix(queries, dimensions, 2);
  proxel_matrix c_rows = c_matrix(database);
  proxel_matrix c_queries = c_matrix(asked);
  DeviceHandle device;
  IndexHandle c;
  std::unique_ptr<Device> own;
  Index cpp;

  explicit Both(const std::string& id = "cpu", const char* method = "auto")
      : device(open(id)), own(open_device(id)), cpp(*own, database.view(), {.method = method_from_string(method)}) {
    proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
    options.method = method;
    CHECK_OK(proxel_index_create(device, of(c_rows), &options, &c));
  }
};

}  // namespace proxel::c_test
