// proxel: exact similarity search on any GPU, from the command line.

#include <CLI/CLI.hpp>

#include "proxel/error.hpp"
#include "ranks/team.hpp"
#include "tool.hpp"

namespace proxel::tool {
namespace {

constexpr const char* overview = R"(Examples:
  proxel devices
      what this machine can search on
  proxel search --database base.fvecs --queries query.fvecs --metric l2sq --k 10 --output found
      the 10 nearest rows of each query, in found.indices.npy and found.distances.npy
  proxel range --database base.npy --queries query.npy --metric l2 --radius 0.5
      every row within 0.5 of each query
  proxel compare
      every kind of search on every device of this machine, compared to the bit: one table, one
      verdict; with --database over your own data

'proxel COMMAND --help' shows the options and more examples of a command.
'proxel-bench' is the program that times suites of searches.

Exit codes, of every command: 0 success; 1 the answer is no (results differ, a case failed);
)";

// The benchmarks were a command of this program: whoever calls it is told what to call instead.
void add_moved_bench(CLI::App& app, Context& context) {
  CLI::App* moved = app.add_subcommand("bench")->group("")->prefix_command();
  moved->set_help_flag();
  moved->callback([&context, moved] {
    std::string call = "proxel-bench";
    for (const std::string& word : moved->remaining()) call += " " + word;
    context.action = [call]() -> int {
      throw Error(ErrorCode::invalid_argument, "command line", "'bench' is a program of its own: " + call);
    };
  });
}

void add_commands(CLI::App& app, Context& context) {
  app.require_subcommand(1);
  app.footer(std::string(overview) + failing_exit_codes);
  for (const auto add :
       {devices_command::add, search_command::add, graph_command::add, range_command::add, groundtruth_command::add,
        words_command::add, signatures_command::add, photos_command::add, documents_command::add, compare_command::add,
        accuracy_command::add, conformance_command::add, data_command::add, add_moved_bench})
    add(app, context);
}

}  // namespace
}  // namespace proxel::tool

int main(int count, char** words) {
  const int code = proxel::tool::run_program(
      {"proxel", "exact similarity search on any GPU", proxel::tool::add_commands}, count, words);
  return proxel::tool::leave_team(code);
}
