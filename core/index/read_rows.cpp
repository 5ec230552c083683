// Rows of an index that come back to the host.
#include <fmt/format.h>

#include "index/implementation.hpp"
#include "index/readback.hpp"

namespace proxel {

Matrix<float> Index::read_rows(std::span<const std::uint32_t> numbers) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  for (const std::uint32_t number : numbers)
    if (number >= rows())
      throw Error(ErrorCode::invalid_argument, "rows", fmt::format("{} is not one of the {} rows", number, rows()));
  if (self.blocked) return self.read_blocked(numbers);
  if (self.torn()) throw Error(ErrorCode::unsupported, "rows", self.supports_anything().reason);
  if (!self.storage.has_tiles())
    throw Error(ErrorCode::unsupported, "rows",
                fmt::format("{} search keeps no rows that could be read back", to_string(self.options.method)));
  return self.read_resident(numbers);
}

Matrix<float> Index::Implementation::read_resident(std::span<const std::uint32_t> numbers) {
  Matrix<float> read(numbers.size(), description.dimensions);
  index::read_back(storage, numbers, read.data());
  return read;
}

}  // namespace proxel
