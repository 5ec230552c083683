#pragma once

#include <span>

#include "proxel/pass.hpp"

namespace proxel {

/// Every pass that has a header in proxel/passes/.
std::span<const PassKind* const> all_passes();

}  // namespace proxel
