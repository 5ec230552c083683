// Devices with a fault of a known kind: the harness must find each of them, in
// the pass's own cases and in whole searches.
#include <algorithm>
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include "case.hpp"
#include "faulty_device.hpp"
#include "filter.hpp"
#include "passes/all_passes.hpp"
#include "proxel_passes.inc"
#include "random.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

struct Outcomes {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t unsupported = 0;  // but for what needs matrix units, which are a GPU's
};

// Runs the quick cases that a filter selects on a device, at most `most` of
// them, spread over the selection.
Outcomes run_on(Device& device, const std::string& filter, std::size_t most) {
  const std::unique_ptr<Device> reference = open_device("cpu:reference");
  std::vector<const Case*> chosen;
  for (const Case& one : all_cases())
    if (one.quick && selected(filter, one.name)) chosen.push_back(&one);
  REQUIRE(!chosen.empty());
  Outcomes outcomes;
  const std::size_t step = chosen.size() / most + 1;
  for (std::size_t i = 0; i < chosen.size(); i += step) {
    const auto check = chosen[i]->prepare({case_seed(1, chosen[i]->name), *reference});
    const Verdict verdict = check->run(device);
    if (verdict.outcome == Outcome::passed) ++outcomes.passed;
    if (verdict.outcome == Outcome::failed) ++outcomes.failed;
    if (verdict.outcome == Outcome::unsupported && !selected("pass/screen/*matrix*", chosen[i]->name))
      ++outcomes.unsupported;
    if (verdict.outcome == Outcome::failed) CHECK(!verdict.message.empty());
  }
  return outcomes;
}

FaultyDevice faulty(Fault fault) { return FaultyDevice(open_device("cpu:reference"), std::move(fault)); }

// A fault in the parameters of one pass.
template <typename Parameters, typename Constants, typename Change>
Fault in_parameters(const PassKindOf<Parameters, Constants>& kind, Change change) {
  return [=, &kind](Pass& pass) {
    if (pass.kind != &kind) return true;
    auto parameters = pass.as<Parameters>();
    change(parameters);
    std::memcpy(pass.parameters.data(), &parameters, sizeof parameters);
    return true;
  };
}

struct PassPlaces {
  const PassKind& pass;
  const char* own_cases;
  const char* searches;
  // Other passes read or write where this one says: without it they would do so anywhere
  // in the host's memory, so that it cannot simply be left out here.
  bool leads_writes = false;
};

