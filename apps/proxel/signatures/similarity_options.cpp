#include "signatures/similarity_options.hpp"

#include <CLI/CLI.hpp>

#include "number_checks.hpp"

namespace proxel::tool {

void add_similarity_options(CLI::App& command, SignatureIndexOptions& options) {
  command
      .add_option_function<std::string>("--similarity",
                                        [&options](const std::string& name) {
    options.similarity.kind = similarity_from_string(name);
  }, "Of two centroids: gaussian, heuristic or minus")
      ->check(CLI::IsMember({"gaussian", "heuristic", "minus"}))
      ->type_name("NAME")
      ->default_str("gaussian");
  command
      .add_option("--alpha", options.similarity.alpha,
                  "Of the similarity: the larger, the nearer centroids must be to count as alike")
      ->check(positive_number())
      ->type_name("VALUE")
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--method", [&options](const std::string& name) { options.method = signature_method_from_string(name); },
          "All methods give the same answer to the bit")
      ->check(CLI::IsMember({"auto", "canonical", "screened", "filtered"}))
      ->type_name("NAME")
      ->default_str("auto");
}

}  // namespace proxel::tool
