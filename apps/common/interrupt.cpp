#include "interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "proxel/output_files.hpp"

namespace proxel::tool {
namespace {

std::atomic<int> received = 0;
std::atomic<bool> interrupt_told = false;
// Whether SIGHUP ends the program, which nohup does not want.
bool hangs_up = true;
// Never destroyed: the program may be ended while it ends.
struct Words {
  std::string on_stdout, on_stderr;
};
std::atomic<const Words*> last_words = nullptr;

sigset_t watched() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (hangs_up) sigaddset(&signals, SIGHUP);
  return signals;
}

// A pipe that nobody empties must not keep the program.
void say(int descriptor, const std::string& text) {
  pollfd waiting{descriptor, POLLOUT, 0};
  if (text.empty() || poll(&waiting, 1, 0) != 1 || !(waiting.revents & POLLOUT)) return;
  [[maybe_unused]] const ssize_t written = write(descriptor, text.data(), text.size());
}

[[noreturn]] void end_by_force() {
  remove_unfinished_files();
  if (const Words* words = last_words; words && tells_of_interrupt()) {
    say(STDERR_FILENO, words->on_stderr);
    say(STDOUT_FILENO, words->on_stdout);
  }
  _exit(interrupted_exit_code());
}

// Signals are taken by a thread that does nothing else, so that none of them waits for a
// driver, and the end needs nothing of the threads that work.
void* watch(void*) {
  const sigset_t signals = watched();
  int signal = 0;
  while (signal <= 0) signal = sigwaitinfo(&signals, nullptr);
  received = signal;
  const timespec patience{0, 700'000'000};
  while (sigtimedwait(&signals, nullptr, &patience) < 0 && errno == EINTR) {
  }
  end_by_force();
}

bool start_watching() {
  pthread_attr_t small;
  pthread_t thread;
  if (pthread_attr_init(&small) != 0) return false;
  pthread_attr_setstacksize(&small, std::size_t{1} << 18);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  const bool started = pthread_create(&thread, &small, watch, nullptr) == 0;
  pthread_attr_destroy(&small);
  return started;
}

extern "C" void note_interrupt(int signal) {
  received = signal;
  if (hangs_up) std::signal(SIGHUP, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  struct sigaction inherited = {};
  hangs_up = sigaction(SIGHUP, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN;
  const sigset_t signals = watched();
  // A shell's background jobs ignore SIGINT; who sends it to one means it.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  // Inherited by every thread that is started from here on.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  if (start_watching()) return;
  // No memory for a thread: the first signal is noted, the second one ends.
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  if (hangs_up) std::signal(SIGHUP, note_interrupt);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void say_when_interrupted(std::string on_stdout, std::string on_stderr) {
  last_words = new Words{std::move(on_stdout), std::move(on_stderr)};
}

bool is_interrupted() { return received != 0; }

void throw_if_interrupted() {
  if (is_interrupted()) throw Interrupted{};
}

int interrupted_exit_code() { return 128 + received; }

bool tells_of_interrupt() { return !interrupt_told.exchange(true); }

}  // namespace proxel::tool
