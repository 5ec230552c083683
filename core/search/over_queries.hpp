#pragma once

#include <cstdint>
#include <functional>

namespace proxel::search {

/// Does what the host has to do with the answers of queries: block by block, on several threads where there are enough
/// answers to be worth it.
/// @param slots  of each query's answer
/// @param work   (first, count): of a block of queries; called from any thread. What it throws ends all, and is thrown
void over_queries(std::uint64_t queries, std::uint64_t slots,
                  const std::function<void(std::uint64_t first, std::uint64_t count)>& work);

}  // namespace proxel::search
