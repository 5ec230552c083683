#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace proxel::tool {

/// What scripts can rely on, of every command.
enum ExitCode : int {
  exit_success = 0,
  exit_answer_is_no = 1,      ///< results differ, a conformance case failed
  exit_bad_input = 2,         ///< wrong usage, a missing or malformed file
  exit_device_failure = 3,    ///< no such device, lost, out of memory, driver error
  exit_cannot_write = 4,      ///< the system refused to write an output: full disk, read-only folder
  exit_interrupted = 130,     ///< SIGINT, Ctrl-C
  exit_terminated = 143,      ///< SIGTERM
};

/// What every subcommand is given.
struct Context {
  bool json = false;         ///< machine output on stdout, and nothing else there
  std::string command_line;  ///< as it was typed, quoted for a shell
  std::function<int()> action;  ///< set by the subcommand that was chosen; returns an ExitCode
};

/// Each adds one subcommand with its options, help and action.
void add_devices(CLI::App& app, Context& context);
void add_search(CLI::App& app, Context& context);
void add_graph(CLI::App& app, Context& context);
void add_range(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_words(CLI::App& app, Context& context);
void add_signatures(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_accuracy(CLI::App& app, Context& context);
void add_conformance(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);

/// Adds its part of the subcommand `signatures`.
void add_signature_search(CLI::App& signatures, Context& context);

/// A subcommand with the options that all of them share.
CLI::App* make_command(CLI::App& app, Context& context, const std::string& name,
                       const std::string& description, const std::string& examples);

}  // namespace proxel::tool
