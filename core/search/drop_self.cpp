#include "search/drop_self.hpp"

#include "proxel/passes/drop_self.h"

namespace proxel::search {

void record_drop_self(Recording& recording, const SearchDescription& answered, const FoundWithSelf& found,
                      const SearchBuffers& answer) {
  passes::DropSelfParameters drop{};
  drop.found_indices = found.indices.address();
  drop.found_distances = found.distances.address();
  drop.self = found.self.address();
  drop.indices = answer.indices.address();
  drop.distances = answer.distances.address();
  drop.counted = answered.counted ? answer.count.address() : 0;
  drop.queries = answered.queries;
  drop.k = static_cast<std::uint32_t>(answered.k);
  recording.record(passes::make_drop_self(drop));
}

}  // namespace proxel::search
