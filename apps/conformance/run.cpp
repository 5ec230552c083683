#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "case.hpp"
#include "compiling_device.hpp"
#include "filter.hpp"
#include "proxel/trial.hpp"
#include "random.hpp"

namespace proxel::conformance {

// Every family of cases, each in a file of its own.
// clang-format off
#define PROXEL_CASE_FAMILIES(F) \
  F(database_pass) F(distance_pass) F(product_pass) F(garcia_pass) F(selection_pass) \
  F(quick_multi_select) F(quick_sort) F(texel_pass) F(bvh_pass) F(string) F(permutation) \
  F(signature) F(signature_filter) F(krulis) F(candidate_pass) F(vector_permutation) F(signature_permutation) \
  F(screen_pass) F(screen_rung) F(plan) F(selection_plan) F(sample_select) F(distribution) F(rival_selection) F(range_pass) F(range) F(planned_range) F(narrowing) \
  F(update) F(search) F(raw) F(drop_self) F(merge_answers) F(transpose) F(komarov_pair) F(graph) F(self) F(component) F(layout) F(extraction) F(walk) F(many) F(list_distances) F(estimate) F(half_sum) F(invariance) \
  F(error) F(size) F(time) F(pin)
// clang-format on
#define PROXEL_DECLARE(name) void add_##name##_cases(Cases& cases);
PROXEL_CASE_FAMILIES(PROXEL_DECLARE)
#undef PROXEL_DECLARE

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::unsupported:
      return "unsupported";
    case Outcome::listed:
      return "listed";
  }
  return "unknown";
}

void Totals::count(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      ++passed;
      break;
    case Outcome::failed:
      ++failed;
      break;
    case Outcome::unsupported:
      ++unsupported;
      break;
    case Outcome::listed:
      ++listed;
      break;
  }
}

bool Report::conforms() const { return totals.failed == 0 && totals.passed + totals.listed > 0; }

std::string family_of(const std::string& name) {
  const auto first = name.find('/');
  return name.substr(0, first == std::string::npos ? first : name.find('/', first + 1));
}

const Cases& all_cases() {
  static const Cases cases = [] {
    Cases all;
#define PROXEL_ADD(name) add_##name##_cases(all);
    PROXEL_CASE_FAMILIES(PROXEL_ADD)
#undef PROXEL_ADD
    return all;
  }();
  return cases;
}

namespace {

constexpr std::string_view reference_id = "cpu:reference";

class Stopwatch {
 public:
  double milliseconds() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// A device under test. A lost one is opened anew for the next case.
struct Subject {
  std::string id;
  BackendKind backend = BackendKind::cpu;
  std::unique_ptr<Device> device;
  CompilingDevice* compiling = nullptr;  // the device, where it only compiles
};

// The answers of one case, for the comparison of devices with each other.
struct Answer {
  const Subject* subject;
  std::vector<std::byte> bytes;
};

class Runner {
 public:
  Runner(const Options& options, const Progress& progress) : options_(options), progress_(progress) {
    report_.seed = options.seed;
    report_.quick = options.quick;
    report_.one_in = options.one_in;
    if (options.one_in == 0) throw Error(ErrorCode::invalid_argument, "one_in", "0 is none of them; 1 is all");
    std::set<std::string> families;
    // By chance: cases are made by nested loops, of which a step of so many would leave whole kinds out.
    const auto sampled = [&](const std::string& name) {
      const bool first = families.insert(family_of(name)).second;
      return first || case_seed(0, name) % options.one_in == 0;
    };
    for (const Case& candidate : all_cases())
      if ((candidate.quick || !options.quick) && (options.compile_only || !candidate.compile_only) &&
          selected(options.filter, candidate.name) && sampled(candidate.name))
        cases_.push_back(&candidate);
    if (cases_.empty())
      throw Error(ErrorCode::not_found, "filter",
                  fmt::format("'{}' selects no case of the {} tier; --list shows them", options.filter,
                              options.quick ? "quick" : "full"));
  }

