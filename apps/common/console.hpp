#pragma once

#include <string>
#include <string_view>

#include "proxel/error.hpp"

namespace proxel::tool {

enum class Style { plain, strong, faint, good, bad };

/// True where the stream is a terminal and NO_COLOR is not set.
bool stdout_has_colour();
/// True where a progress bar has somebody to see it.
bool stderr_is_terminal();

/// The text in that style where stdout has colours, otherwise the text itself.
std::string styled(Style style, std::string_view text);

/// One line, whatever a file name or a driver put into the text.
std::string one_line(std::string_view text);

/// Says as which program messages are printed; "proxel" until then. Before threads are started.
void set_program_name(std::string name);

/// From now on nothing is told of errors, warnings and progress: another process of the same run tells of them.
void be_silent();
/// From now on nothing has colours, whatever stdout is.
void be_plain();
/// Prints "proxel: error: subject: reason" to stderr and, with json, an error
/// object to stdout.
void report_error(bool json, std::string_view code, std::string_view subject, std::string_view message);
/// The object, and a line end.
std::string error_object(std::string_view code, std::string_view subject, std::string_view message);
/// Prints "proxel: warning: …" to stderr.
void warn(std::string_view message);
/// Prints text to stderr as it is. What cannot be printed there is lost.
void print_to_stderr(std::string_view text);

/// Shows one line on a terminal's stderr instead of the one that was shown there last.
/// May be called by any thread.
void show_status(std::string_view line);
/// Takes the line away, where there is one, before something else is printed.
void clear_status();

/// The system refused to write an output: a full disk, a folder that is read-only.
class CannotWrite : public Error {
 public:
  CannotWrite(const std::string& subject, const std::string& message)
      : Error(ErrorCode::input_output, subject, message) {}
};

/// Throws CannotWrite where something that was printed on stdout did not get there.
void flush_stdout();

/// The reason of an error without the subject that its what() starts with.
std::string reason(const Error& error);

}  // namespace proxel::tool
