#include "recordable_parts.hpp"

#include <algorithm>
#include <random>

namespace recordable {

Bytes bytes_of(const Matrix<float>& matrix) { return bytes_of(matrix.data(), matrix.rows() * matrix.columns()); }
std::vector<Bytes> bytes_of(const Neighbors& found) {
  const std::uint64_t count = found.indices.rows() * found.indices.columns();
  return {bytes_of(found.indices.data(), count), bytes_of(found.distances.data(), count)};
}
std::vector<Bytes> bytes_of(const RangeNeighbors& found) {
  return {bytes_of(found.offsets.data(), found.offsets.size()), bytes_of(found.indices.data(), found.indices.size()),
          bytes_of(found.distances.data(), found.distances.size())};
}

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i) matrix.data()[i] = normal(generator);
  return matrix;
}

void call(Recordable& one, std::initializer_list<const char*> names) {
  std::vector<std::uint64_t> bytes;
  for (const Bytes& input : one.inputs) bytes.push_back(input.size());
  for (const Bytes& result : one.expected) bytes.push_back(result.size());
  bytes.push_back(one.scratch_bytes);
  if (names.size() != bytes.size()) throw Error(ErrorCode::backend_failure, "names", "are not those of the buffers");
  for (const char* name : names) one.roles.push_back({name, bytes[one.roles.size()]});
}

void need(Recordable& one, std::string_view name, std::uint64_t bytes) {
  for (Recordable::Role& role : one.roles)
    if (role.name == name) role.bytes = bytes;
}

void forget_past(Recordable& one, std::uint64_t there) {
  for (Bytes& results : one.expected)
    std::fill(results.begin() + static_cast<std::ptrdiff_t>(there * 4), results.end(), Recordable::untouched);
}

void need_a_slot(Recordable& one) {
  need(one, "indices buffer", 4);
  need(one, "distances buffer", 4);
}
}  // namespace recordable
