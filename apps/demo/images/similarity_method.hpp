#pragma once

#include <optional>
#include <string_view>

#include "proxel/papers/krulis.hpp"
#include "proxel/signature_index.hpp"

namespace demo {

/// How signatures are compared: by an index of signatures, or by the system of Krulis et al. 2011, whose distances are
/// not the same bits, behind one of its filters.
enum class SimilarityMethod { automatic, canonical, screened, filtered, krulis, krulis_pivots, krulis_ptolemaic };

/// "auto", "canonical", "screened", "filtered", "krulis", "krulis, pivots", "krulis, ptolemaic".
std::string_view to_string(SimilarityMethod method);
/// Throws Error(invalid_argument).
SimilarityMethod similarity_method_from_string(std::string_view name);

/// The filter of Krulis' system; none for the others.
std::optional<proxel::SignatureFilter> krulis_filter(SimilarityMethod method);
/// The method of an index of signatures; automatic where Krulis' system is meant.
proxel::SignatureMethod signature_method(SimilarityMethod method);

}  // namespace demo
