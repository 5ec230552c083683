#pragma once

#include <functional>
#include <string>

#include "bench/suite.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/signatures.hpp"

namespace proxel::tool {

/// A search of signatures that permutation indexes are timed beside.
struct ExactSignatureSearch {
  const Signatures& database;
  const Signatures& asked;
  float alpha = 0;
  const Neighbors& found;  ///< k of each
};

/// Times permutation indexes of signatures on a device over permutants and fractions, with their recall.
/// @param compare  (what, answer): told of every answer, which all devices have alike
void measure_signature_permutations(Device& device, const ExactSignatureSearch& exact, const BenchOptions& options,
                                    Recorder& recorder,
                                    const std::function<void(const std::string&, const Neighbors&)>& compare);

}  // namespace proxel::tool
