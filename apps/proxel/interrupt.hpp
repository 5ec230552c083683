#pragma once

namespace proxel::tool {

/// Thrown by throw_if_interrupted() after Ctrl-C, so that destructors clear the
/// progress bar and remove unfinished files.
struct Interrupted {};

/// From now on the first Ctrl-C is noted; a second one ends the program at once.
void watch_for_interrupt();
void throw_if_interrupted();

}  // namespace proxel::tool
