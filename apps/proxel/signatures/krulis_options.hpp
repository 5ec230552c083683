#pragma once

#include <vector>

#include "command_line.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/signature_index.hpp"

namespace proxel::tool {

/// Whether signatures are searched as Krulis et al. 2011 do, and how.
struct KrulisChoice {
  bool wanted = false;        ///< --method krulis
  const char* set = nullptr;  ///< an option that was given for it, a literal
  KrulisOptions options;
};

/// Adds --filter, --pivots, --precision and --memory-limit, and "krulis" to the names of --method, which add_similarity_options() has
/// added.
/// @param index   of the other methods
/// @param choice  outlives the command
void add_krulis_options(CLI::App& command, SignatureIndexOptions& index, KrulisChoice& choice);

/// An index as the choice says. @param like  the similarity, of which it has the gaussian alone
/// Throws Error(invalid_argument | unsupported | out_of_memory).
KrulisIndex make_krulis_index(const KrulisChoice& choice, const SignatureIndexOptions& like,
                              const std::vector<Device*>& devices, const Signatures& signatures,
                              const Progress& progress);

}  // namespace proxel::tool
