// proxel: exact similarity search on any GPU, from the command line.

#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "proxel/device.hpp"
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
  proxel compare --database base.npy --queries query.npy --report report.html
      the same search on every device: one table, one plot, one verdict

'proxel COMMAND --help' shows the options and more examples of a command.

Exit codes: 0 success; 1 the answer is no (results differ, a case failed);
2 bad usage or input; 3 device or backend failure; 130 interrupted.)";

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
    case ErrorCode::input_output: return exit_bad_input;
    case ErrorCode::out_of_memory:
    case ErrorCode::device_lost:
    case ErrorCode::backend_failure: return exit_device_failure;
  }
  return exit_device_failure;
}

int run(CLI::App& app, Context& context, int count, char** words) {
  // Needed before the options are parsed: they may be what is wrong.
  for (int position = 1; position < count; ++position)
    if (std::string_view(words[position]) == "--json") context.json = true;
  try {
    app.parse(count, words);
    return context.action();
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    report_error(context.json, "usage", "command line", error.what());
    if (!context.json) fmt::print(stderr, "'proxel --help' shows what is possible\n");
    return exit_bad_input;
  } catch (const DeviceUnavailable& error) {
    report_error(context.json, to_string(error.code()), error.subject(), reason(error));
    return exit_device_failure;
  } catch (const Error& error) {
    report_error(context.json, to_string(error.code()), error.subject(), reason(error));
    return exit_code(error.code());
  } catch (const Interrupted&) {
    report_error(context.json, "interrupted", "proxel", "interrupted");
    return exit_interrupted;
  } catch (const std::bad_alloc&) {
    report_error(context.json, "out_of_memory", "host", "not enough memory");
    return exit_device_failure;
  } catch (const std::exception& error) {
    report_error(context.json, "internal", "proxel", error.what());
    return exit_device_failure;
  }
}

}  // namespace

CLI::App* make_command(CLI::App& app, Context& context, const std::string& name,
                       const std::string& description, const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(examples);
  command->add_flag("--json", context.json, "Print one JSON document on stdout and nothing else");
  return command;
}

}  // namespace proxel::tool

int main(int count, char** words) {
  using namespace proxel::tool;
  CLI::App app("proxel: exact similarity search on any GPU", "proxel");
  Context context;
  context.command_line = shell_command(count, words);
  app.set_version_flag("--version", "proxel " PROXEL_VERSION);
  app.require_subcommand(1);
  app.footer(overview);
  app.get_formatter()->column_width(36);
  add_devices(app, context);
  add_search(app, context);
  add_graph(app, context);
  add_range(app, context);
  add_words(app, context);
  add_signatures(app, context);
  add_compare(app, context);
  add_bench(app, context);
  add_accuracy(app, context);
#ifdef PROXEL_WITH_CONFORMANCE
  add_conformance(app, context);
#endif
  add_data(app, context);
  watch_for_interrupt();
  keep_pipelines_between_runs();
  const int code = run(app, context, count, words);
  // A full disk or a closed pipe must not look like success.
  if (std::fflush(stdout) != 0 && code == exit_success) {
    report_error(false, "input_output", "stdout", "could not be written");
    return exit_bad_input;
  }
  return code;
}