const PassPlaces places[] = {
    {passes::fill_words, "pass/fill_words/*", "pass/fill_words/*"},
    {passes::copy_words, "pass/copy_words/*", "pass/copy_words/*"},
    {passes::pack_tiles, "pass/pack_tiles/*", "search/scan/*"},
    {passes::unpack_rows, "pass/unpack_rows/*", "invariance/rows/scan/*"},
    {passes::normalize_rows, "pass/normalize_rows/*", "search/scan/cosine/*"},
    {passes::scan_select, "pass/scan_select/*", "search/scan/*"},
    {passes::merge_lists, "pass/merge_lists/*", "search/scan/*"},
    {passes::tile_distance, "pass/tile_distance/*", "plan/tiles/*"},
    {passes::tile_nearest, "pass/tile_nearest/*", "plan/tiles/*"},
    {passes::select_rows, "pass/select_rows/*", "plan/tiles/*"},
    // The `cpu` device, which these run on, has lists of any length.
    {passes::list_distances, "pass/list_distances/*", "pass/list_distances/*"},
    {passes::decode_keys, "pass/decode_keys/*", "search/scan/*"},
    {passes::after_keys, "pass/after_keys/*", "plan/*pages*"},
    {passes::range_collect, "pass/range_collect/*", "range/*"},
    {passes::range_offsets, "pass/range_offsets/*", "range/*"},
    {passes::range_sort, "pass/range_sort/*", "range/*"},
    {passes::range_decode, "pass/range_decode/*", "range/*"},
    // Where a search mends what a pass leaves out, by its certificate, only the
    // cases of the pass itself can tell.
    {passes::squared_norms, "pass/squared_norms/*", "pass/squared_norms/*"},
    {passes::matrix_product, "pass/matrix_product/*", "search/garcia-gemm/*"},
    {passes::add_row_norms, "pass/add_row_norms/*", "search/garcia-gemm/*"},
    {passes::pair_distance, "pass/pair_distance/*", "search/garcia-direct/*"},
    {passes::insertion_sort, "pass/insertion_sort/*", "search/garcia-direct/*"},
    {passes::extract_nearest, "pass/extract_nearest/*", "pass/extract_nearest/*"},
    {passes::certify_expansion, "pass/certify_expansion/*", "pass/certify_expansion/*"},
    {passes::reevaluate, "pass/reevaluate/*", "search/garcia-gemm/*"},
    {passes::quick_multi_select_subgroup, "pass/quick_multi_select_subgroup/*", "selection/quick-subgroup/*"},
    {passes::quick_multi_select_workgroup, "pass/quick_multi_select_workgroup/*", "selection/quick-workgroup/*"},
    // Unsorted keys of several parts would be looked up in the payload, anywhere.
    {passes::quick_sort_local, "pass/quick_sort_local/*", "selection/quick-sort/rows=*,columns=???,*"},
    {passes::merge_sorted, "pass/merge_sorted/*", "selection/quick-sort/rows=?,columns=????*"},
    {passes::stream_select, "pass/stream_select/*", "selection/streaming/*"},
    {passes::group_minima, "pass/group_minima/*", "pass/group_minima/*"},
    {passes::group_select, "selection/threshold/*", "selection/threshold/*"},
    {passes::radix_count, "selection/radix-sort/*", "selection/radix-sort/*", true},
    {passes::radix_scan, "selection/radix-sort/*", "selection/radix-sort/*", true},
    {passes::radix_scatter, "selection/radix-sort/*", "selection/radix-sort/*", true},
    {passes::radix_select, "selection/radix-sort/*", "selection/radix-sort/*", true},
    {passes::bucket_select, "pass/bucket_select/*", "selection/bucket-select/*", true},
    // Without a list the row itself is read: only the pass's own cases can tell.
    {passes::sample_bound, "pass/sample_bound/*", "pass/sample_bound/*"},
    {passes::sample_list, "pass/sample_list/*", "pass/sample_list/*"},
    {passes::sample_select, "pass/sample_select/*", "selection/sample-select/*"},
    {passes::truncated_sort, "pass/truncated_sort/*", "selection/bitonic-sort/*"},
    {passes::screen_mask, "pass/screen_mask/*", "pass/screen_mask/*"},
    {passes::screen_sample, "pass/screen_sample/*", "pass/screen_sample/*"},
    {passes::screen_origin, "pass/screen/scalar/*", "pass/screen/scalar/*"},
    {passes::screen_pack, "pass/screen/scalar/*", "pass/screen/scalar/*"},
    {passes::screen_tiles, "pass/screen/scalar/*", "pass/screen/scalar/*"},
    {passes::screen_threshold, "pass/screen/scalar/*", "pass/screen/scalar/*"},
    {passes::screen_refine, "pass/screen/scalar/*", "search/fused/*"},
    // What is sorted has as many keys as it counts.
    {passes::screen_survivors, "many/fused/l2sq/*k=1100/*", "many/fused/l2sq/*k=1100/*", true},
    {passes::screen_runs, "many/fused/l2sq/*k=1100/*", "many/fused/l2sq/*k=1100/*"},
    {passes::screen_codes, "pass/screen/codes/*", "pass/screen/codes/*"},
    {passes::screen_code_tiles, "pass/screen/codes/*", "pass/screen/codes/*"},
    {passes::screen_difference_tiles, "pass/screen/differences/*", "pass/screen/differences/*"},
    {passes::screen_bound, "pass/screen/*,bounded/*", "pass/screen/*,bounded/*"},
    {passes::screen_integers, "pass/screen/uint8-scalar/*", "pass/screen/int8-scalar/*"},
    {passes::screen_integer_tiles, "pass/screen/uint8-scalar/*", "pass/screen/int8-scalar/*"},
    {passes::screen_canonical, "pass/canonical/*", "pass/canonical/*"},
    {passes::divide_undecided, "pass/divide_undecided/*", "estimate/sparse/*"},
    {passes::scan_undecided, "pass/undecided/*", "search/fused/*"},
    // Which row stands where decides how much is passed over, not what is found.
    {passes::bvh_axis, "pass/bvh/*", "pass/bvh/*"},
    {passes::bvh_codes, "pass/bvh/*", "pass/bvh/*"},
    {passes::bvh_leaves, "pass/bvh/*", "search/bvh/*"},
    {passes::bvh_nodes, "pass/bvh/*", "pass/bvh/*"},
    {passes::bvh_search, "pass/bvh/*", "search/bvh/*"},
    {passes::string_tables, "pass/strings/*", "strings/levenshtein/*"},
    {passes::levenshtein, "pass/strings/*", "strings/levenshtein/*"},
    {passes::hamming, "pass/hamming/*", "strings/range/hamming/*"},
    {passes::permutations, "pass/permutations/*", "strings/permutation/*"},
    {passes::permutation_distance, "pass/permutations/*", "strings/permutation/*"},
    {passes::counting_select, "pass/counting_select/*", "strings/permutation/*", true},
    {passes::signature_terms, "pass/signatures/*", "signatures/canonical/*"},
    {passes::signature_distance, "pass/signatures/*", "signatures/canonical/*"},
    {passes::signature_screen, "pass/signature_screen/*", "signatures/screened/*"},
    {passes::signature_limits, "pass/signatures/*", "signatures/screened/*"},
    {passes::candidate_distance, "pass/candidate_distance/*", "vectors/permutation/*,within,*"},
    {passes::signature_bounds, "pass/signature_bounds/*", "pass/signature_bounds/*"},
    {passes::signature_survivors, "pass/signature_survivors/*", "signatures/filtered/*"},
    {passes::signature_pairs, "signatures/filtered/*", "signatures/filtered/*"},
    {passes::sqfd_block, "pass/sqfd/float32/*", "krulis/float32/*"},
    {passes::sqfd_block_double, "pass/sqfd/float64/*", "krulis/float64/*"},
    {passes::texel_pack, "pass/texel/*", "search/texel/*"},
    {passes::texel_accumulate, "pass/texel/*", "search/texel/*"},
    {passes::texel_minimum, "pass/texel/*", "search/texel/*"},
    {passes::texel_reduce, "pass/texel/*", "search/texel/*"},
    {passes::texel_collect, "pass/texel/*", "search/texel/*"},
    {passes::drop_self, "pass/drop_self/*", "graph/*"},
    {passes::merge_answers, "pass/merge_answers/*", "search/scan/*memory=*"},
    // Where a search has a wrong matrix the proof may find it, and a scan answers rightly instead.
    {passes::transpose, "pass/transpose/*", "pass/transpose/*"},
    {passes::component_begin, "pass/components/*", "components/*", true},
    {passes::component_link, "pass/components/*", "components/*"},
    {passes::component_flatten, "pass/components/*", "components/*"},
    {passes::layout_step, "pass/layout_step/*", "graph/layout/*"},
    {passes::image_features, "pass/extraction/*", "extraction/*"},
    {passes::feature_clusters, "pass/extraction/*", "extraction/signatures/*"},
    // No search looks into its textures.
    {passes::texel_unpack, "pass/texel/*", "pass/texel/*"},
};

}  // namespace

