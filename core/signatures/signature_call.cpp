#include "signatures/signature_call.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "search/check.hpp"
#include "session/queries_at_once.hpp"
#include "signatures/packed_queries.hpp"

namespace proxel::signatures {
namespace {

// Similarities of one submission, so that it ends before a driver loses patience.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 34;

}  // namespace

bool SignatureShape::serves(const SignatureShape& wanted) const {
  SignatureSearchDescription with_places = wanted.description;
  with_places.places = description.places;
  return with_places == description && wanted.description.places <= description.places &&
         all_distances == wanted.all_distances;
}

void require_dimensions(const Signatures& queries, const StoredSignatures& stored) {
  if (queries.dimensions() != stored.dimensions)
    throw Error(
        ErrorCode::invalid_argument, "queries",
        fmt::format("have {} dimensions, the signatures of the index {}", queries.dimensions(), stored.dimensions));
}

session::Call<SignatureShape> SignatureSearcher::call(const Signatures& queries, std::uint64_t slots,
                                                      const SignatureShape& wanted) const {
  require_dimensions(queries, stored);
  const std::uint64_t longest = std::max<std::uint64_t>(queries.longest(), 1);
  session::Call<SignatureShape> call;
  call.work.queries = queries.size();
  call.work.most = std::min(session::queries_at_once((longest * (stored.dimensions + 1) + slots + 8) * 4),
                            std::max<std::uint64_t>(pairs_at_once / stored.centroids / longest, 1));
  call.work.per_query = static_cast<double>(stored.centroids) * stored.dimensions * static_cast<double>(longest);
  call.shape = [&queries, wanted](std::uint64_t first, std::uint64_t count) {
    SignatureShape shape = wanted;
    shape.description.queries = static_cast<std::uint32_t>(count);
    shape.description.places = SignaturePlaces(queries, first, count, query_alignment).places;
    return shape;
  };
  call.plan = [make = plan](const SignatureShape& shape, const session::Prepare& prepare) { prepare(make(shape), {}); };
  call.encode = [this_stored = &stored, this_bound = &bound, &queries](
                    session::Round& round, const SignatureShape& shape, std::uint64_t first, std::uint64_t) {
    pack_queries(queries, first, shape.description, *this_stored, this_bound, static_cast<std::byte*>(round.queries()));
  };
  call.answered = [](const session::Round& round, std::uint64_t, SearchReport& report) {
    const auto& answered = static_cast<const SignaturePlan&>(round.plan());
    report.evaluated += answered.evaluated();
    report.compared += answered.compared();
  };
  return call;
}

SearchRequirements results_of(const SignatureSearchDescription& description) {
  SearchRequirements results;
  if (description.radius) {
    results.indices = results.distances = search::elements_requirement(1);
    results.offsets = search::offsets_requirement(description.queries);
  } else {
    results.indices = results.distances = search::elements_requirement(description.queries * description.k);
  }
  return results;
}

SignatureSearchDescription planned(SignatureSearchDescription description, std::uint32_t queries,
                                   std::uint32_t longest) {
  search::require_range("queries", queries, 1, UINT32_MAX);
  search::require_range("query length", longest, 1, Signatures::largest_length);
  description.queries = queries;
  description.places = SignaturePlaces::most(queries, longest, query_alignment);
  return description;
}

}  // namespace proxel::signatures
