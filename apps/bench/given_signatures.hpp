#pragma once

#include <cstdint>

#include "bench/suite.hpp"
#include "proxel/signatures.hpp"

namespace proxel::tool {

struct SignatureData {
  Signatures database, queries;  ///< of one number of dimensions
};

/// Signatures of --data, of which some are queries and not searched; which, the seed decides. Notes whose they are, n
/// and d. Throws Error, also where there are fewer than 10.
SignatureData read_given_signatures(const BenchOptions& options, std::uint64_t queries, Recorder& recorder);

}  // namespace proxel::tool
