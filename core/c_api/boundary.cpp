#include "c_api/boundary.hpp"

#include <new>

#include "printable.hpp"

namespace proxel::c_api {
namespace {

// The error of this thread. Where even its text finds no memory, fixed texts remain.
struct Failure {
  std::string message;
  std::string subject;
  const char* fixed = nullptr;
};
thread_local Failure latest;

proxel_status remember(proxel_status status, const char* message, const char* subject = "") noexcept {
  latest.fixed = nullptr;
  try {
    latest.message = printable(message, most_of_line);
    latest.subject = printable(subject, most_of_subject);
  } catch (...) {
    latest.fixed = "out of memory, also for the text of the error";
    latest.subject.clear();
  }
  return status;
}

}  // namespace

proxel_status remember_failure() noexcept {
  try {
    throw;
  } catch (const Cancelled&) {
    return remember(PROXEL_CANCELLED, "progress: the callback asked for the end", "progress");
  } catch (const Error& error) {
    return remember(static_cast<proxel_status>(error.code()), error.what(), error.subject().c_str());
  } catch (const std::bad_alloc&) {
    return remember(PROXEL_OUT_OF_MEMORY, "the host's memory is exhausted");
  } catch (const std::exception& error) {
    return remember(PROXEL_INTERNAL_ERROR, error.what());
  } catch (...) {
    return remember(PROXEL_INTERNAL_ERROR, "something unknown was thrown");
  }
}

Progress progress_of(proxel_progress callback, void* user) {
  if (!callback) return {};
  return [=](std::uint64_t done, std::uint64_t total) {
    if (callback(user, done, total) != 0) throw Cancelled();
  };
}

}  // namespace proxel::c_api

const char* proxel_last_error(void) {
  const auto& failure = proxel::c_api::latest;
  return failure.fixed ? failure.fixed : failure.message.c_str();
}

const char* proxel_last_error_subject(void) { return proxel::c_api::latest.subject.c_str(); }
