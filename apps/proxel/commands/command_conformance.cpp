// proxel conformance: does this machine's hardware give the contract's answer?

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "conformance.hpp"
#include "console.hpp"
#include "devices.hpp"
#include "interrupt.hpp"
#include "number_checks.hpp"
#include "progress_bar.hpp"
#include "tool.hpp"

namespace proxel::tool::conformance_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel conformance --quick
      a covering selection of cases on every usable device, in a minute or so
  proxel conformance --device vulkan:0 --device cuda:0
      everything, on two devices, which are also compared with each other directly
  proxel conformance --list --filter 'search/texel/*'
      the names of the cases that a filter selects
  proxel conformance --filter search/scan/l1 --seed 7 --json
      other random data, one family of cases, for a script

  RADV_FORCE_FAMILY=navi31 VK_DRIVER_FILES=/usr/share/vulkan/icd.d/radeon_icd.x86_64.json \
      proxel conformance --compile-only --device vulkan:0
      registers, spills and occupancy of every pass on hardware that is not there

Exit codes: 0 every case passed or is listed as unsupported with its reason; 1 a case failed.)";

struct Options : conformance::Options {
  bool every_case = false;
};

// A device that was named and is not there is told apart from a failed case.
void check_device(const std::string& id, const Options& options) {
  if (!options.compile_only) {
    open_checked(id);
    return;
  }
  try {
    open_compiler(id, options.subgroup_size);
  } catch (const Error& error) {
    throw DeviceUnavailable(error.code(), error.subject(), reason(error));
  }
}

// What had been found when the run was interrupted.
class Findings {
 public:
  void add(const conformance::CaseReport& latest) {
    totals_.count(latest.outcome);
    if (latest.outcome == conformance::Outcome::failed) failures_ += fmt::format("failed {}\n", latest.repeat);
  }
  std::string text() const {
    return fmt::format("{}until then {} passed, {} failed, {} unsupported\n", failures_, totals_.passed, totals_.failed,
                       totals_.unsupported);
  }

 private:
  conformance::Totals totals_;
  std::string failures_;
};

conformance::Report run_cases(const Options& options) {
  Findings found;
  try {
    ProgressBar bar("conformance");
    conformance::Report report =
        conformance::run(options, [&](const conformance::CaseReport& latest, std::uint64_t done, std::uint64_t total) {
      found.add(latest);
      bar.update(done, total);
    });
    bar.finish();
    return report;
  } catch (const Interrupted&) {
    print_to_stderr(found.text());
    throw;
  }
}

int run(Options options, const Context& context) {
  options.json = context.json;
  if (options.subgroup_size != 0 && !options.compile_only)
    throw Error(ErrorCode::invalid_argument, "--subgroup-size", "is for --compile-only");
  options.devices = options.devices.empty() ? options.devices : chosen_devices(options.devices);
  if (!options.list_only)
    for (const std::string& device : options.devices) check_device(device, options);
  const conformance::Report report = run_cases(options);
  if (!context.json && options.every_case)
    fmt::print("{}", conformance::to_table(report, true));
  else
    fmt::print("{}\n", conformance::print(options, report));
  return report.conforms() ? exit_success : exit_answer_is_no;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "conformance", "Check that devices give the exact answer, pass by pass", examples);
  const auto options = std::make_shared<Options>();
  options->quick = false;
  command->add_flag("--quick", options->quick, "A covering selection instead of every case");
  command
      ->add_option("--device", options->devices,
                   std::string(device_help) + "; may be repeated (default: every usable one)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID");
  command
      ->add_option(
          "--filter", options->filter,
          "Only cases whose name contains this, or matches it where it has * or ?; A|B either; !A|B all but these")
      ->type_name("TEXT");
  command
      ->add_option("--one-in", options->one_in,
                   "Of these cases only one in NUMBER of each family: a sample, for devices that are slow")
      ->type_name("NUMBER")
      ->capture_default_str()
      ->check(positive_number());
  command->add_flag("--list", options->list_only, "Name the cases instead of running them");
  command->add_flag("--every-case", options->every_case, "Print the cases that passed as well");
  command->add_flag("--compile-only", options->compile_only,
                    "Run nothing on the devices: compile every pass for them, and print what the driver "
                    "tells of registers, spills, shared memory and occupancy");
  command
      ->add_option("--subgroup-size", options->subgroup_size,
                   "With --compile-only: lanes of a subgroup, where the driver lets them be chosen")
      ->type_name("LANES")
      ->check(CLI::Range(1u, 128u));
  command->add_option("--seed", options->seed, "Of the random data")->type_name("NUMBER")->capture_default_str();
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool::conformance_command
