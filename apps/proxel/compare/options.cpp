#include "compare/options.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compare/kinds.hpp"
#include "devices.hpp"
#include "finite.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "searched_devices.hpp"

namespace proxel::tool {
namespace {

constexpr const char* vectors_group = "Vectors";
constexpr const char* held_out_group = "Held-out rows";
constexpr const char* within_group = "Within a radius";
constexpr const char* graph_group = "Graph";
constexpr const char* words_group = "Words";
constexpr const char* signatures_group = "Signatures";

void add_what(CLI::App& command, CompareOptions& options) {
  std::vector<std::string> names = {"all"};
  std::string help = "What is searched, and how; may be repeated:";
  for (const CompareKind& kind : compare_kinds()) {
    names.emplace_back(kind.name);
    help += fmt::format(" {} ({}),", kind.name, kind.about);
  }
  command
      .add_option("--what", options.what,
                  help +
                      " or all of them that the file serves. By default the k nearest of what the file holds, "
                      "and all without a file")
      ->delimiter(',')
      ->check(CLI::IsMember(names))
      ->type_name("KIND");
}

void add_subjects(CLI::App& command, CompareOptions& options) {
  command
      .add_option("--device", options.devices,
                  std::string(device_help) +
                      "; several joined by + search together: cpu+vulkan:0; may be repeated (default: every usable "
                      "one)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID");
  add_division_options(command, options.dividing.divide, options.dividing.shares);
  std::vector<std::string> methods = method_names();
  methods.insert(methods.end(), {"canonical", "screened", "filtered", "exact", "permutation"});
  command
      .add_option("--method", options.methods,
                  "Of vectors and graphs auto, or any other of search's methods (default: scan, texel), of signatures "
                  "auto, canonical, screened or filtered (default: canonical, screened); may be repeated")
      ->delimiter(',')
      ->check(CLI::IsMember(methods))
      ->type_name("NAME");
  command
      .add_option("--reference", options.reference,
                  "Device whose scan, or what stands for it, the answers are compared with; auto is "
                  "cpu:reference for small work and cpu otherwise")
      ->type_name("ID")
      ->capture_default_str();
}

void add_effort(CLI::App& command, CompareOptions& options) {
  command.add_option("--repeats", options.repeats, "Timed searches per device and method")
      ->check(CLI::Range(1, 10000))
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--time-limit", options.time_limit, "Begin no further repeat after this many seconds")
      ->check(CLI::Range(0.0, 86400.0))
      ->check(finite())
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_option("--report", options.report, "Write a self-contained page with plots")->type_name("FILE.html");
  add_force_option(command, options.force);
  command.add_flag("--trace", options.trace, "Print every pass with its device time");
}

void add_kinds_own(CLI::App& command, CompareOptions& options) {
  command
      .add_option("--radius", options.radius,
                  "Largest distance that counts as within, for ip the smallest (default: one within which half of "
                  "the queries have k)")
      ->group(within_group)
      ->type_name("DISTANCE");
  command
      .add_option_function<std::string>(
          "--self", [&options](const std::string& name) { options.exclude_self = name == "exclude"; },
          "Whether a row may be among its own neighbours")
      ->check(CLI::IsMember({"exclude", "keep"}))
      ->group(graph_group)
      ->default_str("exclude");
  command
      .add_option_function<std::string>(
          "--distance", [&options](const std::string& name) { options.distance = string_distance_from_string(name); },
          "levenshtein or hamming, as of 'proxel words'")
      ->check(CLI::IsMember({"levenshtein", "hamming"}))
      ->group(words_group)
      ->type_name("NAME")
      ->default_str("levenshtein");
  command.add_flag("--bytes", options.bytes, "Compare bytes instead of the code points of UTF-8")->group(words_group);
  command
      .add_option_function<std::string>("--similarity",
                                        [&options](const std::string& name) {
    options.similarity.kind = similarity_from_string(name);
  }, "Of two centroids, as of 'proxel signatures search': gaussian, heuristic or minus")
      ->check(CLI::IsMember({"gaussian", "heuristic", "minus"}))
      ->group(signatures_group)
      ->type_name("NAME")
      ->default_str("gaussian");
  command.add_option("--alpha", options.similarity.alpha, "Of the similarity")
      ->check(positive_number())
      ->group(signatures_group)
      ->type_name("VALUE")
      ->capture_default_str();
}

}  // namespace

void add_compare_options(CLI::App& command, CompareOptions& options) {
  add_what(command, options);
  add_search_options(command, options, false);
  command.get_option("--database")
      ->required(false)
      ->description(fmt::format("What is searched: words, a line each; a file of signatures; or rows: {}. Without a "
                                "file it is made",
                                row_formats));
  command.get_option("--metric")->group(vectors_group);
  add_subjects(command, options);
  command.add_flag("--raw", options.raw, raw_help)->group(vectors_group);
  add_effort(command, options);
  command
      .add_option("--query-count", options.query_count,
                  "Queries that are made, or taken from words or signatures for which --queries names no file")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--hold-out", options.hold_out, "Shuffle the database and hold this many rows out as queries")
      ->group(held_out_group)
      ->type_name("COUNT");
  add_kinds_own(command, options);
  add_permutation_options(command, options.permutation, "words or rows");
  command.get_option("--seed")
      ->description("Of the shuffle of rows, of what is made and of the choice of permutants")
      ->group(command.get_option("--query-count")->get_group());
}

void check_given_options(const CLI::App& command, const std::vector<std::string>& uses) {
  static const std::vector<std::pair<std::string, std::string>> use_of = {{vectors_group, "vectors"},
                                                                          {held_out_group, "vectors"},
                                                                          {"Rows", "vectors"},
                                                                          {"Reading files", "vectors"},
                                                                          {"How the search runs", "vectors"},
                                                                          {within_group, "range"},
                                                                          {graph_group, "graph"},
                                                                          {words_group, "words"},
                                                                          {signatures_group, "signatures"},
                                                                          {permutation_group, "permutations"}};
  for (const CLI::Option* option : command.get_options())
    for (const auto& [group, use] : use_of)
      if (option->count() != 0 && option->get_group() == group &&
          std::find(uses.begin(), uses.end(), use) == uses.end())
        throw Error(ErrorCode::invalid_argument, option->get_name(),
                    fmt::format("is for {}; what is compared is {}", use, fmt::join(uses, ", ")));
}

}  // namespace proxel::tool
