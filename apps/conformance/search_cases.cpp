// Whole searches through proxel::Index, compared with the oracle.

#include <iterator>
#include <set>

#include "proxel/screened.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

// Everything is tried on these. Methods that serve fewer metrics have functions of their own.
constexpr Method methods[] = {Method::scan, Method::texel, Method::fused};
// Texel search normalises no rows.
constexpr Metric texel_metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip};

// The quick tier must end within about a minute on a processor that poses as
// a GPU, under validation.
constexpr std::uint64_t quick_work = 6'000'000;
constexpr std::uint64_t full_work = 200'000'000;
constexpr int full_shapes_per_kind = 16;

// Names are unique; a shape that was chosen twice is one case.
class Adder {
 public:
  explicit Adder(Cases& cases) : cases_(cases) {}
  void add(const SearchCase& search, bool quick) {
    if (names_.insert(search.name()).second) add_search_case(cases_, search, quick);
  }

 private:
  Cases& cases_;
  std::set<std::string> names_;
};

// One metric after the other, of those that the method serves.
Metric metric_of(Method method, std::size_t step) {
  return method == Method::texel ? texel_metrics[step % std::size(texel_metrics)]
                                 : all_metrics[step % all_metrics.size()];
}

// Every method x metric x kind, on shapes that cover every axis.
void add_covering(Adder& adder) {
  for (const Method method : methods) {
    // A device without hardware compiles the passes of `fused` for each shape longer than it searches.
    const bool quick = method != Method::fused;
    CoveringShapes shapes(method, quick_work, 1);
    for (const Kind kind : all_kinds)
      for (const Metric metric : all_metrics) adder.add({method, metric, kind, shapes.next()}, quick);
    for (std::size_t extra = 0; !shapes.complete(); ++extra)
      adder.add(
          {method, all_metrics[extra % all_metrics.size()], all_kinds[extra * 5 % all_kinds.size()], shapes.next()},
          quick);
  }
}

void add_full(Adder& adder) {
  for (const Method method : {Method::scan, Method::texel, Method::fused, Method::bvh}) {
    CoveringShapes shapes(method, full_work, 2);
    for (int repeat = 0; repeat < full_shapes_per_kind; ++repeat)
      for (const Kind kind : all_kinds)
        for (const Metric metric : all_metrics) adder.add({method, metric, kind, shapes.next()}, false);
    if (method == Method::bvh) continue;
    for (const Metric metric : all_metrics) {
      for (const Shape shape :
           {Shape{largest_n, 16, 3, 10}, Shape{largest_n, 33, 1, 1}, Shape{largest_n, 5, 17, 1},
            Shape{largest_n, 7, 129, 5}, Shape{1000, 9, largest_q, 3}, Shape{5000, 17, largest_q, 1}}) {
        adder.add({method, metric, Kind::gaussian, shape}, false);
        adder.add({method, metric, Kind::integers, shape}, false);
      }
    }
  }
}

// Garcia 2010: every kind, because cancellation is what its expansion is known
// for; and query blocks, row chunks and padding by little scratch memory.
void add_garcia(Adder& adder) {
  for (const Method method : {Method::garcia_direct, Method::garcia_gemm}) {
    const bool gemm = method == Method::garcia_gemm;
    CoveringShapes shapes(method, quick_work, 3);
    std::size_t step = 0;
    for (const Kind kind : all_kinds)
      for (const Metric metric : all_metrics) {
        if (gemm && metric != Metric::l2sq && metric != Metric::l2) continue;
        adder.add({method, metric, kind, shapes.next()}, gemm || step++ % 2 == 0);
      }
    IndexOptions little;
    little.scratch_limit = std::uint64_t{1} << 20;
    for (const Shape shape : {Shape{5000, 4, 129, 10}, Shape{5000, 9, 65, 1}, Shape{5000, 5, 3, 100},
                              Shape{1000, 3, 128, 1000}, Shape{700, 2, 1100, 3}})
      for (const Kind kind : {Kind::integers, Kind::gaussian, Kind::offset})
        adder.add({method, Metric::l2sq, kind, shape, little}, kind != Kind::gaussian);
    CoveringShapes larger(method, full_work, 4);
    for (int repeat = 0; repeat < full_shapes_per_kind / 2; ++repeat)
      for (const Kind kind : all_kinds) adder.add({method, Metric::l2, kind, larger.next()}, false);
  }
  adder.add({Method::garcia_gemm, Metric::l1, Kind::uniform, {257, 17, 3, 5}}, true);
}

