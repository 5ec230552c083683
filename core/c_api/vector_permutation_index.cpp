// Permutation indexes of vectors.
#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/permutation_options.hpp"
#include "c_api/planned.hpp"

using namespace proxel;
using namespace proxel::c_api;

proxel_status proxel_vector_permutation_index_create(proxel_device* device, const proxel_matrix* rows,
                                                     const char* metric, const proxel_permutation_options* options,
                                                     proxel_vector_permutation_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    const proxel_permutation_options given = read_struct(options, "options");
    *index = make_handle<proxel_vector_permutation_index>(
        on, on,
        VectorPermutationIndex(*on, matrix_of(rows, "rows"), metric_named(metric), permutation_options_of(given),
                               progress_of(given.progress, given.progress_user)));
  });
}

void proxel_vector_permutation_index_destroy(proxel_vector_permutation_index* index) { destroy(index); }

proxel_status proxel_vector_permutation_index_get_info(proxel_vector_permutation_index* index,
                                                       proxel_permutation_info* info) {
  return guarded([&] {
    const VectorPermutationIndex& own = handled(index, "index").index;
    proxel_permutation_info told{};
    told.size = own.size();
    told.permutants = own.permutants().data();
    told.permutant_count = own.permutants().size();
    told.build_milliseconds = own.build_milliseconds();
    told.dimensions = own.dimensions();
    told.metric = to_string(own.metric()).data();  // of a literal
    write_struct(info, told, "info");
  });
}

proxel_status proxel_vector_permutation_index_get_times(proxel_vector_permutation_index* index, proxel_times* times) {
  return guarded([&] {
    auto& own = handled(index, "index");
    own.times.tell(own.report, times);
  });
}

proxel_status proxel_vector_permutation_index_candidates(const proxel_vector_permutation_index* index, uint64_t k,
                                                         double fraction, uint64_t* candidates) {
  return guarded([&] {
    required(candidates, "candidates");
    *candidates = handled(index, "index").index.candidates(k, fraction);
  });
}

proxel_status proxel_vector_permutation_index_search(proxel_vector_permutation_index* index,
                                                     const proxel_matrix* queries, uint64_t k, double fraction,
                                                     proxel_progress progress, void* progress_user, uint32_t* indices,
                                                     float* distances, uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    const MatrixView<float> asked = matrix_of(queries, "queries");
    const Results results(indices, distances, slots, asked.rows, k);
    results.write(held.keep(held.index.search(asked, k, fraction, progress_of(progress, progress_user))));
  });
}

proxel_status proxel_vector_permutation_index_range_search(proxel_vector_permutation_index* index,
                                                           const proxel_matrix* queries, float radius, double fraction,
                                                           proxel_progress progress, void* progress_user,
                                                           proxel_matches** matches) {
  return give_matches(index, matches, [&](VectorPermutationIndex& own) {
    return own.range_search(matrix_of(queries, "queries"), radius, fraction, progress_of(progress, progress_user));
  });
}

proxel_status proxel_vector_permutation_index_choose_fraction(proxel_vector_permutation_index* index, double recall,
                                                              uint64_t k, const proxel_matrix* queries,
                                                              proxel_progress progress, void* progress_user,
                                                              proxel_fraction_choice* choice) {
  return guarded([&] {
    VectorPermutationIndex& own = handled(index, "index").index;
    check_writable(choice, "choice");
    const MatrixView<float> sample = queries ? matrix_of(queries, "queries") : MatrixView<float>();
    tell_choice(own.choose_fraction(recall, k, sample, progress_of(progress, progress_user)), choice);
  });
}

proxel_status proxel_vector_permutation_index_plan(proxel_vector_permutation_index* index, uint32_t queries, uint64_t k,
                                                   double fraction, proxel_plan** plan) {
  return give_plan(index, plan, [&](VectorPermutationIndex& own) { return own.plan(queries, k, fraction); });
}

proxel_status proxel_vector_permutation_index_plan_range(proxel_vector_permutation_index* index, uint32_t queries,
                                                         float radius, double fraction, proxel_plan** plan) {
  return give_plan(index, plan, [&](VectorPermutationIndex& own) { return own.plan_range(queries, radius, fraction); });
}
