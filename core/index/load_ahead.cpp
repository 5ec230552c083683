#include "index/load_ahead.hpp"

#include <system_error>

#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::index {

LoadAhead::~LoadAhead() {
  stop_.request_stop();
  if (loading_.valid()) loading_.wait();
}

void LoadAhead::begin(const RowPart& part) {
  part_ = part;
  if (!source_.loads() || !device_.copies_beside()) return;
  try {
    loading_ = std::async(std::launch::async, [this] { source_.load(part_, stop_.get_token()); });
  } catch (const std::system_error&) {
    // no thread to be had: finish() brings them
  }
}

void LoadAhead::finish(SearchTimes& times) {
  const session::Stopwatch waiting;
  if (loading_.valid()) {
    while (loading_.wait_for(Watch::interval()) != std::future_status::ready) Watch::glance();
    loading_.get();
  } else {
    source_.load(part_, stop_.get_token());
  }
  times.upload_milliseconds += waiting.milliseconds();
}

}  // namespace proxel::index
