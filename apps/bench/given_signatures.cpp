#include "bench/given_signatures.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/error.hpp"
#include "proxel/signature_file.hpp"
#include "seeded.hpp"

namespace proxel::tool {

SignatureData read_given_signatures(const BenchOptions& options, std::uint64_t queries, Recorder& recorder) {
  const Signatures all = read_signature_file(options.data).signatures;
  const std::uint64_t size = std::min(all.size(), options.largest_rows);
  if (size < 10)
    throw Error(ErrorCode::invalid_argument, "--data",
                fmt::format("{} has {} signatures; at least 10 are needed", options.data, size));
  const std::uint64_t held_out = std::min(queries, size / 2);
  const std::vector<std::uint64_t> order = shuffled(all.size(), options.seed);
  SignatureData read{Signatures(all.dimensions()), Signatures(all.dimensions())};
  for (std::uint64_t i = 0; i < size; ++i)
    (i < held_out ? read.queries : read.database).add(all.centroids(order[i]), all.weights(order[i]));
  recorder.note(
      fmt::format("Data: {}, n = {} signatures of {} dimensions, {} centroids at most; {} others, which seed {} chose, "
                  "are queries.",
                  options.data, with_separators(read.database.size()), all.dimensions(), read.database.longest(),
                  held_out, options.seed));
  return read;
}

}  // namespace proxel::tool
