// A program of someone else's that links proxel: the nearest of three points.
#include <cstdio>

#include <proxel/index.hpp>

int main() {
  const float points[] = {0, 0, 3, 4, 10, 10};
  const float query[] = {3, 3};
  const auto device = proxel::open_device("cpu");
  proxel::Index index(*device, proxel::MatrixView<float>(points, 3, 2));
  const proxel::Neighbors found =
      index.search(proxel::MatrixView<float>(query, 1, 2), 2, proxel::Metric::l1);
  std::printf("nearest is row %u at distance %g\n", found.indices(0, 0),
              static_cast<double>(found.distances(0, 0)));
  return found.indices(0, 0) == 1 && found.distances(0, 0) == 1.0f ? 0 : 1;
}
