#include "cpu/commands.hpp"

#include <chrono>
#include <cstring>

#include <fmt/ranges.h>

#include "passes/memory.hpp"
#include "search/check.hpp"
#include "watch.hpp"

namespace proxel::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Tells the Watch of the thread how many of some operations have been done.
class Operations {
 public:
  explicit Operations(std::size_t count) : share_(1 / static_cast<double>(count)) { take(); }
  ~Operations() {
    if (watch_) watch_->take(0, 1);
  }
  Operations(const Operations&) = delete;

  void one_done() {
    ++done_;
    take();
    if (watch_) watch_->look(0);
  }

 private:
  void take() {
    if (watch_) watch_->take(static_cast<double>(done_) * share_, share_);
  }

  Watch* watch_ = Watch::current();
  double share_;
  std::size_t done_ = 0;
};

}  // namespace

void HostCommands::begin() {
  operations_.clear();
  labels_.clear();
}

void HostCommands::record(const Pass& pass) {
  if (const Support support = device_.supports(pass); !support)
    throw Error(ErrorCode::unsupported, pass.name, support.reason);
  operations_.emplace_back(PassOperation{pass, plain_ ? nullptr : find_fast_pass(pass.name),
                                         find_reference_pass(pass.name),
                                         fmt::format("{}", fmt::join(labels_, "/"))});
}

void HostCommands::copy(const BufferView& from, const BufferView& to) {
  search::require_copy(device_, from, to);
  operations_.emplace_back(CopyOperation{from.address(), to.address(), from.bytes});
}

void HostCommands::fill(const BufferView& view, std::uint8_t byte) {
  search::require_fill(device_, view);
  operations_.emplace_back(FillOperation{view.address(), view.bytes, byte});
}

void HostCommands::push_label(std::string_view name) { labels_.emplace_back(name); }
void HostCommands::pop_label() {
  if (!labels_.empty()) labels_.pop_back();
}

void HostCommands::run(Machine& machine) {
  const Clock::time_point start = Clock::now();
  std::vector<PassTime> pass_times;
  Operations operations(operations_.size());
  for (const auto& operation : operations_) {
    if (const auto* copy = std::get_if<CopyOperation>(&operation)) {
      std::memmove(passes::at<void>(copy->to), passes::at<void>(copy->from), copy->bytes);
    } else if (const auto* fill = std::get_if<FillOperation>(&operation)) {
      std::memset(passes::at<void>(fill->to), fill->byte, fill->bytes);
    } else {
      const auto& recorded = std::get<PassOperation>(operation);
      const Clock::time_point pass_start = Clock::now();
      if (recorded.fast)
        recorded.fast(recorded.pass, machine);
      else
        recorded.reference(recorded.pass);
      if (timing_ == Timing::passes)
        pass_times.push_back({recorded.pass.name, recorded.label, milliseconds_since(pass_start)});
    }
    operations.one_done();
  }
  milliseconds_ = timing_ == Timing::none ? 0 : milliseconds_since(start);
  pass_times_ = std::move(pass_times);
}

}  // namespace proxel::cpu
