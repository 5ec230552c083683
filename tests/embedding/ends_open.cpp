// A program that ends without closing its devices: of a Vulkan device and of an index, one is
// never destroyed and one is a static object. Layers and drivers have static objects of their own.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "proxel/index.hpp"

namespace {

// Searches once, on a device of its own.
struct Searcher {
  std::unique_ptr<proxel::Device> device = proxel::open_device("vulkan");
  proxel::Matrix<float> rows{300, 5};
  std::unique_ptr<proxel::Index> index;

  Searcher() {
    for (std::uint64_t i = 0; i < 300 * 5; ++i) rows.data()[i] = static_cast<float>(i % 17);
    index = std::make_unique<proxel::Index>(*device, rows.view());
    const proxel::Neighbors found = index->search(rows.view().slice(7, 1), 1, proxel::Metric::l2sq);
    if (found.distances.data()[0] != 0) std::exit(2);
  }
};

Searcher* never_destroyed = nullptr;

}  // namespace

int main() {
  never_destroyed = new Searcher;
  static Searcher among_static_objects;
  std::puts("ends");
}
