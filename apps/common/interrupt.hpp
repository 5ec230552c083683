#pragma once

#include <string>

namespace proxel::tool {

/// Thrown by throw_if_interrupted() after Ctrl-C or SIGTERM, so that destructors clear the
/// progress bar and remove unfinished files.
struct Interrupted {};

/// From now on SIGINT (Ctrl-C) and SIGTERM are noted, and the program has 0.7 seconds to
/// end by itself. Then, or at a second signal, it is ended, wherever it is: within a
/// driver's compiler, while a disk does not answer. Unfinished files are removed.
/// Call it before anything that starts threads.
void watch_for_interrupt();
/// What that forced end prints where nothing has been said yet.
void say_when_interrupted(std::string on_stdout, std::string on_stderr);

/// Whether a signal has been noted.
bool is_interrupted();
void throw_if_interrupted();
/// 130 after SIGINT, 143 after SIGTERM, as of a program that the signal had ended.
int interrupted_exit_code();
/// True for the first who asks: that one tells the user.
bool tells_of_interrupt();

}  // namespace proxel::tool
