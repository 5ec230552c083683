#include <algorithm>
#include <cmath>

#include "passes/memory.hpp"
#include "proxel/passes/texel_accumulate.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

void fill(cpu::HostTexture& texture, Temper temper, std::uint32_t seed) {
  const std::uint64_t count = std::uint64_t{4} * texture.width() * texture.height() * texture.layers();
  const auto values = make_values(count, 1, temper, seed);
  std::copy_n(values.data(), count, at<float>(texture.address()));
}

std::vector<float> contents(const cpu::HostTexture& texture) {
  const float* first = at<float>(texture.address());
  return {first, first + std::uint64_t{4} * texture.width() * texture.height() * texture.layers()};
}

// Equal bits, except that NaNs count as equal: which of two NaNs an addition
// passes on is the processor's affair.
bool same(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isnan(a[i]) ? !std::isnan(b[i]) : std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("texel_accumulate on all threads is its reference") {
  std::uint32_t turn = 0;
  for (const std::uint32_t width : {1u, 2u, 5u, 16u, 33u, 64u})
    for (const std::uint32_t height : {1u, 3u, 40u})
      for (const std::uint32_t t : {1u, 2u, 5u, 16u})
        for (const Metric metric : accumulated_metrics) {
          CAPTURE(width);
          CAPTURE(height);
          CAPTURE(t);
          CAPTURE(to_string(metric));
          ++turn;
          const std::uint32_t queries = 1 + turn % 5;
          const std::uint32_t wider = turn % 3 == 0 ? 3 : 0;  // texR of a larger block
          const Temper temper = all_tempers[turn % 3];
          cpu::HostTexture coordinates(width, height, t + 2, TexelFormat::rgba32_float);
          cpu::HostTexture sums(width + wider, height + wider, queries, TexelFormat::rgba32_float);
          fill(coordinates, temper, turn);
          fill(sums, temper, turn + 1);
          const auto query_values = make_values(queries, t + 4, temper, turn + 2);
          TexelAccumulateParameters accumulate{};
          accumulate.queries = address_of(query_values.data());
          accumulate.dimensions = t + 4;
          accumulate.first_dimension = 3;
          accumulate.first_layer = 2;
          accumulate.width = width;
          accumulate.height = height;
          accumulate.first = turn % 2;
          const Pass pass = make_texel_accumulate(accumulate, metric, t, queries, coordinates, sums);
          const std::vector<float> before = contents(sums);
          reference::run(pass);
          const std::vector<float> expected = contents(sums);
          run_fast(pass, [&] { std::copy(before.begin(), before.end(), at<float>(sums.address())); },
                   [&] { CHECK(same(contents(sums), expected)); });
        }
}
