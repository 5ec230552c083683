#include "interrupt.hpp"

#include <csignal>

namespace proxel::tool {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

void throw_if_interrupted() {
  if (interrupted) throw Interrupted{};
}

}  // namespace proxel::tool