TEST_SUITE_BEGIN("harness");

TEST_CASE("every pass of the library has cases") {
  for (const PassKind* kind : all_passes()) {
    // What the host has not is run by pass/screen/*matrix*/*, on devices that have it.
    if (!kind->reference) continue;
    CHECK_MESSAGE(
        std::any_of(std::begin(places), std::end(places), [&](const PassPlaces& place) { return kind == &place.pass; }),
        std::string(kind->name), " has no cases: add them in apps/conformance and name them here");
  }
}

TEST_CASE("a device without a fault passes") {
  FaultyDevice device = faulty([](Pass&) { return true; });
  const Outcomes outcomes = run_on(device, "pass/*=*", 40);
  CHECK(outcomes.failed == 0);
  CHECK(outcomes.unsupported == 0);
  CHECK(outcomes.passed >= 30);
}

TEST_CASE("a pass that does nothing is found, whichever it is") {
  for (const PassPlaces& place : places) {
    if (place.leads_writes) continue;
    INFO("pass ", std::string(place.pass.name));
    FaultyDevice device = faulty([&](Pass& pass) { return pass.kind != &place.pass; });
    CHECK(run_on(device, place.own_cases, 8).failed > 0);
    CHECK(run_on(device, place.searches, 30).failed > 0);
  }
}

