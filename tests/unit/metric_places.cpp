// A metric is evaluated in three languages. C++ and CUDA do not compile where one is forgotten; GLSL does.
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "proxel/metric.hpp"

using namespace proxel;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("canonical.glsl numbers and evaluates every metric that passes know") {
  const std::string text = text_of(PROXEL_SHADERS "/canonical.glsl");
  for (const Metric metric : accumulated_metrics)
    CHECK(count(text, fmt::format("const uint metric_{} = {}u;", to_string(metric),
                                  static_cast<std::uint32_t>(metric))) == 1);
  CHECK(count(text, "const uint metric_") == accumulated_metrics.size());

  const std::size_t begin = text.find("type canonical_step(");
  const std::size_t end = text.find("type canonical_step_of(");
  REQUIRE(begin < end);
  REQUIRE(end != std::string::npos);
  const std::string step = text.substr(begin, end - begin);
  std::string others;
  for (const Metric metric : accumulated_metrics)
    if (count(step, fmt::format("if (METRIC == metric_{}) {{", to_string(metric))) != 1) others += to_string(metric);
  // What has no branch of its own is evaluated by what stands behind the branches.
  CHECK(others == "ip");
}