// Komarov 2013: every kind, because its products cancel too; both forms of the
// selection; query blocks and parts of rows by little scratch memory.
void add_komarov(Adder& adder) {
  constexpr Metric metrics[] = {Metric::l2sq, Metric::l2, Metric::cosine, Metric::pearson};
  CoveringShapes shapes(Method::komarov, quick_work, 5);
  std::size_t step = 0;
  for (const Kind kind : all_kinds)
    for (const Metric metric : metrics) {
      IndexOptions options;
      options.papers.komarov.selection = step++ % 2 == 0 ? SelectionMethod::quick_multi_select_subgroup
                                                         : SelectionMethod::quick_multi_select_workgroup;
      adder.add({Method::komarov, metric, kind, shapes.next(), options}, true);
    }
  IndexOptions little;
  little.scratch_limit = std::uint64_t{1} << 20;
  for (const Shape shape : {Shape{5000, 4, 129, 10}, Shape{5000, 9, 65, 1}, Shape{5000, 5, 3, 100},
                            Shape{1000, 3, 128, 1000}, Shape{700, 2, 1100, 3}})
    for (const Kind kind : {Kind::integers, Kind::nan, Kind::offset}) {
      little.papers.komarov.selection = step++ % 2 == 0 ? SelectionMethod::quick_multi_select_subgroup
                                                        : SelectionMethod::quick_multi_select_workgroup;
      adder.add({Method::komarov, metrics[step % 4], kind, shape, little}, kind != Kind::nan);
    }
  CoveringShapes larger(Method::komarov, full_work, 6);
  for (int repeat = 0; repeat < full_shapes_per_kind / 2; ++repeat)
    for (const Kind kind : all_kinds) adder.add({Method::komarov, metrics[step++ % 4], kind, larger.next()}, false);
  adder.add({Method::komarov, Metric::l1, Kind::uniform, {257, 17, 3, 5}}, true);
}

// Thresholds in the quick tier: every metric and kind of data, most of which half
// precision alone cannot decide, on a few shapes.
void add_fused(Adder& adder) {
  constexpr Shape shapes[] = {{128, 3, 5, 7},    {257, 17, 3, 5},    {300, 64, 130, 20},
                              {1000, 1, 40, 10}, {1100, 2, 33, 100}, {900, 130, 20, 3}};
  std::size_t step = 0;
  for (const Kind kind : all_kinds)
    for (const Metric metric : all_metrics)
      adder.add({Method::fused, metric, kind, shapes[step++ % std::size(shapes)]}, true);
}

