// Exact searches of feature signatures.
#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

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

SignatureIndexOptions options_of(const proxel_signature_options* given) {
  const proxel_signature_options with = read_struct(given, "options");
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
                                            const proxel_signature_options* options,
                                            proxel_signature_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = required(device, "device").device;
    *index = new proxel_signature_index{
        {on, SignatureIndex(*on, signatures_of(signatures, "signatures"), options_of(options)), {}}};
  });
}

void proxel_signature_index_destroy(proxel_signature_index* index) { delete index; }

proxel_status proxel_signature_index_get_info(const proxel_signature_index* index,
                                              proxel_signature_index_info* info) {
  return guarded([&] {
    const SignatureIndex& own = required(index, "index").index;
    write_struct(info,
                 {.struct_size = 0,
                  .size = own.size(),
                  .dimensions = own.dimensions(),
                  .similarity = to_string(own.similarity().kind).data(),  // of a literal, as the next
                  .alpha = own.similarity().alpha,
                  .method = to_string(own.method()).data(),
                  .evaluated = own.evaluated(),
                  .build_milliseconds = own.build_milliseconds()},
                 "info");
  });
}

proxel_status proxel_signature_index_get_times(proxel_signature_index* index, proxel_times* times) {
  return guarded([&] {
    required(index, "index");
    index->times.tell(index->index.times(), times);
  });
}

proxel_status proxel_signature_index_search(proxel_signature_index* index, const proxel_signatures* queries,
                                            uint64_t k, proxel_progress progress, void* progress_user,
                                            uint32_t* indices, float* distances, uint64_t slots) {
  return guarded([&] {
    SignatureIndex& own = required(index, "index").index;
    const Signatures asked = signatures_of(queries, "queries");
    const Results results(indices, distances, slots, asked.size(), k);
    results.write(own.search(asked, k, progress_of(progress, progress_user)));
  });
}

proxel_status proxel_signature_index_range_search(proxel_signature_index* index, const proxel_signatures* queries,
                                                  float radius, proxel_progress progress, void* progress_user,
                                                  proxel_matches** matches) {
  return guarded([&] {
    required(matches, "matches");
    SignatureIndex& own = required(index, "index").index;
    give(own.range_search(signatures_of(queries, "queries"), radius, progress_of(progress, progress_user)), matches);
  });
}

proxel_status proxel_signature_index_distances(proxel_signature_index* index, const proxel_signatures* queries,
                                               proxel_progress progress, void* progress_user, float* distances,
                                               uint64_t slots) {
  return guarded([&] {
    SignatureIndex& own = required(index, "index").index;
    const Signatures asked = signatures_of(queries, "queries");
    if (asked.size() > slots / own.size())
      refuse("slots", fmt::format("{} were given, {} x {} are needed", slots, asked.size(), own.size()));
    if (asked.size() != 0) require_given(distances, "distances");
    const Matrix<float> found = own.distances(asked, progress_of(progress, progress_user));
    std::copy_n(found.data(), found.rows() * found.columns(), distances);
  });
}
