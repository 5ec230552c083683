#pragma once

#include "search/scan_plan.hpp"

namespace proxel {

/// Ranks of a block of queries that a scan finds together, and where in memory they and what is needed for them are.
struct ScanPlan::Implementation::Round {
  std::uint32_t queries = 0;
  std::uint32_t ranks = 0;        // keys to find per query
  std::uint32_t keys_stride = 0;  // keys between queries
  std::uint64_t query_address = 0;
  std::uint64_t after = 0;          // the keys to continue behind; 0: from the first
  std::uint32_t after_stride = 0;   // keys between queries
  std::uint64_t filter = 0;         // 0: none
  std::uint32_t filter_stride = 0;  // words between queries; 0: shared
  std::uint64_t merged = 0;         // out: this round's keys
  std::uint64_t lists = 0;
  std::uint64_t partial = 0;
  std::uint64_t distance_keys = 0;
  // With tickets, where the results go at once.
  std::uint64_t indices = 0;
  std::uint64_t distances = 0;
  std::uint64_t counted = 0;  // 0: every query is there
};

}  // namespace proxel
