#include "cpu/commands.hpp"

#include <algorithm>
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
    throw Error(ErrorCode::unsupported, pass.name(), support.reason);
  add(pass, pass.name());
}

void HostCommands::copy(const BufferView& from, const BufferView& to) {
  search::require_copy(device_, from, to);
  add(CopyWork{from.address(), to.address(), from.bytes}, "copy");
}

void HostCommands::fill(const BufferView& view, std::uint8_t byte) {
  search::require_fill(device_, view);
  add(FillWork{view.address(), view.bytes, byte}, "fill");
}

void HostCommands::add(const std::variant<Pass, CopyWork, FillWork>& work, const char* name) {
  operations_.push_back({work, name, fmt::format("{}", fmt::join(labels_, "/"))});
}

void HostCommands::push_label(std::string_view name) { labels_.emplace_back(name); }
void HostCommands::pop_label() {
  if (!labels_.empty()) labels_.pop_back();
}

void HostCommands::run(const Operation& operation, Machine& machine) const {
  if (const auto* copy = std::get_if<CopyWork>(&operation.work)) {
    std::memmove(passes::at<void>(copy->to), passes::at<void>(copy->from), copy->bytes);
  } else if (const auto* fill = std::get_if<FillWork>(&operation.work)) {
    std::memset(passes::at<void>(fill->to), fill->byte, fill->bytes);
  } else {
    const auto& pass = std::get<Pass>(operation.work);
    if (pass.kind->threaded && !plain_)
      pass.kind->threaded(pass, machine);
    else
      pass.kind->reference(pass);
  }
}

void HostCommands::run(Machine& machine) {
  const Clock::time_point start = Clock::now();
  std::vector<PassTime> pass_times;
  double named = 0;
  Operations operations(operations_.size());
  for (const Operation& operation : operations_) {
    const Clock::time_point operation_start = Clock::now();
    run(operation, machine);
    if (timing_ == Timing::passes) {
      pass_times.push_back({operation.name, operation.label, milliseconds_since(operation_start)});
      named += pass_times.back().milliseconds;
    }
    operations.one_done();
  }
  milliseconds_ = timing_ == Timing::none ? 0 : milliseconds_since(start);
  if (timing_ == Timing::passes) pass_times.push_back({"rest", "", std::max(0.0, milliseconds_ - named)});
  pass_times_ = std::move(pass_times);
}

}  // namespace proxel::cpu
