// Permutation indexes of strings.
#include "c_api/arguments.hpp"
#include "c_api/permutation_options.hpp"
#include "c_api/planned.hpp"
#include "c_api/string_options.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

PermutationOptions permutation_options_of(const proxel_permutation_options& given) {
  PermutationOptions options;
  if (given.permutants != 0) options.permutants = given.permutants;
  options.prefix = given.prefix;
  options.seed = limit_or(given.seed, options.seed);
  const auto chosen = numbers_of(given.chosen, given.chosen_count, "chosen");
  options.chosen.assign(chosen.begin(), chosen.end());
  if (given.distance) options.distance = permutation_distance_from_string(given.distance);
  options.selection = selection_named(given.selection, "selection");
  options.string_distance = string_distance_named(given.string_distance, "string_distance");
  options.scratch_limit = limit_or(given.scratch_limit, options.scratch_limit);
  options.timing = timing_named(given.timing);
  return options;
}

void tell_choice(const FractionChoice& found, proxel_fraction_choice* choice) {
  write_struct(choice, {.struct_size = 0, .fraction = found.fraction, .recall = found.recall, .queries = found.queries},
               "choice");
}

}  // namespace proxel::c_api

namespace {

// The sample of a choice; without any, the index makes its own.
Strings sample_of(const proxel_strings* given, const PermutationIndex& index) {
  return given ? strings_of(given, "queries") : Strings(index.units());
}

}  // namespace

proxel_status proxel_permutation_index_create(proxel_device* device, const proxel_strings* strings,
                                              const proxel_permutation_options* options,
                                              proxel_permutation_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    const proxel_permutation_options given = read_struct(options, "options");
    *index = make_handle<proxel_permutation_index>(
        on, on,
        PermutationIndex(*on, strings_of(strings, "strings"), permutation_options_of(given),
                         progress_of(given.progress, given.progress_user)));
  });
}

proxel_status proxel_permutation_index_load(proxel_device* device, const char* path,
                                            const proxel_string_options* options, proxel_permutation_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    *index = make_handle<proxel_permutation_index>(
        on, on, PermutationIndex::load(*on, text_of(path, "path"), string_options_of(options)));
  });
}

proxel_status proxel_permutation_index_save(proxel_permutation_index* index, const char* path) {
  return guarded([&] { handled(index, "index").index.save(text_of(path, "path")); });
}

proxel_status proxel_permutation_index_is_saved(const char* path, int* saved) {
  return guarded([&] { required(saved, "saved") = PermutationIndex::is_saved(text_of(path, "path")); });
}

void proxel_permutation_index_destroy(proxel_permutation_index* index) { destroy(index); }

proxel_status proxel_permutation_index_get_info(proxel_permutation_index* index, proxel_permutation_info* info) {
  return guarded([&] {
    const PermutationIndex& own = handled(index, "index").index;
    proxel_permutation_info told{};
    told.size = own.size();
    told.permutants = own.permutants().data();
    told.permutant_count = own.permutants().size();
    told.build_milliseconds = own.build_milliseconds();
    told.build_compute_milliseconds = own.build_compute_milliseconds();
    told.units = name_of(own.units());
    write_struct(info, told, "info");
  });
}

proxel_status proxel_permutation_index_get_times(proxel_permutation_index* index, proxel_times* times) {
  return guarded([&] {
    auto& own = handled(index, "index");
    own.times.tell(own.report, times);
  });
}

proxel_status proxel_permutation_index_candidates(const proxel_permutation_index* index, uint64_t k, double fraction,
                                                  uint64_t* candidates) {
  return guarded([&] {
    required(candidates, "candidates");
    *candidates = handled(index, "index").index.candidates(k, fraction);
  });
}

proxel_status proxel_permutation_index_search(proxel_permutation_index* index, const proxel_strings* queries,
                                              uint64_t k, double fraction, proxel_progress progress,
                                              void* progress_user, uint32_t* indices, float* distances,
                                              uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    const Strings asked = strings_of(queries, "queries");
    const Results results(indices, distances, slots, asked.size(), k);
    results.write(held.keep(held.index.search(asked, k, fraction, progress_of(progress, progress_user))));
  });
}

proxel_status proxel_permutation_index_range_search(proxel_permutation_index* index, const proxel_strings* queries,
                                                    float radius, double fraction, proxel_progress progress,
                                                    void* progress_user, proxel_matches** matches) {
  return give_matches(index, matches, [&](PermutationIndex& own) {
    return own.range_search(strings_of(queries, "queries"), radius, fraction, progress_of(progress, progress_user));
  });
}

proxel_status proxel_permutation_index_choose_fraction(proxel_permutation_index* index, double recall, uint64_t k,
                                                       const proxel_strings* queries, proxel_progress progress,
                                                       void* progress_user, proxel_fraction_choice* choice) {
  return guarded([&] {
    PermutationIndex& own = handled(index, "index").index;
    check_writable(choice, "choice");
    tell_choice(own.choose_fraction(recall, k, sample_of(queries, own), progress_of(progress, progress_user)), choice);
  });
}

proxel_status proxel_permutation_index_choose_range_fraction(proxel_permutation_index* index, double recall,
                                                             float radius, const proxel_strings* queries,
                                                             proxel_progress progress, void* progress_user,
                                                             proxel_fraction_choice* choice) {
  return guarded([&] {
    PermutationIndex& own = handled(index, "index").index;
    check_writable(choice, "choice");
    tell_choice(
        own.choose_range_fraction(recall, radius, sample_of(queries, own), progress_of(progress, progress_user)),
        choice);
  });
}

proxel_status proxel_permutation_index_add(proxel_permutation_index* index, const proxel_strings* strings,
                                           uint64_t* first) {
  return guarded([&] { tell(first, changing(index).add(strings_of(strings, "strings"))); });
}

proxel_status proxel_permutation_index_remove(proxel_permutation_index* index, const uint32_t* numbers, uint64_t count,
                                              uint64_t* removed) {
  return guarded([&] {
    const auto chosen = numbers_of(numbers, count, "numbers");
    tell(removed, changing(index).remove(chosen));
  });
}

proxel_status proxel_permutation_index_get_text(const proxel_permutation_index* index, uint32_t number, char* text,
                                                uint64_t capacity, uint64_t* bytes) {
  return guarded([&] { copy_text(handled(index, "index").index.text(number), text, capacity, bytes); });
}

proxel_status proxel_permutation_index_plan(proxel_permutation_index* index, uint32_t queries, uint32_t longest_query,
                                            uint64_t k, double fraction, proxel_plan** plan) {
  return give_plan(index, plan, [&](PermutationIndex& own) { return own.plan(queries, longest_query, k, fraction); });
}

proxel_status proxel_permutation_index_plan_range(proxel_permutation_index* index, uint32_t queries,
                                                  uint32_t longest_query, float radius, double fraction,
                                                  proxel_plan** plan) {
  return give_plan(index, plan,
                   [&](PermutationIndex& own) { return own.plan_range(queries, longest_query, radius, fraction); });
}
