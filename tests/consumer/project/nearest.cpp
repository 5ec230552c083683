// A program of someone else's that links proxel: the nearest of three points, and an error that
// comes from inside the library.
#include <cstdio>

#include <proxel/index.hpp>

namespace {

bool error_is_caught() {
  try {
    proxel::open_device("no such device");
  } catch (const proxel::Error& error) {
    return error.code() == proxel::ErrorCode::not_found;
  }
  return false;
}

}  // namespace

int main() {
  const float points[] = {0, 0, 3, 4, 10, 10};
  const float query[] = {3, 3};
  const auto device = proxel::open_device("cpu");
  proxel::Index index(*device, proxel::MatrixView<float>(points, 3, 2));
  const proxel::Neighbors found = index.search(proxel::MatrixView<float>(query, 1, 2), 2, proxel::Metric::l1);
  std::printf("nearest is row %u at distance %g\n", found.indices(0, 0), static_cast<double>(found.distances(0, 0)));
  return found.indices(0, 0) == 1 && found.distances(0, 0) == 1.0f && error_is_caught() ? 0 : 1;
}
