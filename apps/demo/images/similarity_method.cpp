#include "images/similarity_method.hpp"

#include <string>

#include "proxel/error.hpp"

namespace demo {
namespace {

struct Named {
  SimilarityMethod method;
  std::string_view name;
};
constexpr Named names[] = {
    {SimilarityMethod::automatic, "auto"},
    {SimilarityMethod::canonical, "canonical"},
    {SimilarityMethod::screened, "screened"},
    {SimilarityMethod::filtered, "filtered"},
    {SimilarityMethod::krulis, "krulis"},
    {SimilarityMethod::krulis_pivots, "krulis, pivots"},
    {SimilarityMethod::krulis_ptolemaic, "krulis, ptolemaic"},
};

}  // namespace

std::string_view to_string(SimilarityMethod method) {
  for (const Named& known : names)
    if (known.method == method) return known.name;
  return "unknown";
}

SimilarityMethod similarity_method_from_string(std::string_view name) {
  for (const Named& known : names)
    if (known.name == name) return known.method;
  throw proxel::Error(proxel::ErrorCode::invalid_argument, "method", "'" + std::string(name) + "' is no method");
}

std::optional<proxel::SignatureFilter> krulis_filter(SimilarityMethod method) {
  switch (method) {
    case SimilarityMethod::krulis:
      return proxel::SignatureFilter::none;
    case SimilarityMethod::krulis_pivots:
      return proxel::SignatureFilter::pivots;
    case SimilarityMethod::krulis_ptolemaic:
      return proxel::SignatureFilter::ptolemaic;
    default:
      return std::nullopt;
  }
}

proxel::SignatureMethod signature_method(SimilarityMethod method) {
  switch (method) {
    case SimilarityMethod::canonical:
      return proxel::SignatureMethod::canonical;
    case SimilarityMethod::screened:
      return proxel::SignatureMethod::screened;
    case SimilarityMethod::filtered:
      return proxel::SignatureMethod::filtered;
    default:
      return proxel::SignatureMethod::automatic;
  }
}

}  // namespace demo