TEST_CASE("a fault in one parameter is found") {
  using namespace proxel::passes;
  const auto found = [](const char* filter, Fault fault) {
    FaultyDevice device = faulty(std::move(fault));
    return run_on(device, filter, 30).failed > 0;
  };
  SUBCASE("the last dimension is left out") {
    const auto shorten = [](auto& parameters) { --parameters.dimensions; };
    CHECK(found("pass/scan_select/*", in_parameters(scan_select, shorten)));
    CHECK(found("search/scan/*", in_parameters(scan_select, shorten)));
    CHECK(found("pass/tile_distance/*", in_parameters(tile_distance, shorten)));
    CHECK(found("pass/tile_nearest/*", in_parameters(tile_nearest, shorten)));
  }
  SUBCASE("the last row is left out") {
    const auto shorten = [](auto& parameters) { --parameters.rows.count; };
    CHECK(found("pass/scan_select/*", in_parameters(scan_select, shorten)));
    CHECK(found("pass/tile_nearest/*", in_parameters(tile_nearest, shorten)));
    CHECK(found("pass/texel/*", in_parameters(texel_minimum, [](auto& parameters) { --parameters.rows; })));
  }
  SUBCASE("the last row is not counted, or rows are looked for elsewhere") {
    const auto shorten = [](auto& parameters) { --parameters.rows; };
    CHECK(found("pass/counting_select/*", in_parameters(counting_select, shorten)));
    const auto move = [](auto& parameters) { parameters.row_stride /= 2; };
    CHECK(found("strings/permutation/*", in_parameters(counting_select, move)));
  }
  SUBCASE("indices off by one") {
    const auto shift = [](auto& parameters) { ++parameters.first_index; };
    CHECK(found("search/scan/*", in_parameters(scan_select, shift)));
    CHECK(found("pass/select_rows/*", in_parameters(select_rows, shift)));
    CHECK(found("search/texel/*", in_parameters(texel_minimum, shift)));
  }
  SUBCASE("the last centroid of a query is left out, a block has other objects") {
    const auto shorten = [](auto& parameters) { --parameters.query_length; };
    CHECK(found("pass/sqfd/float32/*objects=40*", in_parameters(sqfd_block, shorten)));
    CHECK(found("krulis/float32/*", in_parameters(sqfd_block, shorten)));
    const auto forget = [](auto& parameters) { parameters.objects = 0; };
    CHECK(found("krulis/float32/*", in_parameters(sqfd_block, forget)));
  }
  SUBCASE("the key to continue behind is ignored") {
    const auto forget = [](auto& parameters) { parameters.after = 0; };
    CHECK(found("pass/scan_select/*", in_parameters(scan_select, forget)));
    CHECK(found("pass/select_rows/*", in_parameters(select_rows, forget)));
    CHECK(found("search/texel/*", in_parameters(texel_minimum, forget)));
  }
  SUBCASE("the filter is ignored, or read one row off") {
    const auto forget = [](auto& parameters) { parameters.filter_bits = 0; };
    CHECK(found("pass/scan_select/*filter*", in_parameters(scan_select, forget)));
    CHECK(found("pass/select_rows/*filter*", in_parameters(select_rows, forget)));
    CHECK(found("pass/tile_nearest/*filter*", in_parameters(tile_nearest, forget)));
    CHECK(found("pass/list_distances/*filter*", in_parameters(list_distances, forget)));
    CHECK(found("plan/texel/*filter*", in_parameters(texel_minimum, forget)));
    const auto share = [](auto& parameters) { parameters.filter_stride = 0; };
    CHECK(found("pass/scan_select/*filters*", in_parameters(scan_select, share)));
    CHECK(found("pass/tile_nearest/*filters*", in_parameters(tile_nearest, share)));
  }
  SUBCASE("the place to continue behind is another's") {
    const auto move = [](auto& parameters) { parameters.indices -= 4; };
    CHECK(found("plan/*pages*", in_parameters(after_keys, move)));
    const auto skip = [](auto& parameters) { parameters.rows.count = 0; };
    CHECK(found("pass/after_keys/l2/*", in_parameters(after_keys, skip)));
  }
  SUBCASE("one row beyond the radius, or one short of it") {
    const auto widen = [](auto& parameters) { ++parameters.limit; };
    const auto narrow = [](auto& parameters) { --parameters.limit; };
    CHECK(found("pass/range_collect/*", in_parameters(range_collect, widen)));
    CHECK(found("range/*tie*integers", in_parameters(range_collect, narrow)));
    const auto forget = [](auto& parameters) { parameters.filter_bits = 0; };
    CHECK(found("pass/range_collect/*filter*", in_parameters(range_collect, forget)));
  }
  SUBCASE("matches that do not fit are written") {
    const auto forget = [](auto& parameters) { parameters.capacity *= 2; };
    CHECK(found("pass/range_collect/*capped*", in_parameters(range_collect, forget)));
  }
  SUBCASE("the running list is forgotten between chunks") {
    const auto forget = [](auto& parameters) { parameters.first_chunk = 1; };
    const Fault fault = in_parameters(select_rows, forget);
    CHECK(found("pass/select_rows/*", fault));
    CHECK(found("search/scan/*scratch*", fault));
  }
  SUBCASE("no root for l2") {
    const auto skip = [](auto& parameters) { parameters.finish = 0; };
    const Fault fault = in_parameters(decode_keys, skip);
    CHECK(found("pass/decode_keys/*", fault));
    CHECK(found("search/*/l2/*", fault));
  }
  SUBCASE("a write past the end") {
    const auto lengthen = [](auto& parameters) { ++parameters.count; };
    CHECK(found("pass/decode_keys/*", in_parameters(decode_keys, lengthen)));
  }
  SUBCASE("a write before the start") {
    const auto move = [](auto& parameters) { parameters.distances -= 4; };
    CHECK(found("plan/*", in_parameters(decode_keys, move)));
  }
  SUBCASE("the wrong metric") {
    const Fault fault = [](Pass& pass) {
      if (pass.kind != &texel_accumulate) return true;
      auto constants = pass.constants_as<TexelAccumulateConstants>();
      if (constants.metric == Metric::l1) constants.metric = Metric::linf;
      std::memcpy(pass.constants.data(), &constants, sizeof constants);
      return true;
    };
    CHECK(found("pass/texel/l1/*", fault));
    CHECK(found("search/texel/l1/*", fault));
  }
}

TEST_CASE("an input that is written is found") {
  // The queries, which passes may only read, are where the keys are to go.
  FaultyDevice device =
      faulty(in_parameters(passes::tile_distance, [](auto& parameters) { parameters.keys = parameters.queries; }));
  CHECK(run_on(device, "pass/tile_distance/l1/n=1,*", 5).failed > 0);
}

TEST_CASE("a refusal is a result of its own, with its reason") {
  class RefusingDevice : public FaultyDevice {
   public:
    using FaultyDevice::FaultyDevice;
    Support supports(const Pass&) const override { return Support::no("too small"); }
  };
  RefusingDevice device(open_device("cpu:reference"), [](Pass&) { return true; });
  const Outcomes outcomes = run_on(device, "pass/", 20);
  CHECK(outcomes.unsupported > 10);
  CHECK(outcomes.passed == 0);
  CHECK(outcomes.failed == 0);

  const std::unique_ptr<Device> reference = open_device("cpu:reference");
  const Case& first = all_cases().front();
  const Verdict verdict = first.prepare({1, *reference})->run(device);
  CHECK(verdict.message.find("too small") != std::string::npos);
  CHECK(verdict.refusal.limit == Limit::device);
}

TEST_SUITE_END();
