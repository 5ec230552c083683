#pragma once

#include <exception>
#include <functional>
#include <string>

#include "command_line.hpp"
#include "exit_code.hpp"
#include "option_names.hpp"

namespace proxel::tool {

/// What a program, and every command of it, is given.
struct Context {
  bool json = false;            ///< machine output on stdout, and nothing else there
  std::string command_line;     ///< as it was typed, quoted for a shell
  std::function<int()> action;  ///< set by what was chosen on the command line; returns an ExitCode
  OptionNames options;          ///< of the command that was chosen, once the command line has been read
};

/// A program that is called from the command line.
struct Program {
  std::string name;                              ///< its file's, which messages begin with: "proxel-bench"
  std::string about;                             ///< what it does, for the first line of its help
  void (*add)(CLI::App& app, Context& context);  ///< adds its options or its commands, and its help
};

/// What main() does: reads the command line, acts, tells on stderr what went wrong, and waits for nothing
/// once the user wants an end. Called once, before anything else opens a file or starts a thread.
/// @return an ExitCode
int run_program(const Program& program, int count, char** words);

/// What a program that this exception has ended exits with, an ExitCode. After an error of stdout the exception counts as one of it.
int exit_code_of(const std::exception& error);

/// Adds the options that every command has: --json, --progress and --no-progress.
void add_common_options(CLI::App& command, Context& context);

/// A command of a program that has several, with the options that all of them share.
CLI::App* make_command(CLI::App& app, Context& context, const std::string& name, const std::string& description,
                       const std::string& examples);

/// The exit codes from 2 on, which mean the same of every command, for the end of a program's help.
extern const char* const failing_exit_codes;

}  // namespace proxel::tool