// Boxes: every number of dimensions and kind of data, levels of one box and of
// many, duplicates that fill whole leaves; metrics that boxes cannot bound.
void add_bvh(Adder& adder) {
  constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf};
  constexpr Shape shapes[] = {{1, 2, 3, 2},       {31, 1, 5, 4},     {33, 3, 4, 33},    {257, 8, 9, 5},
                              {1024, 2, 40, 1},   {1025, 4, 33, 20}, {3000, 3, 70, 65}, {5000, 5, 20, 9},
                              {40000, 1, 12, 20}, {5000, 6, 4, 1024}};
  std::size_t step = 0;
  for (const Kind kind : all_kinds)
    for (const Metric metric : metrics)
      for (int repeat = 0; repeat < 3; ++repeat)
        adder.add({Method::bvh, metric, kind, shapes[step++ % std::size(shapes)]}, repeat == 0);
  for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::zeros})
    for (const Metric metric : metrics) adder.add({Method::bvh, metric, kind, {70000, 7, 3, 3}}, false);
  for (const Shape shape : {Shape{257, 9, 3, 5}, Shape{5000, 2, 3, 1025}})
    adder.add({Method::bvh, Metric::l2sq, Kind::uniform, shape}, true);
  for (const Metric metric : {Metric::ip, Metric::cosine, Metric::pearson})
    adder.add({Method::bvh, metric, Kind::uniform, {257, 4, 3, 5}}, true);
}

// The scan takes one of three ways by q and k; all of them for every metric.
void add_scan_ways(Adder& adder) {
  constexpr Kind ways_kinds[] = {Kind::gaussian, Kind::integers};
  std::size_t step = 0;
  for (const Metric metric : all_metrics)
    for (const Shape shape : {Shape{1000, 33, 1, 1}, Shape{1000, 33, 2, 10}, Shape{1000, 33, 9, 1},
                              Shape{1000, 16, 129, 1}, Shape{1000, 33, 9, 10}, Shape{1000, 16, 129, 10}})
      adder.add({Method::scan, metric, ways_kinds[step++ % 2], shape}, true);
  // k beyond what one round finds, with enough rows to fill it.
  for (int repeat = 0; repeat < 2; ++repeat)
    for (const Shape shape : {Shape{5000, 3, 1, 1024}, Shape{5000, 3, 1, 1025}, Shape{5000, 3, 2, 3000},
                              Shape{5000, 2, 9, 2049}, Shape{1000, 5, 65, 1050}}) {
      const Metric metric = metric_of(Method::scan, step++);
      adder.add({Method::scan, metric, Kind::integers, shape}, repeat == 0 || normalizes(metric));
    }
  adder.add({Method::automatic, Metric::l2, Kind::gaussian, {257, 17, 3, 5}}, true);
  adder.add({Method::scan, Metric::l1, Kind::gaussian, {257, 17, 0, 5}}, true);
  adder.add({Method::texel, Metric::l1, Kind::gaussian, {257, 17, 0, 5}}, true);
}

void add_texel_options(Adder& adder) {
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::nan, Kind::offset, Kind::infinity};
  std::size_t step = 0;
  const auto add = [&](const Shape& shape, const IndexOptions& options, bool quick) {
    adder.add({Method::texel, metric_of(Method::texel, step), kinds[step * 3 % std::size(kinds)], shape, options},
              quick);
    ++step;
  };
  for (std::uint32_t t = 1; t <= 16; ++t)
    for (const std::uint64_t d : {1, 16, 33, 54}) {
      IndexOptions options;
      options.papers.bustos.dimensions_per_pass = t;
      add({257, d, 2, 3}, options, d == 33);
    }
  // Many blocks of few rows: each is searched and merged.
  for (const std::uint64_t block_rows : {1, 4, 7, 64, 1000})
    for (const std::uint32_t reductions : {0u, 1u})
      for (const std::uint64_t n : {5, 65, 257, 2500}) {
        if (n / block_rows > 300) continue;
        IndexOptions options;
        options.papers.bustos.block_rows = block_rows;
        options.papers.bustos.reductions_per_pass = reductions;
        add({n, 9, 3, 5}, options, n != 65 && n / block_rows < 100);
      }
  for (const std::uint32_t reductions : {1u, 2u, 3u}) {
    IndexOptions options;
    options.papers.bustos.reductions_per_pass = reductions;
    add({5000, 3, 2, 4}, options, true);
  }
  // More dimensions than one texture may have layers.
  add({5, 2500, 2, 3}, {}, true);
  add({130, 4100, 1, 2}, {}, true);
}

