#pragma once

#include <cstdint>

namespace proxel::index {

/// The k whose rows are searched for so that `k` are left when each query's own row is out of them: k + 1.
/// Throws Error(invalid_argument) for a k that is out of range.
std::uint64_t wider_by_self(std::uint64_t k);

}  // namespace proxel::index
