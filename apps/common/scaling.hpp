#pragma once

#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::tool {

/// What becomes of the columns before they are compared.
enum class Scale {
  none,
  minmax,    ///< every column to [0, 1] by its smallest and largest value
  standard,  ///< every column to mean 0 and standard deviation 1 (of the population)
};

/// A map of the columns that was fitted to one matrix and is applied to others as well.
/// Values that are not finite do not count; a column of one value becomes 0.
class Scaling {
 public:
  Scaling(const Matrix<float>& fitted_to, Scale scale);
  /// Computed in binary64 and rounded once.
  void apply(Matrix<float>& matrix) const;

 private:
  std::vector<double> origin_, unit_;  // of each column; a unit of 0 makes it 0
};

/// "Every dimension was mapped to …", for a note; empty for none.
std::string_view describe(Scale scale);

}  // namespace proxel::tool