  Report run() {
    const Stopwatch stopwatch;
    if (options_.list_only) {
      for (const Case* listed : cases_) {
        CaseReport report;
        report.name = listed->name;
        report.outcome = Outcome::listed;
        add(std::move(report));
        ++done_;
      }
    } else {
      open_devices();
      const std::unique_ptr<Device> reference = open_device(reference_id);
      for (const Case* next : cases_) {
        run_case(*next, *reference);
        ++done_;
      }
      for (const Subject& subject : subjects_)
        if (subject.compiling)
          for (PipelineReport& pipeline : subject.compiling->pipelines())
            report_.pipelines.push_back(std::move(pipeline));
    }
    report_.milliseconds = stopwatch.milliseconds();
    return std::move(report_);
  }

 private:
  void open_devices() {
    for (const DeviceInfo& info : list_devices()) {
      if (!asked_for(info)) continue;
      DeviceReport device{info.id, info.name, info.driver, "", ""};
      if (options_.compile_only) {
        open_compiling(info, device);
      } else if (!info.usable) {
        if (!options_.devices.empty()) throw Error(ErrorCode::unsupported, info.id, info.usable.reason);
        device.left_out = info.usable.reason;
      } else {
        subjects_.push_back({info.id, info.backend, proxel::open_device(info.id), nullptr});
      }
      report_.devices.push_back(std::move(device));
    }
    // An id that no device answers to gets the registry's own error.
    for (const std::string& id : options_.devices)
      if (std::none_of(subjects_.begin(), subjects_.end(),
                       [&](const Subject& subject) { return answers_to(subject.id, id); }))
        proxel::open_device(id);
    for (const Backend* backend : backends())
      if (const Support support = backend->available(); !support && options_.devices.empty())
        report_.devices.push_back({std::string(to_string(backend->kind())), "", "", support.reason, ""});
  }

  void open_compiling(const DeviceInfo& info, DeviceReport& device) {
    try {
      auto compiling = std::make_unique<CompilingDevice>(open_compiler(info.id, options_.subgroup_size));
      device.untold = compiling->untold();
      CompilingDevice* const itself = compiling.get();
      subjects_.push_back({info.id, info.backend, std::move(compiling), itself});
    } catch (const Error& error) {
      if (!options_.devices.empty() || error.code() != ErrorCode::unsupported) throw;
      device.left_out = error.what();
    }
  }

  // A backend's name alone means its device 0.
  static bool answers_to(const std::string& id, const std::string& asked) { return id == asked || id == asked + ":0"; }

  bool asked_for(const DeviceInfo& info) const {
    return options_.devices.empty() || std::any_of(options_.devices.begin(), options_.devices.end(),
                                                   [&](const std::string& id) { return answers_to(info.id, id); });
  }

  void run_case(const Case& next, Device& reference) {
    std::unique_ptr<Check> check;
    std::string preparation_failure;
    try {
      check = next.prepare({case_seed(options_.seed, next.name), reference});
    } catch (const std::exception& exception) {
      preparation_failure = fmt::format("the case could not be prepared: {}", exception.what());
    }
    std::vector<Answer> answers;
    for (Subject& subject : subjects_) {
      const Stopwatch stopwatch;
      if (subject.compiling) subject.compiling->begin_case(next.name);
      Verdict verdict = check ? run_check(*check, subject) : Verdict::fail(preparation_failure);
      CaseReport report;
      report.name = next.name;
      report.device = subject.id;
      report.outcome = verdict.outcome;
      report.message = verdict.message;
      report.refusal = verdict.refusal;
      report.repeat = repeat_command(subject.id, next);
      report.milliseconds = stopwatch.milliseconds();
      note_accuracy(next.name, verdict);
      add(std::move(report));
      // What only compiles has the host's answers.
      if (verdict.outcome == Outcome::passed && !verdict.answer.empty() && !subject.compiling)
        answers.push_back({&subject, std::move(verdict.answer)});
    }
    compare_with_each_other(next, answers);
  }

