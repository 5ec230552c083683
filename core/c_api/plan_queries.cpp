// Queries as plans of strings and signatures read them.
#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/objects.hpp"
#include "proxel/signature_index.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

const SignaturePlan& search_of(const proxel_plan* plan) {
  return plan_of<SignaturePlan>(*handled(plan, "plan").plan, "signatures");
}

}  // namespace

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
