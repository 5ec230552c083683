#pragma once

#include "bench/papers/exhibit.hpp"
#include "bench/suite.hpp"

namespace proxel::tool::papers {

/// Komarov 2013, section "Distance calculation": the nearest of two sets in each other, from one matrix product and from
/// two.
Exhibit komarov_pair(const BenchOptions& options, Recorder& recorder);

}  // namespace proxel::tool::papers
