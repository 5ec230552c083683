#include <algorithm>

#include <fmt/format.h>

#include "c_api/answer.hpp"
#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "c_api/structs.hpp"
#include "proxel/components.hpp"

using namespace proxel;
using namespace proxel::c_api;

proxel_status proxel_graph_components(proxel_device* device, const proxel_answer* graph,
                                      const proxel_components_options* options, uint32_t* components, uint64_t rows,
                                      uint64_t* count) {
  return guarded([&] {
    Device& on = *handled(device, "device").device;
    const Answer& answer = handled(graph, "graph");
    const Neighbors& nearest = answer.nearest("graph");
    const auto given = read_struct(options, "options");
    ComponentsOptions with;
    with.metric = answer.metric();
    if (is_set(given.limited, "limited")) with.limit = static_cast<float>(given.limit);
    with.mutual = is_set(given.mutual, "mutual");
    required(components, "components");
    if (rows < nearest.indices.rows())
      refuse("rows", fmt::format("{} were given, the graph has {}", rows, nearest.indices.rows()));
    const Components found = connected_components(on, nearest, with);
    std::ranges::copy(found.of_rows, components);
    if (count) *count = found.count;
  });
}