  static Verdict run_check(Check& check, Subject& subject) {
    try {
      if (subject.compiling) return compile(check, *subject.compiling);
      if (!subject.device) subject.device = proxel::open_device(subject.id);
      return check.run(*subject.device);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::device_lost) subject.device.reset();
      // The device says that it ended a loop, of which any case may have one that is long.
      if (error.code() == ErrorCode::unsupported && error.subject() == subject.id && subject.device &&
          trial_of(*subject.device).ends_long_loops)
        return Verdict::refuse(error);
      return Verdict::fail(fmt::format("{}: {}", to_string(error.code()), error.what()));
    } catch (const std::exception& exception) {
      return Verdict::fail(fmt::format("exception: {}", exception.what()));
    }
  }

  static Verdict compile(Check& check, CompilingDevice& device) {
    std::string exception;
    Verdict verdict;
    try {
      verdict = check.run(device);
    } catch (const std::exception& thrown) {
      exception = thrown.what();
    }
    if (!device.failure().empty()) return Verdict::fail(device.failure());
    // Where the host left out a pass, its answer means nothing.
    if (device.skipped()) return Verdict::pass();
    return exception.empty() ? verdict : Verdict::fail(exception);
  }

  // Each pair of which at least one is no CPU device: two GPUs are compared
  // directly, not only through what each was compared with.
  void compare_with_each_other(const Case& next, const std::vector<Answer>& answers) {
    for (std::size_t a = 0; a < answers.size(); ++a)
      for (std::size_t b = a + 1; b < answers.size(); ++b) {
        if (answers[b].subject->backend == BackendKind::cpu) continue;
        CaseReport report;
        report.name = next.name;
        report.device = answers[a].subject->id + "=" + answers[b].subject->id;
        report.repeat = repeat_command(answers[a].subject->id + " --device " + answers[b].subject->id, next);
        if (answers[a].bytes != answers[b].bytes) {
          report.outcome = Outcome::failed;
          const auto [first, second] = std::mismatch(answers[a].bytes.begin(), answers[a].bytes.end(),
                                                     answers[b].bytes.begin(), answers[b].bytes.end());
          report.message = fmt::format("the answers differ at byte {} of {}", first - answers[a].bytes.begin(),
                                       answers[a].bytes.size());
        }
        add(std::move(report));
      }
  }

  std::string repeat_command(const std::string& devices, const Case& next) const {
    std::string how;
    if (options_.compile_only) how += " --compile-only";
    if (options_.subgroup_size != 0) how += fmt::format(" --subgroup-size {}", options_.subgroup_size);
    return fmt::format("proxel conformance{} --device {} --filter '{}' --seed {}", how, devices, next.name,
                       options_.seed);
  }

  void note_accuracy(const std::string& name, const Verdict& verdict) {
    if (verdict.metric.empty()) return;
    auto entry = std::find_if(report_.accuracy.begin(), report_.accuracy.end(),
                              [&](const AccuracyReport& one) { return one.metric == verdict.metric; });
    if (entry == report_.accuracy.end()) entry = report_.accuracy.insert(entry, {verdict.metric, 0.0, name});
    if (verdict.relative_error > entry->largest_relative_error) {
      entry->largest_relative_error = verdict.relative_error;
      entry->name = name;
    }
  }

  void add(CaseReport report) {
    report_.totals.count(report.outcome);
    if (progress_) progress_(report, done_ + 1, cases_.size());
    report_.cases.push_back(std::move(report));
  }

  const Options& options_;
  const Progress& progress_;
  std::vector<const Case*> cases_;
  std::vector<Subject> subjects_;
  std::uint64_t done_ = 0;
  Report report_;
};

}  // namespace

Report run(const Options& options, const Progress& progress) { return Runner(options, progress).run(); }

}  // namespace proxel::conformance
