#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "conformance.hpp"
#include "shell/tab.hpp"

namespace demo {

/// The conformance cases of a filter, run on every device, and what became of them.
class ConformanceView {
 public:
  void draw(Context& context);
  void restore(const nlohmann::json& json);
  nlohmann::json settings() const { return {{"filter", filter_}, {"quick", quick_}}; }
  nlohmann::json report() const;

 private:
  /// Filled on the worker while cases run.
  struct Growing {
    std::mutex mutex;
    std::vector<proxel::conformance::CaseReport> cases;
    proxel::conformance::Totals totals;
  };
  void run(Context& context);

  std::string filter_ = "search/scan/l2sq/*";
  bool quick_ = true;
  std::shared_ptr<Growing> growing_ = std::make_shared<Growing>();
  std::optional<bool> conforms_;
};

}  // namespace demo
