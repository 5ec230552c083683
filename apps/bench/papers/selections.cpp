#include "bench/papers/selections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/garcia_sort.hpp"
#include "bench/papers/rows.hpp"
#include "format.hpp"

namespace proxel::tool::papers {
namespace {

// "With one warp per query, we must have a minimum of 1024 queries"; fewer have a thread block each.
constexpr std::uint64_t queries_for_warps = 1024;

// Values of a matrix that a processor posing as a device is given.
std::uint64_t most_values_of_processor(const BenchOptions& options) {
  return std::uint64_t{1} << (options.quick ? 20 : 24);
}

SelectionDescription describe(std::uint64_t queries, std::uint64_t columns, std::uint64_t k, SelectionMethod method) {
  SelectionDescription description;
  description.rows = queries;
  description.columns = columns;
  description.k = k;
  description.method = method;
  description.scratch_limit = std::uint64_t{1} << 30;
  return description;
}

// The form that the paper uses for so many queries, or the other where the device cannot run it.
SelectionMethod paper_form(Device& device, std::uint64_t queries, std::uint64_t columns, std::uint64_t k) {
  constexpr auto warp = SelectionMethod::quick_multi_select_subgroup;
  constexpr auto block = SelectionMethod::quick_multi_select_workgroup;
  const bool warps = queries >= queries_for_warps;
  const SelectionMethod wanted = warps ? warp : block;
  return SelectionPlan::supports(device, describe(queries, columns, k, wanted)) ? wanted : warps ? block : warp;
}

}  // namespace

std::string curve_of_k(std::uint64_t k) { return fmt::format("k = {}", k); }

void Selections::measure(double x, std::uint64_t queries, std::uint64_t columns, const std::vector<std::uint64_t>& ks) {
  bool host_measured = !beside_.nth_element;
  for (const std::string& id : options_.devices)
    on_device(id, recorder_, [&](Device& device) {
      const std::uint64_t fitting = rows_here(device, queries, columns);
      if (fitting == 0) return;
      SelectMatrix matrix(device, fitting, columns, options_.seed);
      for (const std::uint64_t k : ks) {
        select(device, matrix, x, k, Role::faithful, paper_form(device, queries, columns, k), quick_multi_select);
        select(device, matrix, x, k, Role::best, SelectionMethod::automatic, "proxel's selection");
        for (const auto& [method, name] : beside_.methods) select(device, matrix, x, k, Role::rival, method, name);
        if (!host_measured)
          add_measured(exhibit_, Role::one_thread, host, "std::nth_element", curve_of_k(k), x,
                       scale_ * matrix.nth_element(k, options_.patience).median_ms);
      }
      host_measured = true;
    });
  if (!beside_.garcia) return;
  for (const std::string& id : options_.devices)
    on_device(id, recorder_, [&](Device& device) {
      const std::uint64_t fitting = rows_here(device, queries, columns);
      if (fitting == 0) return;
      GarciaSort sort(device, fitting, columns, options_.seed);
      for (const std::uint64_t k : ks)
        add(id, Role::rival, "Garcia's insertion sort", k, x, sort.measure(k, {options_.patience.seconds, 1, 20}));
    });
}

// Queries that a device takes; 0 where it is a processor that they would take long.
std::uint64_t Selections::rows_here(Device& device, std::uint64_t queries, std::uint64_t columns) {
  std::uint64_t wanted = queries;
  if (device.capabilities().runs_on_host && queries * columns > most_values_of_processor(options_)) {
    if (!beside_.fewer_queries) {
      recorder_.note(fmt::format("{}, {}, a processor: matrices of more than {} values are left out", exhibit_.name,
                                 device.info().id, with_separators(most_values_of_processor(options_))));
      return 0;
    }
    wanted = std::max<std::uint64_t>(most_values_of_processor(options_) / columns, 1);
  }
  const std::uint64_t bytes = columns * 4;
  const std::uint64_t fitting =
      std::min(rows_that_fit(wanted, bytes, device, recorder_), device.capabilities().max_allocation_bytes / bytes);
  if (fitting < queries)
    recorder_.note(fmt::format("{}, {}: {} of {} queries of {} values are selected from, and their time is multiplied",
                               exhibit_.name, device.info().id, with_separators(fitting), with_separators(queries),
                               with_separators(columns)));
  if (fitting == 0) return 0;
  scale_ = static_cast<double>(queries) / static_cast<double>(fitting);
  return fitting;
}

void Selections::select(Device& device, SelectMatrix& matrix, double x, std::uint64_t k, Role role,
                        SelectionMethod method, const char* name) {
  const SelectionDescription description = describe(matrix.rows(), matrix.columns(), k, method);
  if (const Support support = SelectionPlan::supports(device, description); !support) {
    recorder_.note(fmt::format("{}, {} on {}: {}", exhibit_.name, to_string(method), device.info().id, support.reason));
    return;
  }
  add(device.info().id, role, name, k, x, matrix.measure(description, options_.patience));
}

void Selections::add(const std::string& id, Role role, const std::string& method, std::uint64_t k, double x,
                     const SelectMatrix::Measured& measured) {
  add_measured(exhibit_, role, id, method, curve_of_k(k), x, scale_ * measured.timed.median_ms);
  if (measured.difference)
    recorder_.difference(fmt::format("{}, {} on {}, k = {}: {}", exhibit_.name, method, id, k, *measured.difference));
}

}  // namespace proxel::tool::papers
