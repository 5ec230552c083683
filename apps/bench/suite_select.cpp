// The k smallest of each row of a matrix: the shapes whose peers were measured,
// against reading once; then Komarov 2013, figures 4, 5, 6 and 8, by every method.

#include <algorithm>

#include <fmt/format.h>

#include "bench/bandwidth.hpp"
#include "bench/select_matrix.hpp"
#include "bench/targets.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

// What peers took for the same shape on an H200 of the same kind, ms; 0 where
// it was not measured.
struct Peers {
  double raft = 0, faiss = 0, torch = 0;
};

struct Case {
  std::string group;
  std::uint64_t rows, columns, k;
  Peers peers;
  bool every_method = false;
};

const std::vector<Case>& published_cases() {
  static const std::vector<Case> all = {{"select", 8192, 8192, 64, {0.347, 0.692, 1.00}},
                                        {"select", 8192, 8192, 512, {1.24, 3.41, 1.18}},
                                        {"select", 8192, 32768, 64, {0.990, 1.24, 3.15}},
                                        {"select", 8192, 65536, 64, {1.62, 1.90, 5.95}},
                                        {"select", 8192, 65536, 512, {7.79, 10.5, 6.20}},
                                        {"select", 8192, 262144, 64, {5.34, 6.23, 25.6}},
                                        {"select", 8192, 262144, 512, {28.5, 0, 25.9}},
                                        {"select", 8, 1048576, 16, {0.061, 2.38, 0.183}},
                                        {"select", 8, 1048576, 1024, {0.139, 3.12, 0.202}},
                                        {"select", 128, 1048576, 256, {0.789, 3.49, 1.62}},
                                        {"select", 256, 1048576, 1024, {3.55, 4.48, 3.06}},
                                        {"select", 32768, 4096, 32, {0.699, 0, 2.07}},
                                        {"select", 16, 8388608, 32, {0.353, 0, 1.66}},
                                        {"select", 8, 1048576, 65536, {}},
                                        {"select", 8, 1048576, 1048576, {}},
                                        {"select", 1024, 65536, 4096, {}},
                                        {"select", 1024, 65536, 65536, {}}};
  return all;
}

// About as many neighbours as shared memory holds, and more, of few rows and of many.
std::vector<Case> many_cases() {
  std::vector<Case> all;
  for (const std::uint64_t rows : {8u, 32u, 128u, 1024u})
    for (const auto& [exponent, k] :
         {std::pair{13u, 1024u}, std::pair{13u, 2048u}, std::pair{14u, 4096u}, std::pair{16u, 1024u},
          std::pair{16u, 2048u}, std::pair{16u, 2049u}, std::pair{16u, 4096u}, std::pair{16u, 16384u},
          std::pair{20u, 4096u}, std::pair{20u, 16384u}})
      all.push_back({"many", rows, 1ull << exponent, k, {}, true});
  return all;
}

std::vector<Case> paper_cases() {
  std::vector<Case> all;
  for (const unsigned exponent : {13u, 15u, 16u, 18u})
    for (const std::uint64_t k : {64u, 128u, 256u, 512u})
      all.push_back({"komarov_fig4", 8192, 1ull << exponent, k, {}, true});
  for (const unsigned exponent : {10u, 11u, 12u, 13u})
    for (const std::uint64_t k : {64u, 512u}) all.push_back({"komarov_fig5", 1ull << exponent, 65536, k, {}, true});
  for (const int ratio : {-3, 3, 7, 11, 15, 19})
    for (const std::uint64_t k : {2u, 32u, 512u}) {
      const unsigned columns = static_cast<unsigned>(27 + ratio) / 2;
      all.push_back({"komarov_fig6", 1ull << (27 - columns), 1ull << columns, k, {}, true});
    }
  for (const std::uint64_t rows : {8u, 16u, 32u, 64u, 128u, 256u})
    for (const std::uint64_t k : {16u, 256u, 1024u}) all.push_back({"komarov_fig8", rows, 1u << 20, k, {}, true});
  return all;
}

