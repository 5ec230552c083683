// What is refused says by a code what stands in the way.
#include "proxel/bvh.hpp"
#include "proxel/index.hpp"
#include "proxel/papers/bustos.hpp"
#include "proxel/papers/garcia.hpp"
#include "proxel/papers/komarov.hpp"
#include "proxel/passes/decode_keys.h"
#include "proxel/passes/screen_tiles_matrix.h"
#include "proxel/screened.hpp"
#include "proxel/selection.hpp"
#include "support.hpp"

using namespace proxel;

namespace {

// A search that every method serves.
SearchDescription describe() {
  SearchDescription description;
  description.rows = 5000;
  description.dimensions = 4;
  description.queries = 40;
  description.k = 10;
  return description;
}

template <typename Change>
SearchDescription with(const Change& change) {
  SearchDescription description = describe();
  change(description);
  return description;
}

const auto by_products = [](SearchDescription& d) { d.metric = Metric::ip; };
const auto of_most = [](SearchDescription& d) { d.k = 2000; };
const auto in_many_dimensions = [](SearchDescription& d) { d.dimensions = 9; };
const auto continued = [](SearchDescription& d) { d.continued = true; };

void check_limit(const Support& support, Limit limit) {
  REQUIRE_FALSE(support);
  CAPTURE(support.reason);
  CHECK_FALSE(support.reason.empty());
  CHECK(support.limit == limit);
}

}  // namespace

TEST_CASE("a plan that cannot serve a search says which part of it") {
  const auto device = open_device("cpu");
  CHECK(BvhPlan::supports(*device, describe()));
  check_limit(BvhPlan::supports(*device, with(by_products)), Limit::metric);
  CHECK(BvhPlan::supports(*device, with(of_most)));  // a processor's lists are in memory
  check_limit(BvhPlan::supports(*device, with(in_many_dimensions)), Limit::dimensions);
  check_limit(BoxHierarchy::supports(*device, 10, 9), Limit::dimensions);
  check_limit(BoxHierarchy::supports(*device, 0, 3), Limit::rows);

  CHECK(ScreenedPlan::supports(*device, describe(), std::nullopt));
  check_limit(ScreenedPlan::supports(*device, with(of_most), std::nullopt), Limit::neighbors);
  check_limit(ScreenedPlan::supports(*device, with([](SearchDescription& d) { d.rows = 39; }), std::nullopt),
              Limit::neighbors);
  check_limit(ScreenedPlan::supports(*device, with(continued), std::nullopt), Limit::narrowing);
  for (const FilterKind filter : {FilterKind::shared, FilterKind::per_query})
    CHECK(ScreenedPlan::supports_narrowing(with([&](SearchDescription& d) { d.filter = filter; })));
  check_limit(ScreenedRows::supports(*device, Metric::l1, 10, 2), Limit::metric);
  check_limit(ScreenedRows::supports(*device, Metric::l2, 10, 1u << 23), Limit::dimensions);

  CHECK(texel_supports(10, 5000));
  check_limit(texel_supports(2000, 5000), Limit::neighbors);
  check_limit(texel_supports_narrowing(with([](SearchDescription& d) { d.counted = true; })), Limit::narrowing);

  const auto garcia = [&](GarciaForm form, Metric metric, std::uint64_t k) {
    return garcia_supports(*device, form, metric, k, {});
  };
  CHECK(garcia(GarciaForm::gemm, Metric::l2, 10));
  check_limit(garcia(GarciaForm::gemm, Metric::l2, 2000), Limit::neighbors);
  check_limit(garcia(GarciaForm::gemm, Metric::l1, 10), Limit::metric);
  check_limit(garcia(GarciaForm::direct, Metric::cosine, 10), Limit::metric);
  CHECK(komarov_supports(*device, describe(), {}));
  check_limit(komarov_supports(*device, with(by_products), {}), Limit::metric);
  check_limit(komarov_supports(*device, with(of_most), {}), Limit::neighbors);

  SelectionDescription selection;
  selection.rows = 1;
  selection.columns = 100000;
  selection.k = 50000;
  for (const SelectionMethod method : {SelectionMethod::streaming, SelectionMethod::threshold}) {
    selection.method = method;
    check_limit(SelectionPlan::supports(*device, selection), Limit::neighbors);
  }
}

TEST_CASE("an index and a device say what they lack") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = unit::make_values(40, 3, unit::Temper::uniform, 1);
  check_limit(Index(*device, rows.view()).supports(Metric::l1, 0), Limit::neighbors);
  check_limit(Index(*device, rows.view(), {.method = Method::texel}).supports(Metric::cosine, 1), Limit::metric);

  passes::DecodeKeysParameters decode{};
  decode.count = 1;
  Pass pass = passes::make_decode_keys(decode);
  CHECK(device->supports(pass));
  pass.shared_bytes = 1u << 30;
  check_limit(device->supports(pass), Limit::device);
  pass.kind = &passes::screen_tiles_matrix;
  check_limit(device->supports(pass), Limit::kernel);
  check_limit(device->supports(Pass{}), Limit::kernel);
}
