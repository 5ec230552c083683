#include "choices.hpp"

#include <algorithm>
#include <iterator>

namespace engine {
namespace {

// The value behind that one; the first behind the last, and behind one that is not offered.
template <std::size_t count>
void take_next(const std::uint32_t (&offered)[count], std::uint32_t& value) {
  const auto found = std::find(std::begin(offered), std::end(offered), value);
  value = offered[found == std::end(offered) ? 0 : static_cast<std::size_t>(found - offered + 1) % count];
}

constexpr Key known[] = {
    {'n', "points", [](Choices& choices) { take_next(offered_points, choices.shape.points); }},
    {'d', "dimensions", [](Choices& choices) { take_next(offered_dimensions, choices.shape.dimensions); }},
    {'k', "neighbours", [](Choices& choices) { take_next(offered_neighbours, choices.shape.neighbours); }},
    {'a', "asking", [](Choices& choices) { take_next(offered_asking, choices.shape.asking); }},
    {'m', "method",
     [](Choices& choices) {
  choices.shape.method = choices.shape.method == Method::boxes ? Method::scan : Method::boxes;
}},
    {'c', "clusters", [](Choices& choices) { choices.shape.reach = choices.shape.reach > 0 ? 0 : offered_reach; }},
    {'o', "layout", [](Choices& choices) { choices.shape.layout = !choices.shape.layout; }},
    {'p', "pause", [](Choices& choices) { choices.still = !choices.still; }},
    {'l', "lines", [](Choices& choices) { choices.lines = !choices.lines; }},
    {'i', "inside", [](Choices& choices) { choices.within = !choices.within; }},
    {'h', "hide", [](Choices& choices) { choices.shown = !choices.shown; }},
};

}  // namespace

std::span<const Key> keys() { return known; }

void press(std::uint32_t letter, Choices& choices) {
  for (const Key& key : known)
    if (static_cast<std::uint32_t>(key.letter) == letter) key.press(choices);
}

}  // namespace engine
