#include "program.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "given_values.hpp"
#include "interrupt.hpp"
#include "lost_file.hpp"
#include "progress_bar.hpp"
#include "proxel/device.hpp"
#include "proxel/version.h"
#include "suggestions.hpp"

namespace proxel::tool {
namespace {

void keep_pipelines_between_runs() {
  std::filesystem::path directory;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    directory = cache;
  else if (const char* home = std::getenv("HOME"); home && *home)
    directory = std::filesystem::path(home) / ".cache";
  if (!directory.empty()) set_pipeline_cache_directory((directory / "proxel").string());
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
    case ErrorCode::not_found:
    case ErrorCode::malformed_file:
    case ErrorCode::input_output:
      return exit_bad_input;
    case ErrorCode::out_of_memory:
    case ErrorCode::device_lost:
    case ErrorCode::backend_failure:
      return exit_device_failure;
  }
  return exit_device_failure;
}

// Before any file is opened. A stream that was closed must not be taken by the next file that is opened. What is
// opened here cannot be written, so that printing fails as it did.
void hold_standard_streams() {
  // A file that grows past a limit is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// "proxel data info", as far as the command line has named one.
std::string named_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return app.get_name() + (chosen.empty() ? "" : " " + named_command(*chosen.front()));
}

// They are pasted; later CLI11s (2.6) would break and join them as prose. Those before have nothing to say it with.
template <typename Formatter>
void keep_lines_of_examples(Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); }) formatter.enable_footer_formatting(false);
}

// The chosen command's exit code. Usage that is wrong has been told of.
int parse_and_act(const Program& program, Context& context, int count, char** words) {
  CLI::App app(program.name + ": " + program.about, program.name);
  app.set_version_flag("--version", program.name + " " PROXEL_VERSION_STRING);
  app.get_formatter()->column_width(36);
  keep_lines_of_examples(*app.get_formatter());
  program.add(app, context);
  try {
    app.parse(count, words);
    check_given_values(app);
    check_given_lists(app, count, words);
  } catch (const CLI::Success& help) {
    std::ostringstream out;
    app.exit(help, out, out);
    std::fputs(out.str().c_str(), stdout);
    return exit_success;
  } catch (const CLI::ParseError& error) {
    report_error(context.json, "usage", "command line", unknown_word(app, count, words).value_or(error.what()));
    if (!context.json) print_to_stderr(fmt::format("'{} --help' shows what is possible\n", named_command(app)));
    return exit_bad_input;
  }
  context.options = OptionNames(app);
  return context.action();
}

void report(const Program& program, const Context& context, const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    const bool of_file = known->code() == ErrorCode::not_found || known->code() == ErrorCode::malformed_file ||
                         known->code() == ErrorCode::input_output;
    // The library names its parameters, and files by their paths; users know their options.
    if (of_file) return report_error(context.json, to_string(known->code()), known->subject(), reason(*known));
    return report_error(context.json, to_string(known->code()), context.options.option_of(known->subject()),
                        context.options.translated(reason(*known)));
  }
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return report_error(context.json, "out_of_memory", "host", "not enough memory");
  // fmt's way to say that stdout is full or closed.
  if (std::ferror(stdout)) return report_error(context.json, "input_output", "standard output", error.what());
  report_error(context.json, "internal", program.name, error.what());
}

// What an exception means, which is the one that is being handled.
int exit_code_of_exception(const Program& program, const Context& context) {
  try {
    // Whatever else fails once the user wants an end is no failure.
    throw_if_interrupted();
    throw;
  } catch (const Interrupted&) {
    if (tells_of_interrupt()) report_error(context.json, "interrupted", program.name, "interrupted");
    return interrupted_exit_code();
  } catch (const std::exception& error) {
    report(program, context, error);
    return exit_code_of(error);
  }
}

// The exit code of what the program does, of which the user has been told.
int told_outcome(const Program& program, Context& context, int count, char** words) {
  try {
    const std::string_view what = "interrupted";
    say_when_interrupted(context.json ? error_object(what, program.name, what) : "",
                         fmt::format("{}{}: error: {}\n", stderr_is_terminal() ? "\r\033[K" : "", program.name, what));
    keep_pipelines_between_runs();
    context.command_line = shell_command(count, words);
    const int code = parse_and_act(program, context, count, words);
    // A full disk or a closed pipe must not look like success.
    flush_stdout();
    return code;
  } catch (...) {
    return exit_code_of_exception(program, context);
  }
}

}  // namespace

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const CannotWrite*>(&error)) return exit_cannot_write;
  if (dynamic_cast<const DeviceUnavailable*>(&error)) return exit_device_failure;
  if (const auto* known = dynamic_cast<const Error*>(&error)) return exit_code(known->code());
  if (dynamic_cast<const std::bad_alloc*>(&error)) return exit_device_failure;
  return std::ferror(stdout) ? exit_cannot_write : exit_device_failure;
}

int run_program(const Program& program, int count, char** words) {
  hold_standard_streams();
  name_lost_files(program.name);
  watch_for_interrupt();
  set_program_name(program.name);
  Context context;
  // Needed before the options are parsed: they may be what is wrong.
  for (int position = 1; position < count; ++position)
    if (std::string_view(words[position]) == "--json") context.json = true;
  const int code = told_outcome(program, context, count, words);
  // The user knows by now how it ended. A signal that comes later tells nothing new: mpirun sends one to every process when another
  // has failed.
  say_when_interrupted("", "");
  return code;
}

CLI::App* make_command(CLI::App& app, Context& context, const std::string& name, const std::string& description,
                       const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(examples);
  add_common_options(*command, context);
  return command;
}

void add_common_options(CLI::App& command, Context& context) {
  command.add_flag("--json", context.json, "Print one JSON document on stdout and nothing else");
  const auto flag = [&](const char* spelled, bool wanted, const char* help) {
    return command.add_flag_callback(spelled, [wanted] { want_progress(wanted); }, help);
  };
  flag("--progress", true, "Tell on stderr what is being done, also where that is no terminal")
      ->excludes(flag("--no-progress", false, "Show no progress bar"));
}

const char* const failing_exit_codes =
    R"(2 bad usage or input; 3 a device or its memory failed; 4 an output cannot be written (full disk,
read-only folder, closed stdout); 130 ended by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP. Outputs are there whole or not at all.)";

}  // namespace proxel::tool
