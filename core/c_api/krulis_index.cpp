// Searches of feature signatures on several devices.
#include "proxel/papers/krulis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/signatures.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

struct HeldKrulisIndex {
  std::vector<std::shared_ptr<Device>> devices;
  KrulisIndex index;
  SearchReport report;  // of the latest search
  std::vector<std::uint64_t> blocks;
  std::vector<double> device_milliseconds;

  template <typename Answer>
  Answer keep(Answer answer) {
    report = answer.report;
    return answer;
  }
};

template <>
struct ObjectOf<proxel_krulis_index> : ObjectOfKind<HeldKrulisIndex, HandleKind::krulis_index> {};

}  // namespace proxel::c_api

namespace {

std::uint32_t narrow_or(std::uint64_t given, std::uint32_t usual, const char* argument) {
  if (given > UINT32_MAX) refuse(argument, fmt::format("{} was given, up to {} is allowed", given, UINT32_MAX));
  return given != 0 ? static_cast<std::uint32_t>(given) : usual;
}

KrulisOptions options_of(const proxel_krulis_options& with) {
  KrulisOptions options;
  if (with.alpha != 0) options.alpha = with.alpha;
  if (find_name(with.precision, "precision", {"float", "double"}) == 1) options.precision = SqfdPrecision::float64;
  if (with.filter) options.filter = signature_filter_from_string(with.filter);
  options.pivot_count = narrow_or(with.pivot_count, options.pivot_count, "pivot_count");
  if (with.pivots) options.pivots.assign(with.pivots, with.pivots + with.pivot_count);
  options.seed = limit_or(with.seed, options.seed);
  options.scan_block = with.scan_block;
  options.range_block = narrow_or(with.range_block, options.range_block, "range_block");
  options.knn_block = narrow_or(with.knn_block, options.knn_block, "knn_block");
  options.pending = narrow_or(with.pending, options.pending, "pending");
  return options;
}

}  // namespace

proxel_status proxel_krulis_index_create(proxel_device* const* devices, uint64_t device_count,
                                         const proxel_signatures* signatures, const proxel_krulis_options* options,
                                         proxel_krulis_index** index) {
  return guarded([&] {
    required(index, "index");
    constexpr std::uint64_t most_devices = 64;
    if (device_count == 0 || device_count > most_devices)
      refuse("devices", fmt::format("{} were given, 1 to {} are allowed", device_count, most_devices));
    require_given(devices, "devices");
    std::vector<std::shared_ptr<Device>> held;
    std::vector<Device*> used;
    for (std::uint64_t i = 0; i < device_count; ++i) {
      held.push_back(handled(devices[i], "devices").device);
      used.push_back(held.back().get());
    }
    const Signatures known = signatures_of(signatures, "signatures");
    const proxel_krulis_options given = read_struct(options, "options");
    *index = make_handle<proxel_krulis_index>(
        used, std::move(held),
        KrulisIndex(used, known, options_of(given), progress_of(given.progress, given.progress_user)));
  });
}

void proxel_krulis_index_destroy(proxel_krulis_index* index) { destroy(index); }

proxel_status proxel_krulis_index_get_info(const proxel_krulis_index* index, proxel_krulis_index_info* info) {
  return guarded([&] {
    const KrulisIndex& own = handled(index, "index").index;
    write_struct(info,
                 {.struct_size = 0,
                  .size = own.size(),
                  .dimensions = own.dimensions(),
                  .pivots = own.pivots().data(),
                  .pivot_count = own.pivots().size(),
                  .build_milliseconds = own.build_milliseconds()},
                 "info");
  });
}

proxel_status proxel_krulis_index_get_times(const proxel_krulis_index* index, proxel_krulis_times* times) {
  return guarded([&] {
    auto& own = const_cast<HeldKrulisIndex&>(handled(index, "index"));
    own.blocks.clear();
    own.device_milliseconds.clear();
    for (const DeviceShare& device : own.report.devices) {
      own.blocks.push_back(device.blocks);
      own.device_milliseconds.push_back(device.milliseconds);
    }
    const auto step = [&](std::string_view name) {
      for (const PassTime& pass : own.report.times.passes)
        if (pass.name == name) return pass.milliseconds;
      return 0.0;
    };
    write_struct(times,
                 {.struct_size = 0,
                  .pairs = own.report.compared,
                  .distances = own.report.evaluated,
                  .pivots_milliseconds = step("pivots"),
                  .filter_milliseconds = step("filter"),
                  .wait_milliseconds = step("wait"),
                  .answer_milliseconds = step("answer"),
                  .total_milliseconds = own.report.times.total_milliseconds,
                  .device_count = own.blocks.size(),
                  .blocks = own.blocks.data(),
                  .device_milliseconds = own.device_milliseconds.data()},
                 "times");
  });
}

proxel_status proxel_krulis_index_search(proxel_krulis_index* index, const proxel_signatures* queries, uint64_t k,
                                         proxel_progress progress, void* progress_user, uint32_t* indices,
                                         float* distances, uint64_t slots) {
  return guarded([&] {
    search_signatures(handled(index, "index"), queries, k, progress, progress_user, indices, distances, slots);
  });
}

proxel_status proxel_krulis_index_range_search(proxel_krulis_index* index, const proxel_signatures* queries,
                                               float radius, proxel_progress progress, void* progress_user,
                                               proxel_matches** matches) {
  return guarded([&] {
    required(matches, "matches");
    auto& held = handled(index, "index");
    give(held.keep(
             held.index.range_search(signatures_of(queries, "queries"), radius, progress_of(progress, progress_user))),
         matches);
  });
}

proxel_status proxel_krulis_index_distances(proxel_krulis_index* index, const proxel_signatures* queries,
                                            float* distances, uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    KrulisIndex& own = held.index;
    const Signatures asked = signatures_of(queries, "queries");
    write_distances(asked, own.size(), distances, slots, [&] { return held.keep(own.distances(asked)); });
  });
}
