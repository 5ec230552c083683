#pragma once

#include "bench/papers/exhibit.hpp"
#include "report/report.hpp"
#include "table.hpp"

namespace proxel::tool::papers {

/// A chart for each quantity that is drawn and each of its curves: lines, or bars where x is a category.
void add_charts(Report& report, const Exhibit& exhibit);

/// The rows of a quantity: a line for each curve, a column for each x, the paper's first.
Table pivot(const Exhibit& exhibit, const Quantity& quantity);

}  // namespace proxel::tool::papers
