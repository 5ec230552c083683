#pragma once

// Conformance: does a device give the answer of the contract, to the bit?
//
// Every pass is run on every device and compared with the plain reference
// device; every whole search is compared with a brute force that shares no
// code with the library; and the devices are compared directly with each other.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/pass_compiler.hpp"

namespace proxel::conformance {

/// What became of a case on a device.
enum class Outcome {
  passed,
  failed,
  unsupported,  ///< the device or method refused, and said why
  listed,       ///< not run: Options::list_only
};

/// "passed", "failed", "unsupported" or "listed".
std::string_view to_string(Outcome outcome);

/// What to run, and where.
struct Options {
  /// Ids as proxel::open_device() takes them. Empty: every usable device.
  std::vector<std::string> devices;
  /// Cases to run: a part of the name, or a pattern for the whole name where
  /// it holds '*' or '?'; several with '|' between them; after a '!' all but
  /// these. Empty: all.
  std::string filter;
  /// The covering selection instead of the thousands of cases of the full tier.
  bool quick = false;
  /// Of the selected cases of a family ("search/scan") the first, and of the others one in so many, chosen by their
  /// names; default 1: all. 0: Error(invalid_argument).
  std::uint64_t one_in = 1;
  /// Every case derives its data from this and from its own name alone.
  std::uint64_t seed = 1;
  /// Name the cases instead of running them; no device is opened.
  bool list_only = false;
  /// Submit nothing to a device: compile every pass that it would be given. The host executes
  /// in its place. Devices without hardware (RADV's RADV_FORCE_FAMILY) are usable, too.
  bool compile_only = false;
  /// With compile_only: lanes of a subgroup to compile for; 0: what the device has.
  std::uint32_t subgroup_size = 0;
  /// print() writes JSON instead of a table.
  bool json = false;
};

/// What refused a case, for programs: what Support says, or else the subject of an Error.
struct Refusal {
  std::optional<Limit> limit;
  std::string subject;  ///< "k", "options"; empty where there is a limit
};

/// One case on one device, or on a pair of devices compared with each other.
struct CaseReport {
  std::string name;    ///< "search/scan/l1/n=257,d=33,q=2,k=5/integers"
  std::string device;  ///< "vulkan:0", or "vulkan:0=cuda:0" for a pair
  Outcome outcome = Outcome::passed;
  std::string message;      ///< what differs, why it is unsupported, or a remark
  Refusal refusal;          ///< of Outcome::unsupported
  std::string repeat;       ///< command line that runs this case alone
  double milliseconds = 0;  ///< host time of the case on this device
};

/// How far canonical values lie from values computed in double precision.
struct AccuracyReport {
  std::string metric;
  /// Largest |value - exact| / (sum of the magnitudes of the exact terms).
  double largest_relative_error = 0;
  std::string name;  ///< the case that has it
};

struct DeviceReport {
  std::string id;
  std::string name;
  std::string driver;
  std::string left_out;  ///< why no case ran on it; empty where cases ran
  std::string untold;    ///< with compile_only: why pipelines have no statistics
};

/// One pipeline that was compiled and not run (Options::compile_only).
struct PipelineReport {
  std::string device;
  std::string pass;                                              ///< "scan_select"
  std::vector<std::pair<std::string, std::uint32_t>> constants;  ///< by name
  std::uint32_t workgroup_size = 0;
  std::uint32_t subgroup_size = 0;            ///< 0 where the driver does not tell
  std::vector<CompilerStatistic> statistics;  ///< as the driver tells them; empty where it tells none
  std::string error;                          ///< why it could not be compiled; empty where it was
  std::string first_case;                     ///< the case that needed it first
  std::set<std::string> families;             ///< of cases that need it: "search/fused", "sizes/bvh"
};

struct Totals {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t listed = 0;

  void count(Outcome outcome);
};

struct Report {
  std::uint64_t seed = 0;
  bool quick = false;
  std::uint64_t one_in = 1;  ///< of Options
  std::vector<DeviceReport> devices;
  std::vector<CaseReport> cases;  ///< in the order in which they ran
  std::vector<AccuracyReport> accuracy;
  std::vector<PipelineReport> pipelines;  ///< with Options::compile_only
  Totals totals;
  double milliseconds = 0;

  /// Whether nothing failed and something ran (or was listed).
  bool conforms() const;
};

/// Told of every case as soon as it has finished; `done` of `total` cases.
using Progress = std::function<void(const CaseReport& latest, std::uint64_t done, std::uint64_t total)>;

/// Runs the cases that the filter selects, on the devices asked for.
/// A failing case never throws; it is reported.
/// Throws Error(not_found | unsupported) for a device that was asked for by
/// name and cannot be opened, and Error(not_found) when no case is selected.
Report run(const Options& options, const Progress& progress = {});

/// For people: devices, the cases that did not pass, accuracy and totals; or
/// the names, where they were only listed.
/// @param every_case  also the cases that passed
std::string to_table(const Report& report, bool every_case = false);

/// The whole report as one JSON object, for programs.
std::string to_json(const Report& report);

/// to_json() or to_table(), as the options say.
std::string print(const Options& options, const Report& report);

}  // namespace proxel::conformance
