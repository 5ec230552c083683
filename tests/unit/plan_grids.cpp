// Plans keep every grid within what each Vulkan device allows.
#include "proxel/search.hpp"
#include "search/rehearsal.hpp"
#include "support.hpp"

namespace {

using namespace proxel;

class GridCheck : public unit::PassesAlone {
 public:
  void record(const Pass& pass) override {
    CAPTURE(pass.name());
    for (const std::uint32_t extent : {pass.grid.x, pass.grid.y, pass.grid.z}) {
      CHECK(extent >= 1);
      CHECK(extent <= largest_grid_extent);
    }
  }
};

}  // namespace

TEST_CASE("no plan asks for a grid that a device may refuse") {
  const auto device = open_device("cpu:reference");
  for (const std::uint64_t rows : {4'194'304ull, 4'300'000ull, 50'000'000ull})
    for (const std::uint32_t queries : {1u, 8u, 64u, 65u, 1000u})
      for (const std::uint64_t k : {1ull, 2ull, 1000ull}) {
        CAPTURE(rows);
        CAPTURE(queries);
        CAPTURE(k);
        // Nothing is executed, so the rows need not exist.
        const RowsSegment segment{tiled_rows(1u << 20, rows, 3), 0};
        SearchDescription description;
        description.metric = Metric::l1;
        description.rows = rows;
        description.dimensions = 3;
        description.queries = queries;
        description.k = k;
        description.scratch_limit = std::uint64_t{1} << 34;
        const ScanPlan plan = ScanPlan::make(*device, description, {&segment, 1});
        search::RehearsalBuffer nowhere(UINT64_MAX);
        GridCheck check;
        plan.record(check, {&segment, 1}, {nowhere, nowhere, nowhere, nowhere});
      }
}
