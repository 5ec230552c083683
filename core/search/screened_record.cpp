#include <algorithm>

#include "proxel/screened.hpp"
#include "search/check.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

struct ScreenedPlan::Block {
  std::uint32_t first_query = 0;
  std::uint32_t queries = 0;
};

void ScreenedPlan::record(Recording& recording, const passes::Rows& rows,
                          const SearchBuffers& buffers) const {
  check(description_, buffers, scratch_bytes_);
  recording.push_label("screened");
  recording.fill(buffers.scratch.part(undecided_offset(), 16), 0);
  for (Block block; block.first_query < description_.queries; block.first_query += block.queries) {
    block.queries = std::min(block_queries_, description_.queries - block.first_query);
    // The scratch memory may still be in use by the block before.
    if (block.first_query != 0) recording.barrier();
    record_block(recording, rows, buffers, block);
  }
  recording.barrier();
  record_undecided(recording, rows, buffers);
  recording.pop_label();
}

void ScreenedPlan::record_block(Recording& recording, const passes::Rows& rows,
                                const SearchBuffers& buffers, const Block& block) const {
  const std::uint64_t scratch = buffers.scratch.address();
  const auto k = static_cast<std::uint32_t>(description_.k);
  const std::uint32_t query_tiles = divide_up(block.queries, tile_rows);
  const auto tiles = divide_up(rows.count, tile_rows);
  const std::uint64_t query_address =
      buffers.queries.address() + std::uint64_t{block.first_query} * description_.dimensions * 4;

  passes::ScreenPackParameters pack{};
  pack.rows = row_major_rows(query_address, block.queries, description_.dimensions);
  pack.frame = screened_->frame().address();
  pack.packed = scratch + queries_offset_;
  pack.bounds = scratch + query_bounds_offset_;
  pack.dimensions = description_.dimensions;
  pack.depth_blocks = screened_->depth_blocks();
  recording.record(passes::make_screen_pack(pack, screened_->metric(), true, screened_->split(),
                                            query_tiles));
  recording.fill(buffers.scratch.part(counts_offset_, std::uint64_t{block.queries} * splits_ * 4), 0);
  recording.barrier();

  passes::ScreenTilesParameters screen{};
  screen.rows = screened_->packed().address();
  screen.biases = screened_->biases().address();
  screen.row_bounds = screened_->bounds().address();
  screen.queries = pack.packed;
  screen.query_bounds = pack.bounds;
  screen.thresholds = scratch + thresholds_offset_;
  screen.found = scratch + found_offset_;
  screen.counts = scratch + counts_offset_;
  screen.depth_blocks = screened_->depth_blocks();
  screen.depth_steps = divide_up(screened_->depth(), 16u);
  screen.row_count = rows.count;
  screen.query_count = block.queries;
  screen.splits = splits_;
  screen.capacity = capacity_;
  screen.groups = sample_tiles_ * groups_per_tile_;

  screen.tile_step = sample_step_;
  screen.tile_count = sample_tiles_;
  recording.record(passes::make_screen_tiles(screen, arithmetic_, passes::ScreenPurpose::sample,
                                             groups_per_tile_, workgroup_queries_));
  recording.barrier();

  passes::ScreenThresholdParameters threshold{};
  threshold.lower_bounds = screen.found;
  threshold.query_bounds = pack.bounds;
  threshold.thresholds = screen.thresholds;
  threshold.query_count = block.queries;
  threshold.groups = screen.groups;
  threshold.k = k;
  recording.record(passes::make_screen_threshold(threshold));
  recording.barrier();

  screen.tile_step = 1;
  screen.tile_count = tiles;
  recording.record(passes::make_screen_tiles(screen, arithmetic_, passes::ScreenPurpose::collect,
                                             groups_per_tile_, workgroup_queries_));
  recording.barrier();

  passes::ScreenRefineParameters refine{};
  refine.rows = screened_->row_major()
                    ? row_major_rows(screened_->row_major()->address(), rows.count,
                                     description_.dimensions)
                    : rows;
  refine.queries = query_address;
  refine.row_bounds = screen.row_bounds;
  refine.query_bounds = pack.bounds;
  refine.found = screen.found;
  refine.counts = screen.counts;
  refine.indices = buffers.indices.address() + std::uint64_t{block.first_query} * k * 4;
  refine.distances = buffers.distances.address() + std::uint64_t{block.first_query} * k * 4;
  refine.undecided = scratch + undecided_offset();
  refine.dimensions = description_.dimensions;
  refine.splits = splits_;
  refine.capacity = capacity_;
  refine.k = k;
  refine.root = description_.metric == Metric::l2;
  // One direction of a grid holds no more than this.
  for (std::uint32_t first = 0; first < block.queries; first += largest_grid_extent) {
    const std::uint32_t count = std::min(largest_grid_extent, block.queries - first);
    passes::ScreenRefineParameters part = refine;
    part.queries += std::uint64_t{first} * description_.dimensions * 4;
    part.query_bounds += std::uint64_t{first} * 32;
    part.found += std::uint64_t{first} * splits_ * capacity_ * 8;
    part.counts += std::uint64_t{first} * splits_ * 4;
    part.indices += std::uint64_t{first} * k * 4;
    part.distances += std::uint64_t{first} * k * 4;
    part.first_query = block.first_query + first;
    recording.record(passes::make_screen_refine(part, description_.metric, count, pool_));
  }
}

void ScreenedPlan::record_undecided(Recording& recording, const passes::Rows& rows,
                                    const SearchBuffers& buffers) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ScanUndecidedParameters scan{};
  scan.rows = rows;
  scan.queries = buffers.queries.address();
  scan.undecided = scratch + undecided_offset();
  scan.found = scratch + rescue_offset_;
  scan.dimensions = description_.dimensions;
  scan.query_stride = description_.dimensions;
  scan.k = static_cast<std::uint32_t>(description_.k);
  scan.lists = rescue_lists_;
  scan.most_groups = rescue_groups_;

  passes::MergeUndecidedParameters merge{};
  merge.undecided = scan.undecided;
  merge.found = scan.found;
  merge.indices = buffers.indices.address();
  merge.distances = buffers.distances.address();
  merge.k = scan.k;
  merge.lists = rescue_lists_;
  merge.most_groups = rescue_groups_;
  merge.largest_first = largest_first(description_.metric);
  merge.root = description_.metric == Metric::l2;
  for (std::uint32_t first = 0; first < description_.queries; first += rescue_lists_) {
    if (first != 0) recording.barrier();
    scan.first_undecided = merge.first_undecided = first;
    recording.record(
        passes::make_scan_undecided(scan, description_.metric, rescue_workgroups_));
    recording.barrier();
    recording.record(passes::make_merge_undecided(merge));
  }
}

}  // namespace proxel
