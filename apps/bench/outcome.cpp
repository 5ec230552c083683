#include "bench/outcome.hpp"

#include <fmt/format.h>

#include "exit_code.hpp"

namespace proxel::tool {

std::string verdict(const Recorder& recorder) {
  if (!recorder.differences().empty())
    return fmt::format("{} answers differ from the CPU's", recorder.differences().size());
  if (!recorder.failures().empty()) return fmt::format("{} devices or shapes failed", recorder.failures().size());
  return "every answer is identical to the CPU's";
}

int exit_code(const Recorder& recorder) {
  if (!recorder.differences().empty()) return exit_answer_is_no;
  return recorder.failures().empty() ? exit_success : exit_device_failure;
}

}  // namespace proxel::tool