std::vector<Case> cases(const BenchOptions& options) {
  if (options.quick)
    return {{"select", 512, 8192, 64, {}, true},
            {"select", 4, 65536, 1024, {}, true},
            {"select", 16, 5000, 5000, {}, true},
            {"many", 40, 10000, 2500, {}, true}};
  std::vector<Case> all = published_cases();
  for (const std::vector<Case>& more : {many_cases(), paper_cases()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The most that the goal allows, ms; 0 where there is none.
double goal(const Case& one, double read_ms) {
  if (one.rows == 8 && one.columns == 1048576 && one.k <= 1024) return 0.03;
  if (one.columns >= 65536 && one.k <= 128) return 1.25 * read_ms;
  if (one.columns >= 8192 && one.k <= 512) return 2 * read_ms;
  return 0;
}

std::string remark(const Case& one, const Timed& timed, double read_ms) {
  std::string text =
      fmt::format("{} x reading once ({} ms)", significant(timed.median_ms / read_ms), significant(read_ms));
  if (const double most = goal(one, read_ms); most > 0)
    text += fmt::format("; goal {} ms {}", significant(most), timed.median_ms <= most ? "met" : "missed");
  const auto add_peer = [&](const char* name, double peer_ms) {
    if (peer_ms > 0)
      text += fmt::format("; {} {} ms, {} x", name, significant(peer_ms), significant(peer_ms / timed.median_ms));
  };
  add_peer("RAFT", one.peers.raft);
  add_peer("FAISS", one.peers.faiss);
  add_peer("PyTorch", one.peers.torch);
  return text;
}

std::vector<SelectionMethod> methods_of(const Case& one) {
  if (!one.every_method) return {SelectionMethod::automatic};
  return {SelectionMethod::streaming,
          SelectionMethod::threshold,
          SelectionMethod::radix_sort,
          SelectionMethod::quick_multi_select_subgroup,
          SelectionMethod::quick_multi_select_workgroup,
          SelectionMethod::radix_select,
          SelectionMethod::bucket_select,
          SelectionMethod::truncated_bitonic_sort,
          SelectionMethod::sample_select};
}

void add_row(const Case& one, const std::string& name, const Timed& timed, std::string text, Recorder& recorder) {
  recorder.add({one.group, name, "-", one.columns, one.rows, 0, one.k, timed.median_ms, timed.min_ms, std::move(text)});
}

void measure(Device& device, const Case& one, SelectMatrix& matrix, const Bandwidth& bandwidth,
             const BenchOptions& options, Recorder& recorder) {
  const double read_ms = static_cast<double>(matrix.bytes()) / bandwidth.read;
  for (const SelectionMethod method : methods_of(one)) {
    SelectionDescription description;
    description.rows = one.rows;
    description.columns = one.columns;
    description.k = one.k;
    description.method = method;
    description.scratch_limit = std::uint64_t{1} << 30;
    if (const Support support = SelectionPlan::supports(device, description); !support) {
      recorder.note(fmt::format("{} x {}, k = {}, {} on {} left out: {}", one.rows, one.columns, one.k,
                                to_string(method), device.info().id, support.reason));
      continue;
    }
    const SelectMatrix::Measured measured = matrix.measure(description, options.patience);
    const std::string name = fmt::format("proxel_{}_{}", to_string(method), device.info().id);
    std::string text = remark(one, measured.timed, read_ms);
    if (method == SelectionMethod::automatic) text = fmt::format("{}; {}", to_string(measured.method), text);
    add_row(one, name, measured.timed, std::move(text), recorder);
    if (measured.difference)
      recorder.difference(
          fmt::format("{}, {} x {}, k = {}: {}", name, one.rows, one.columns, one.k, *measured.difference));
  }
}

}  // namespace

void run_select(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  recorder.note(
      fmt::format("Data: uniform in [0, 1), seed {}; matrices above 256 MiB repeat their first rows. "
                  "Matrices that a cache might hold are visited in several copies.",
                  options.seed));
  recorder.note("Times are device timestamps around the recorded selection, medians after warm-up.");
  recorder.note("The answers of up to 12 rows of each row of figures are compared with the oracle's, bit for bit.");
  recorder.note("std::nth_element: one core, the median row's time for every row, and the k first sorted.");
  recorder.note("The figures of RAFT 26.08 (unsorted), FAISS 1.15 and PyTorch 2.11 were measured before on an H200.");
  const std::vector<Bandwidth> bandwidths = measure_bandwidths(options, recorder);
  const auto all = cases(options);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Case& one = all[number];
    bar.update(number, all.size());
    for (std::size_t index = 0; index < options.devices.size(); ++index)
      on_device(options.devices[index], recorder, [&](Device& device) {
        Case fitting = one;
        const std::uint64_t row_bytes = one.columns * 4;
        fitting.rows = std::min(rows_that_fit(one.rows, row_bytes, device, recorder),
                                device.capabilities().max_allocation_bytes / row_bytes);
        if (fitting.rows < one.rows) {
          fitting.peers = {};
          recorder.note(fmt::format("{}: {} of {} rows of {} columns fit", device.info().id, fitting.rows, one.rows,
                                    one.columns));
        }
        SelectMatrix matrix(device, fitting.rows, one.columns, options.seed);
        measure(device, fitting, matrix, bandwidths[index], options, recorder);
        if (index == 0) add_row(one, "nth_element_1core", matrix.nth_element(one.k, options.patience), "", recorder);
      });
  }
}

}  // namespace proxel::tool
