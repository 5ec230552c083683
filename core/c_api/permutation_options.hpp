#pragma once

#include "proxel/permutation.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

PermutationOptions permutation_options_of(const proxel_permutation_options& given);

/// Writes what the choice of a fraction found.
void tell_choice(const FractionChoice& found, proxel_fraction_choice* choice);

}  // namespace proxel::c_api