// Little scratch memory means smaller tiles, not another answer.
void add_scratch_limits(Adder& adder) {
  IndexOptions options;
  options.scratch_limit = std::uint64_t{1} << 20;
  for (const Method method : methods) {
    std::size_t step = 0;
    for (int repeat = 0; repeat < 2; ++repeat)
      for (const Shape shape : {Shape{5000, 4, 129, 10}, Shape{5000, 9, 65, 1}, Shape{5000, 5, 3, 100},
                                Shape{1000, 3, 128, 1000}, Shape{5000, 2, 2, 2000}}) {
        if (work(method, shape) > 10 * quick_work) continue;
        const Metric metric = metric_of(method, step++);
        adder.add({method, metric, Kind::integers, served(method, shape), options}, repeat == 0 || normalizes(metric));
      }
  }
}

// Rows that do not fit pass through in blocks, of one tile or of several.
void add_streamed(Adder& adder) {
  std::size_t step = 0;
  for (const Metric metric : all_metrics)
    for (const Shape shape : {Shape{700, 17, 1, 5}, Shape{1000, 9, 9, 1}, Shape{1300, 33, 65, 10},
                              Shape{385, 4, 3, 600}, Shape{5000, 3, 2, 1030}})
      for (const std::uint64_t tiles : {1, 3}) {
        const Kind kind = all_kinds[step * 5 % all_kinds.size()];
        const HostLayout layout = step % 4 == 0 ? HostLayout::strided : HostLayout::contiguous;
        for (const Method method : {Method::scan, Method::fused, Method::bvh}) {
          if (method == Method::bvh && shape.d > 8) continue;
          const Shape asked = served(method, shape);
          IndexOptions options;
          options.memory_limit = 2 * tiles * 128 * asked.d * 4;
          adder.add({method, metric, kind, asked, options, layout}, step % 2 == 0 && method == Method::scan);
          options.pinned = true;
          if (layout == HostLayout::contiguous)
            adder.add({method, metric, kind, asked, options, layout}, step % 16 == 1 && method != Method::bvh);
        }
        ++step;
      }
}

// Rows that stay in host memory and are searched in codes on the device, around four queries at a time, whole tiles and the most neighbours.
void add_coded(Adder& adder) {
  std::size_t step = 0;
  for (const Metric metric : all_metrics)
    for (const Shape shape : {Shape{1535, 8, 1, 1}, Shape{1536, 9, 4, 10}, Shape{1537, 33, 5, 127},
                              Shape{3000, 64, 9, 128}, Shape{20000, 31, 128, 5}, Shape{2000, 257, 3, 20}})
      for (const Kind kind : {all_kinds[step++ * 5 % all_kinds.size()], Kind::gaussian}) {
        const auto dimensions = static_cast<std::uint32_t>(shape.d);
        const std::uint64_t codes = ScreenedRows::bytes(shape.n, dimensions, false, ScreenOperand::codes);
        IndexOptions options;
        options.memory_limit = codes + std::max<std::uint64_t>(codes, 2 * 128 * shape.d * 4);
        const bool quick = step % 9 == 0 && shape.q < 10;
        adder.add({Method::fused, metric, kind, served(Method::fused, shape), options,
                   step % 3 == 0 ? HostLayout::strided : HostLayout::contiguous},
                  quick);
      }
}

// Few queries and more neighbours than codes serve on a GPU.
void add_many_of_few(Adder& adder) {
  for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::cosine, Metric::l1, Metric::linf})
    for (const Shape shape :
         {Shape{6000, 33, 2, 128}, Shape{6000, 33, 2, 129}, Shape{6000, 17, 4, 256}, Shape{6000, 17, 1, 257},
          Shape{9000, 40, 3, 700}, Shape{9000, 20, 1, 1023}, Shape{9000, 9, 4, 1024}})
      for (const Kind kind : {Kind::gaussian, Kind::tied, Kind::duplicates})
        adder.add({Method::fused, metric, kind, served(Method::fused, shape)},
                  metric == Metric::l2sq && kind == Kind::gaussian && shape.k > 900);
}

