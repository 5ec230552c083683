#pragma once

#include <string>

#include "compare/comparison.hpp"
#include "images/image.hpp"

namespace demo {

/// The parts of a search's time that bars are made of.
struct Parts {
  double upload = 0, compute = 0, readback = 0;
  double sum() const { return upload + compute + readback; }
};
Parts parts_of(const proxel::tool::Measured& measured);

/// What the parts are, one sentence.
inline constexpr const char* parts_method =
    "Upload of the queries and read-back of the answers by the host's clock; compute by the device's own timestamps "
    "where it "
    "has them. Medians of repeated searches behind one that is not counted.";

/// Bars as a picture to be kept, with what was compared and the verdict.
proxel::images::Image draw_chart(const proxel::tool::Comparison& comparison);

/// The table, a line per row, commas between.
std::string to_csv(const proxel::tool::Table& table);

/// Writes a file. Throws proxel::Error that names it.
void write_file(const std::string& path, const void* bytes, std::size_t count);

}  // namespace demo
