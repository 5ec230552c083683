#pragma once

#include "command_line.hpp"
#include "proxel/signature_index.hpp"

namespace proxel::tool {

/// Alpha 10 is what tells photographs' classes apart best (docs/lab/image-signatures.md).
inline SignatureIndexOptions image_search_options() { return {.similarity = {.alpha = 10}}; }

/// Adds --similarity, --alpha and --method.
/// @param options  as image_search_options() gives them, of which the help tells; outlive the command
void add_similarity_options(CLI::App& command, SignatureIndexOptions& options);

}  // namespace proxel::tool