// Rows so far from the mean that the difference is no float, nearer to the queries than the others.
void add_brink(Adder& adder) {
  for (const Metric metric : all_metrics)
    for (const Shape shape : {Shape{4096, 12, 3, 40}, Shape{4096, 12, 40, 40}, Shape{1500, 70, 1, 10}})
      for (const Method method : {Method::scan, Method::fused})
        adder.add({method, metric, Kind::brink, served(method, shape)},
                  method == Method::fused && shape.q == 3 && (metric == Metric::l1 || metric == Metric::linf));
}

// Integers of a small range are the same in every storage.
void add_stored(Adder& adder) {
  std::size_t step = 0;
  for (const ElementType storage : {ElementType::float16, ElementType::int8})
    for (const Metric metric : all_metrics)
      for (const Shape shape : {Shape{700, 17, 1, 5}, Shape{1300, 33, 65, 10}, Shape{5000, 130, 9, 1}}) {
        IndexOptions options;
        options.storage = storage;
        options.scratch_limit = std::uint64_t{1} << 20;
        const Kind kind = step % 3 == 0 ? Kind::zeros : Kind::integers;
        for (const Method method : {Method::scan, Method::fused})
          adder.add({method, metric, kind, served(method, shape), options}, step % 4 != 3 && method == Method::scan);
        ++step;
      }
  // Integers that are searched in one piece, around the rows of a block of 1 MiB in 130 dimensions.
  for (const ElementType storage : {ElementType::uint8, ElementType::int8})
    for (const Metric metric : {Metric::l2sq, Metric::l2, Metric::ip, Metric::l1, Metric::cosine})
      for (const Shape shape :
           {Shape{1, 130, 3, 1}, Shape{1919, 130, 1, 5}, Shape{1920, 130, 33, 10}, Shape{1921, 130, 2, 3},
            Shape{3840, 130, 130, 100}, Shape{3841, 130, 5, 256}, Shape{4000, 130, 9, 257}, Shape{5000, 17, 300, 20}}) {
        IndexOptions options;
        options.storage = storage;
        options.scratch_limit = std::uint64_t{1} << 20;
        const Kind kind = step % 4 == 0 ? Kind::tied : storage == ElementType::uint8 ? Kind::bytes : Kind::signed_bytes;
        adder.add({Method::fused, metric, kind, served(Method::fused, shape), options}, step % 9 == 0);
        ++step;
      }
}

void add_host_layouts(Adder& adder) {
  for (const Method method : methods) {
    std::size_t step = 0;
    for (int repeat = 0; repeat < 2; ++repeat)
      for (const HostLayout layout : {HostLayout::strided, HostLayout::column_major})
        for (const Shape shape : {Shape{129, 7, 3, 4}, Shape{300, 33, 17, 1}})
          adder.add({method, metric_of(method, step++), Kind::gaussian, shape, {}, layout}, true);
  }
  for (const Method method : methods) {
    IndexOptions timed;
    timed.timing = Timing::passes;
    adder.add({method, Metric::l2, Kind::gaussian, {257, 17, 3, 5}, timed}, true);
  }
}

}  // namespace

void add_search_cases(Cases& cases) {
  Adder adder(cases);
  add_covering(adder);
  add_garcia(adder);
  add_komarov(adder);
  add_fused(adder);
  add_bvh(adder);
  add_scan_ways(adder);
  add_texel_options(adder);
  add_scratch_limits(adder);
  add_streamed(adder);
  add_coded(adder);
  add_many_of_few(adder);
  add_brink(adder);
  add_stored(adder);
  add_host_layouts(adder);
  add_full(adder);
}

}  // namespace proxel::conformance
