#include "bench/outcome.hpp"

#include <fmt/format.h>

#include "exit_code.hpp"

namespace proxel::tool {

std::string verdict(const Recorder& recorder) {
  if (!recorder.differences().empty())
    return fmt::format("{} answers differ from {}", recorder.differences().size(), recorder.compared_with());
  if (!recorder.findings().empty())
    return fmt::format("{}: {}, each with the command that shows it again", recorder.looked_for(),
                       recorder.findings().size());
  if (!recorder.failures().empty()) return fmt::format("{} devices or shapes failed", recorder.failures().size());
  return fmt::format("every answer is identical to {}{}", recorder.compared_with(),
                     recorder.looked_for().empty() ? "" : ", and there are no " + recorder.looked_for());
}

int exit_code(const Recorder& recorder) {
  if (!recorder.differences().empty() || !recorder.findings().empty()) return exit_answer_is_no;
  return recorder.failures().empty() ? exit_success : exit_device_failure;
}

}  // namespace proxel::tool
