#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/fill_words.h"

namespace proxel {

Pass passes::make_fill_words(const FillWordsParameters& parameters) {
  return make_pass(fill_words, parameters, {},
                   {strided_groups(divide_up(parameters.words, 4 * common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(fill_words)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<FillWordsParameters>();
  std::fill_n(at<std::uint32_t>(parameters.to), parameters.words, parameters.word);
}

}  // namespace proxel
