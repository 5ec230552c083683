// What searches found: read, copied, merged.
#include "c_api/answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "proxel/graph.hpp"
#include "proxel/merge.hpp"
#include "search/check.hpp"
#include "session/room.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

std::vector<proxel_rung> rungs_of(const std::vector<RungCount>& rungs) {
  std::vector<proxel_rung> told;
  for (const RungCount& rung : rungs) told.push_back({rung.rung.c_str(), rung.queries});
  return told;
}

Answer::Answer(Found found, std::optional<Metric> searched_by, bool ordered)
    : found_(std::move(found)),
      searched_by_(searched_by),
      ordered_(ordered || accumulated(metric()) == metric()),
      rungs_(rungs_of(how().rungs)) {
  for (const PassTime& pass : how().times.passes)
    passes_.push_back({pass.name.c_str(), pass.label.c_str(), pass.milliseconds});
  for (const DeviceShare& device : how().devices) devices_.push_back({device.blocks, device.milliseconds});
}

const SearchReport& Answer::how() const {
  return std::visit([](const auto& found) -> const SearchReport& { return found.report; }, found_);
}

proxel_answer_view Answer::view() const {
  proxel_answer_view view{};
  if (const auto* nearest = std::get_if<Neighbors>(&found_)) {
    view.queries = nearest->indices.rows();
    view.columns = nearest->indices.columns();
    view.indices = nearest->indices.data();
    view.distances = nearest->distances.data();
  } else if (const auto* within = std::get_if<RangeNeighbors>(&found_)) {
    view.queries = within->offsets.size() - 1;
    view.offsets = within->offsets.data();
    view.indices = within->indices.data();
    view.distances = within->distances.data();
  } else {
    const Matrix<float>& all = std::get<Distances>(found_).values;
    view.queries = all.rows();
    view.columns = all.columns();
    view.distances = all.data();
  }
  if (searched_by_) view.metric = name_of(*searched_by_);
  view.ordered = ordered_;
  return view;
}

proxel_report Answer::report() const {
  const SearchReport& from = how();
  return {.struct_size = 0,
          .method = from.method.empty() ? nullptr : from.method.data(),  // of a literal
          .compared = from.compared,
          .evaluated = from.evaluated,
          .upload_milliseconds = from.times.upload_milliseconds,
          .compute_milliseconds = from.times.compute_milliseconds,
          .readback_milliseconds = from.times.readback_milliseconds,
          .total_milliseconds = from.times.total_milliseconds,
          .pass_count = passes_.size(),
          .passes = passes_.data(),
          .rung_count = rungs_.size(),
          .rungs = rungs_.data(),
          .device_count = devices_.size(),
          .devices = devices_.data()};
}

const Neighbors& Answer::nearest(const char* argument) const {
  const auto* nearest = std::get_if<Neighbors>(&found_);
  if (!nearest) refuse(argument, "is not an answer of the nearest");
  return *nearest;
}

const Neighbors& Answer::ordered(const char* argument) const {
  if (!ordered_)
    refuse(argument, fmt::format("is an answer by {} that was not searched for with ordered = 1", name_of(metric())));
  return nearest(argument);
}

}  // namespace proxel::c_api

namespace {

// How many elements indices and distances have.
std::uint64_t elements_of(const proxel_answer_view& view) {
  return view.offsets ? view.offsets[view.queries] : view.queries * view.columns;
}

void give(proxel_answer** to, Neighbors found, std::optional<Metric> searched_by, bool ordered) {
  *to = make_lone_handle<proxel_answer>(std::move(found), searched_by, ordered);
}

}  // namespace

proxel_status proxel_answer_get(const proxel_answer* answer, proxel_answer_view* view) {
  return guarded([&] { write_struct(view, handled(answer, "answer").view(), "view"); });
}

proxel_status proxel_answer_get_report(const proxel_answer* answer, proxel_report* report) {
  return guarded([&] { write_struct(report, handled(answer, "answer").report(), "report"); });
}

proxel_status proxel_answer_copy(const proxel_answer* answer, uint32_t* indices, float* distances, uint64_t slots) {
  return guarded([&] {
    const Answer& own = handled(answer, "answer");
    const proxel_answer_view from = own.view();
    const std::uint64_t count = elements_of(from);
    if (slots < count) refuse("slots", fmt::format("{} were given, {} are needed", slots, count));
    if (indices && own.has_all()) refuse("indices", "was given; all distances have none");
    if (indices) std::copy_n(from.indices, count, indices);
    if (distances) std::copy_n(from.distances, count, distances);
  });
}

proxel_status proxel_answer_create(const proxel_answer_view* view, proxel_answer** answer) {
  return guarded([&] {
    required(answer, "answer");
    const proxel_answer_view from = read_required(view, "view");
    if (from.offsets) refuse("offsets", "were given; an answer of the nearest has none");
    const Metric metric = metric_named(from.metric);
    const bool ordered = is_set(from.ordered, "ordered");
    search::require_range("columns", from.columns, 1, search::most_k);
    Neighbors found = session::neighbors_room(from.queries, from.columns);
    if (from.queries != 0) {
      std::copy_n(&required(from.indices, "indices"), elements_of(from), found.indices.data());
      std::copy_n(&required(from.distances, "distances"), elements_of(from), found.distances.data());
    }
    give(answer, std::move(found), metric, ordered);
  });
}

void proxel_answer_destroy(proxel_answer* answer) { destroy(answer); }

proxel_status proxel_merge(const proxel_part* parts, uint64_t count, uint64_t k, proxel_answer** answer) {
  return guarded([&] {
    required(answer, "answer");
    if (count == 0) refuse("parts", "has none; at least one is needed");
    require_given(parts, "parts");
    search::require_range("k", k, 1, search::most_k);
    std::vector<PartialAnswer> merged;
    const Answer& first = handled(parts[0].answer, "parts");
    for (std::uint64_t i = 0; i < count; ++i) {
      const Answer& part = handled(parts[i].answer, "parts");
      if (part.metric() != first.metric())
        refuse("parts", fmt::format("part {} was searched by {}, part 0 by {}", i, name_of(part.metric()),
                                    name_of(first.metric())));
      merged.push_back({part.ordered("parts"), parts[i].first_index});
    }
    give(answer, merge(merged, k, first.metric()), first.searched_by(), true);
  });
}

proxel_status proxel_finish(const proxel_answer* ordered, proxel_answer** answer) {
  return guarded([&] {
    required(answer, "answer");
    const Answer& given = handled(ordered, "ordered");
    Neighbors found = given.ordered("ordered");
    finish(found, given.metric());
    give(answer, std::move(found), given.searched_by(), false);
  });
}

proxel_status proxel_write_graph_npz(const char* path, const proxel_answer* graph, uint64_t columns) {
  return guarded([&] {
    const std::string file = text_of(path, "path");
    write_npz(file, to_csr(handled(graph, "graph").nearest("graph"), columns));
  });
}
