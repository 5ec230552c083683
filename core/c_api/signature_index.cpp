// Exact searches of feature signatures.
#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/planned.hpp"
#include "c_api/signatures.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

Signatures signatures_of(const proxel_signatures* given, const char* argument) {
  const proxel_signatures list = read_required(given, argument);
  if (list.dimensions > UINT32_MAX)
    refuse("dimensions of a centroid",
           fmt::format("{} was given, 1 to {} is allowed", list.dimensions, Signatures::largest_dimensions));
  const auto dimensions = static_cast<std::uint32_t>(list.dimensions);
  Signatures signatures(dimensions);
  if (list.count == 0) return signatures;
  require_given(list.offsets, "offsets");
  require_given(list.centroids, "centroids");
  require_given(list.weights, "weights");
  for (std::uint64_t i = 0; i < list.count; ++i) {
    const std::uint64_t first = list.offsets[i];
    if (list.offsets[i + 1] < first || list.offsets[i + 1] - first > Signatures::largest_length)
      refuse("offsets", fmt::format("{} and {} were given for signature {}, which may have up to {} centroids", first,
                                    list.offsets[i + 1], i, Signatures::largest_length));
    const std::uint64_t length = list.offsets[i + 1] - first;
    signatures.add({list.centroids + first * dimensions, length * dimensions}, {list.weights + first, length});
  }
  return signatures;
}

}  // namespace proxel::c_api

namespace {

const SignaturePlan& search_of(const proxel_plan* plan) {
  return plan_of<SignaturePlan>(*handled(plan, "plan").plan, "signatures");
}

SignatureIndexOptions options_of(const proxel_signature_options& with) {
  SignatureIndexOptions options;
  if (with.similarity) options.similarity.kind = similarity_from_string(with.similarity);
  if (with.alpha != 0) options.similarity.alpha = static_cast<float>(with.alpha);
  if (with.method) options.method = signature_method_from_string(with.method);
  options.scratch_limit = limit_or(with.scratch_limit, options.scratch_limit);
  options.timing = timing_named(with.timing);
  return options;
}

}  // namespace

proxel_status proxel_signature_index_create(proxel_device* device, const proxel_signatures* signatures,
                                            const proxel_signature_options* options, proxel_signature_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    const proxel_signature_options given = read_struct(options, "options");
    *index = make_handle<proxel_signature_index>(
        on, on,
        SignatureIndex(*on, signatures_of(signatures, "signatures"), options_of(given),
                       progress_of(given.progress, given.progress_user)));
  });
}

void proxel_signature_index_destroy(proxel_signature_index* index) { destroy(index); }

proxel_status proxel_signature_index_get_info(const proxel_signature_index* index, proxel_signature_index_info* info) {
  return guarded([&] {
    const auto& held = handled(index, "index");
    const SignatureIndex& own = held.index;
    write_struct(info,
                 {.struct_size = 0,
                  .size = own.size(),
                  .dimensions = own.dimensions(),
                  .similarity = to_string(own.similarity().kind).data(),  // of a literal, as the next
                  .alpha = own.similarity().alpha,
                  .method = held.report.method.empty() ? "auto" : held.report.method.data(),
                  .evaluated = held.report.evaluated,
                  .build_milliseconds = own.build_milliseconds()},
                 "info");
  });
}

proxel_status proxel_signature_index_get_times(proxel_signature_index* index, proxel_times* times) {
  return guarded([&] {
    auto& own = handled(index, "index");
    own.times.tell(own.report, times);
  });
}

proxel_status proxel_signature_index_search(proxel_signature_index* index, const proxel_signatures* queries, uint64_t k,
                                            proxel_progress progress, void* progress_user, uint32_t* indices,
                                            float* distances, uint64_t slots) {
  return guarded([&] {
    search_signatures(handled(index, "index"), queries, k, progress, progress_user, indices, distances, slots);
  });
}

proxel_status proxel_signature_index_range_search(proxel_signature_index* index, const proxel_signatures* queries,
                                                  float radius, proxel_progress progress, void* progress_user,
                                                  proxel_matches** matches) {
  return give_matches(index, matches, [&](SignatureIndex& own) {
    return own.range_search(signatures_of(queries, "queries"), radius, progress_of(progress, progress_user));
  });
}

proxel_status proxel_signature_index_distances(proxel_signature_index* index, const proxel_signatures* queries,
                                               proxel_progress progress, void* progress_user, float* distances,
                                               uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    SignatureIndex& own = held.index;
    const Signatures asked = signatures_of(queries, "queries");
    write_distances(asked, own.size(), distances, slots,
                    [&] { return held.keep(own.distances(asked, progress_of(progress, progress_user))); });
  });
}

proxel_status proxel_signature_index_plan(proxel_signature_index* index, uint32_t queries, uint32_t longest_query,
                                          uint64_t k, proxel_plan** plan) {
  return give_plan(index, plan, [&](SignatureIndex& own) { return own.plan(queries, longest_query, k); });
}

proxel_status proxel_signature_index_plan_range(proxel_signature_index* index, uint32_t queries, uint32_t longest_query,
                                                float radius, proxel_plan** plan) {
  return give_plan(index, plan, [&](SignatureIndex& own) { return own.plan_range(queries, longest_query, radius); });
}

proxel_status proxel_signature_index_plan_distances(proxel_signature_index* index, uint32_t queries,
                                                    uint32_t longest_query, proxel_plan** plan) {
  return give_plan(index, plan, [&](SignatureIndex& own) { return own.plan_distances(queries, longest_query); });
}

proxel_status proxel_plan_get_signature_layout(const proxel_plan* plan, proxel_signature_layout* layout) {
  return guarded([&] {
    const PackedSignatureLayout at = search_of(plan).layout();
    write_struct(layout,
                 {.struct_size = 0,
                  .coordinates = at.coordinates,
                  .weights = at.weights,
                  .spans = at.spans,
                  .terms = at.terms,
                  .groups = at.groups,
                  .margins = at.margins,
                  .errors = at.errors,
                  .counts = at.counts,
                  .bytes = at.bytes,
                  .places = at.places},
                 "layout");
  });
}

proxel_status proxel_plan_pack_signatures(const proxel_plan* plan, const proxel_signatures* queries, void* to,
                                          uint64_t bytes) {
  return guarded([&] {
    const SignaturePlan& search = search_of(plan);
    const Signatures asked = signatures_of(queries, "queries");
    require_given(to, "to");
    search.pack(asked, {static_cast<std::byte*>(to), bytes});
  });
}
