// An index of vectors: what it is made from, and how its rows change.
#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// @param storage  of the rows as they are given; a name that the caller gives instead is followed
IndexOptions options_of(const proxel_index_options& given, ElementType storage = ElementType::float32) {
  const IndexOptions usual;
  IndexOptions options;
  if (given.method) options.method = method_from_string(given.method);
  if (given.dimensions_per_pass != 0) options.papers.bustos.dimensions_per_pass = given.dimensions_per_pass;
  options.papers.bustos.reductions_per_pass = given.reductions_per_pass;
  options.papers.bustos.block_rows = limit_or(given.block_rows, usual.papers.bustos.block_rows);
  options.scratch_limit = limit_or(given.scratch_limit, usual.scratch_limit);
  options.memory_limit = given.memory_limit;
  options.storage = given.storage ? element_named(given.storage, "storage") : storage;
  options.papers.komarov.selection = selection_named(given.row_selection, "row_selection");
  options.timing = timing_named(given.timing);
  return options;
}

std::uint64_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return 4;
    case ElementType::float16:
      return 2;
    default:
      return 1;
  }
}

ElementsView elements_of(const proxel_stored_rows* given) {
  const proxel_stored_rows rows = read_required(given, "rows");
  const ElementType type = element_named(rows.type, "type");
  const std::uint64_t bytes = element_bytes(type);
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (rows.columns > most / bytes)
    refuse("columns", fmt::format("{} were given, up to 2^24 are allowed", rows.columns));
  const std::uint64_t row = rows.columns * bytes;
  const std::uint64_t row_bytes = stride_of(rows.row_bytes, rows.rows, row, "row_bytes", "a stride");
  if (rows.rows > 1 && row_bytes > most / (rows.rows - 1))
    refuse("row_bytes", fmt::format("{} rows at {} bytes reach past 2^60", rows.rows, row_bytes));
  if (rows.rows > 1 && row_bytes < row)
    refuse("row_bytes", fmt::format("{} was given, a row takes {}", row_bytes, row));
  if (row_bytes % bytes != 0)
    refuse("row_bytes",
           fmt::format("{} was given; rows of {} start at multiples of {} bytes", row_bytes, to_string(type), bytes));
  if (reinterpret_cast<std::uintptr_t>(rows.data) % bytes != 0)
    refuse("data",
           fmt::format("lies at {}; elements of {} lie at multiples of {} bytes", rows.data, to_string(type), bytes));
  return {rows.data, type, rows.rows, rows.columns, row_bytes};
}

}  // namespace

proxel_status proxel_index_create(proxel_device* device, const proxel_matrix* rows, const proxel_index_options* options,
                                  proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const proxel_index_options given = read_struct(options, "options");
    const auto& on = handled(device, "device").device;
    *index = make_handle<proxel_index>(
        on, on,
        Index(*on, matrix_of(rows, "rows"), options_of(given), progress_of(given.progress, given.progress_user)));
  });
}

proxel_status proxel_index_create_stored(proxel_device* device, const proxel_stored_rows* rows,
                                         const proxel_index_options* options, proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const proxel_index_options given = read_struct(options, "options");
    const ElementsView elements = elements_of(rows);
    const auto& on = handled(device, "device").device;
    *index = make_handle<proxel_index>(
        on, on,
        Index(*on, elements, options_of(given, elements.type), progress_of(given.progress, given.progress_user)));
  });
}

proxel_status proxel_index_fits(const proxel_device* device, uint64_t rows, uint64_t dimensions,
                                const proxel_index_options* options, int* fits) {
  return guarded([&] {
    required(fits, "fits");
    *fits =
        Index::fits(*handled(device, "device").device, rows, dimensions, options_of(read_struct(options, "options")));
  });
}

void proxel_index_destroy(proxel_index* index) { destroy(index); }

proxel_status proxel_index_get_info(const proxel_index* index, proxel_index_info* info) {
  return guarded([&] {
    const auto& held = handled(index, "index");
    const Index& own = held.index;
    const std::string_view method = held.report.method.empty() ? to_string(own.method()) : held.report.method;
    write_struct(info,
                 {.struct_size = 0,
                  .rows = own.rows(),
                  .removed_rows = own.removed_rows(),
                  .dimensions = own.dimensions(),
                  .block_rows = own.block_rows(),
                  .method = method.data(),  // of a literal
                  .build_milliseconds = own.build_milliseconds()},
                 "info");
  });
}

proxel_status proxel_index_get_times(proxel_index* index, proxel_times* times) {
  return guarded([&] {
    auto& own = handled(index, "index");
    own.times.tell(own.report, times);
  });
}

proxel_status proxel_index_supports(const proxel_index* index, const char* metric, uint64_t k) {
  return guarded([&] { require(handled(index, "index").index.supports(metric_named(metric), k), "index"); });
}

proxel_status proxel_index_method_for(const proxel_index* index, const char* metric, uint64_t k, uint32_t queries,
                                      const char** method) {
  return guarded([&] {
    required(method, "method");
    const Index& own = handled(index, "index").index;
    *method = to_string(own.method(metric_named(metric), k, queries)).data();  // of a literal
  });
}

proxel_status proxel_index_add(proxel_index* index, const proxel_matrix* rows, proxel_progress progress,
                               void* progress_user, uint64_t* first) {
  return guarded([&] {
    const MatrixView<float> added = matrix_of(rows, "rows");
    tell(first, changing(index).add(added, progress_of(progress, progress_user)));
  });
}

proxel_status proxel_index_remove(proxel_index* index, const uint32_t* rows, uint64_t count, uint64_t* removed) {
  return guarded([&] {
    const auto numbers = numbers_of(rows, count, "rows");
    tell(removed, changing(index).remove(numbers));
  });
}

proxel_status proxel_index_compact(proxel_index* index, proxel_progress progress, void* progress_user,
                                   uint32_t* numbers, uint64_t slots) {
  return guarded([&] {
    const std::uint64_t rows = handled(index, "index").index.rows();
    if (numbers && slots < rows) refuse("slots", fmt::format("{} were given, {} are needed", slots, rows));
    const auto now = changing(index).compact(progress_of(progress, progress_user));
    if (numbers) std::copy(now.begin(), now.end(), numbers);
  });
}
