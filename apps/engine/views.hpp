#pragma once

#include "interface.hpp"
#include "look.hpp"

namespace engine {

/// The passes in their order, each with what it waits for and how long it takes.
void draw_graph(const Look& look, const Interface::View& view);
/// What can be chosen, the keys that do it, and the latest times.
void draw_choices(const Look& look, const Interface::View& view, Choices& choices);

}  // namespace engine
