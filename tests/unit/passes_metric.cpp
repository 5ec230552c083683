#include <doctest/doctest.h>

#include <string>

#include "proxel/error.hpp"
#include "proxel/metric.hpp"

using namespace proxel;

TEST_CASE("metrics have names that lead back to them") {
  for (const Metric metric : all_metrics) CHECK(metric_from_string(to_string(metric)) == metric);
  CHECK(to_string(Metric::l2sq) == "l2sq");
  try {
    metric_from_string("manhattan");
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(std::string(error.what()) ==
          "metric: 'manhattan' was given; l1, l2sq, l2, linf, ip, cosine, pearson are allowed");
  }
}
