#include "passes/decoded_distance.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/decode_keys.h"

namespace proxel {

Pass passes::make_decode_keys(const DecodeKeysParameters& parameters) {
  const std::uint32_t groups = strided_groups(divide_up(parameters.count, common_workgroup));
  return make_pass(decode_keys, parameters, {}, {groups, 1, 1}, common_workgroup);
}

PROXEL_PASS(decode_keys)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<DecodeKeysParameters>();
  const bool largest = parameters.largest_first != 0;
  for (std::uint64_t i = 0; i < parameters.count; ++i) {
    const std::uint64_t key = at<const std::uint64_t>(parameters.keys)[i];
    at<std::uint32_t>(parameters.indices)[i] = index_of(key);
    at<float>(parameters.distances)[i] = decoded_distance(key, largest, parameters.finish);
  }
}

}  // namespace proxel
