// Fuzzing without libFuzzer: the kept corpus, then seeded mutations of it.
//   proxel_fuzz_replay_<parser> CORPUS [--seed S] [--cases N] [--case C]
// A failure prints seed and case; --seed S --case C runs that case alone.

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "mutate.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define PROXEL_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROXEL_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef PROXEL_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

// What is running, for the message when it ends badly.
char current[512] = "";

void report() {
  std::fprintf(stderr, "failed in %s\n", current);
  std::fflush(stderr);
}

void report_signal(int signal) {
  report();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Arguments {
  std::filesystem::path corpus;
  std::uint64_t seed = 20061;
  std::uint64_t cases = 2000;
  std::optional<std::uint64_t> only_case;
};

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: proxel_fuzz_replay_<parser> CORPUS [--seed S] [--cases N] [--case C]\n");
  std::exit(2);
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) usage();
  return value;
}

Arguments parse_arguments(int count, char** values) {
  if (count < 2 || count % 2 != 0) usage();
  Arguments arguments;
  arguments.corpus = values[1];
  for (int i = 2; i < count; i += 2) {
    const std::string_view name = values[i];
    if (name == "--seed")
      arguments.seed = number(values[i + 1]);
    else if (name == "--cases")
      arguments.cases = number(values[i + 1]);
    else if (name == "--case")
      arguments.only_case = number(values[i + 1]);
    else
      usage();
  }
  return arguments;
}

void run(const std::string& bytes) {
  // An exact copy, so that reading past its end is noticed.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
#ifdef PROXEL_ADDRESS_SANITIZER
  __sanitizer_set_death_callback(report);
#endif
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, report_signal);

  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(arguments.corpus)) files.push_back(entry.path());
  std::ranges::sort(files);  // so that a case means the same everywhere
  if (files.empty()) {
    std::fprintf(stderr, "the corpus %s is empty\n", arguments.corpus.c_str());
    return 2;
  }

  std::vector<std::string> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    std::snprintf(current, sizeof current, "%s", file.c_str());
    if (!arguments.only_case) run(inputs.back());
  }

  const std::uint64_t first = arguments.only_case.value_or(0);
  const std::uint64_t end = arguments.only_case ? first + 1 : arguments.cases;
  for (std::uint64_t number = first; number < end; ++number) {
    std::snprintf(current, sizeof current, "--seed %llu --case %llu", static_cast<unsigned long long>(arguments.seed),
                  static_cast<unsigned long long>(number));
    run(proxel::fuzzing::mutated(inputs, arguments.seed, number));
  }
  std::printf("%zu kept inputs and %llu mutations of seed %llu passed\n", inputs.size(),
              static_cast<unsigned long long>(end - first), static_cast<unsigned long long>(arguments.seed));
  return 0;
}
