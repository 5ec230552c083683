// The engine without Dear ImGui: the picture alone.
#include "interface.hpp"

namespace engine {

std::unique_ptr<Interface> make_interface(Gpu&, const gpu::Target&, Window*) { return nullptr; }

}  // namespace engine
