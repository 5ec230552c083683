// Exact searches of strings.
#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/planned.hpp"
#include "c_api/string_options.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

StringIndexOptions string_options_of(const proxel_string_options* given) {
  const proxel_string_options with = read_struct(given, "options");
  StringIndexOptions options;
  options.distance = string_distance_named(with.distance, "distance");
  options.scratch_limit = limit_or(with.scratch_limit, options.scratch_limit);
  options.timing = timing_named(with.timing);
  return options;
}

}  // namespace proxel::c_api

proxel_status proxel_string_index_create(proxel_device* device, const proxel_strings* strings,
                                         const proxel_string_options* options, proxel_string_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    *index = make_handle<proxel_string_index>(
        on, on, StringIndex(*on, strings_of(strings, "strings"), string_options_of(options)));
  });
}

void proxel_string_index_destroy(proxel_string_index* index) { destroy(index); }

proxel_status proxel_string_index_get_info(const proxel_string_index* index, proxel_string_index_info* info) {
  return guarded([&] {
    const StringIndex& own = handled(index, "index").index;
    write_struct(info,
                 {.struct_size = 0,
                  .size = own.size(),
                  .alphabet = own.alphabet(),
                  .units = name_of(own.units()),
                  .build_milliseconds = own.build_milliseconds()},
                 "info");
  });
}

proxel_status proxel_string_index_get_times(proxel_string_index* index, proxel_times* times) {
  return guarded([&] {
    auto& own = handled(index, "index");
    own.times.tell(own.report, times);
  });
}

proxel_status proxel_string_index_search(proxel_string_index* index, const proxel_strings* queries, uint64_t k,
                                         proxel_progress progress, void* progress_user, uint32_t* indices,
                                         float* distances, uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    const Strings asked = strings_of(queries, "queries");
    const Results results(indices, distances, slots, asked.size(), k);
    results.write(held.keep(held.index.search(asked, k, progress_of(progress, progress_user))));
  });
}

proxel_status proxel_string_index_range_search(proxel_string_index* index, const proxel_strings* queries, float radius,
                                               proxel_progress progress, void* progress_user,
                                               proxel_matches** matches) {
  return give_matches(index, matches, [&](StringIndex& own) {
    return own.range_search(strings_of(queries, "queries"), radius, progress_of(progress, progress_user));
  });
}

proxel_status proxel_string_index_add(proxel_string_index* index, const proxel_strings* strings, uint64_t* first) {
  return guarded([&] { tell(first, changing(index).add(strings_of(strings, "strings"))); });
}

proxel_status proxel_string_index_remove(proxel_string_index* index, const uint32_t* numbers, uint64_t count,
                                         uint64_t* removed) {
  return guarded([&] {
    const auto chosen = numbers_of(numbers, count, "numbers");
    tell(removed, changing(index).remove(chosen));
  });
}

proxel_status proxel_string_index_get_text(const proxel_string_index* index, uint32_t number, char* text,
                                           uint64_t capacity, uint64_t* bytes) {
  return guarded([&] { copy_text(handled(index, "index").index.text(number), text, capacity, bytes); });
}

proxel_status proxel_string_index_plan(proxel_string_index* index, uint32_t queries, uint32_t longest_query, uint64_t k,
                                       proxel_plan** plan) {
  return give_plan(index, plan, [&](StringIndex& own) { return own.plan(queries, longest_query, k); });
}

proxel_status proxel_string_index_plan_range(proxel_string_index* index, uint32_t queries, uint32_t longest_query,
                                             float radius, proxel_plan** plan) {
  return give_plan(index, plan, [&](StringIndex& own) { return own.plan_range(queries, longest_query, radius); });
}

proxel_status proxel_plan_encode_strings(const proxel_plan* plan, const proxel_strings* queries, uint32_t* symbols,
                                         uint64_t symbol_slots, uint32_t* offsets, uint64_t offset_slots,
                                         uint64_t* symbol_count) {
  return guarded([&] {
    const auto& search = plan_of<StringPlan>(*handled(plan, "plan").plan, "strings");
    required(symbol_count, "symbol_count");
    const EncodedStrings encoded = search.encode(strings_of(queries, "queries"));
    // Both fit, or nothing is written.
    const auto check = [](const std::vector<std::uint32_t>& from, const std::uint32_t* to, std::uint64_t slots,
                          const char* argument) {
      if (slots < from.size()) refuse(argument, fmt::format("{} words were given, {} are needed", slots, from.size()));
      if (!from.empty()) require_given(to, argument);
    };
    check(encoded.symbols, symbols, symbol_slots, "symbols");
    check(encoded.offsets, offsets, offset_slots, "offsets");
    std::copy(encoded.symbols.begin(), encoded.symbols.end(), symbols);
    std::copy(encoded.offsets.begin(), encoded.offsets.end(), offsets);
    *symbol_count = encoded.symbols.size();
  });
}
