// Where a test crashes its frames are printed: of which library and where. doctest tells of the signal first, and then lets
// whoever handled it before do so.
#include <csignal>
#include <initializer_list>

#include <execinfo.h>
#include <unistd.h>

namespace {

extern "C" void print_frames(int signal) {
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Installed {
  Installed() {
    void* frame[1];
    backtrace(frame, 1);  // loads what it needs while memory may be allocated
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      const auto before = std::signal(signal, print_frames);
      if (before != SIG_DFL) std::signal(signal, before);  // a sanitizer's, which tells more
    }
  }
} const installed;

}  // namespace
