#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "proxel/index.hpp"

namespace proxel::tool {

/// What --progress (true) or --no-progress (false) says of every bar. Without it bars are
/// for terminals.
void want_progress(std::optional<bool> wanted);

/// A line on stderr that says what is being done, and how far it has come where that is
/// known. It is there within the first second, also while nothing calls; nothing is
/// printed for work that ends within 0.3 seconds. Where stderr is no terminal and progress
/// is wanted all the same, lines follow one another. One at a time.
/// Every update is also where Ctrl-C takes effect.
class ProgressBar {
 public:
  /// @param title  what is being done now
  explicit ProgressBar(const std::string& title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Throws Interrupted after Ctrl-C.
  void update(std::uint64_t done, std::uint64_t total);
  /// Names what is being done now, of which nothing is done yet. Throws Interrupted after Ctrl-C.
  void set_title(const std::string& title);
  /// From now on the line says how long the rest will take at the pace since the first update().
  void tell_time_left();
  /// Takes the line away, for something else that is printed. Throws Interrupted after Ctrl-C.
  void finish();
  /// What the library's long calls are given; valid as long as this object.
  Progress callback();

 private:
  class Painter;
  std::unique_ptr<Painter> painter_;  // none where nobody looks
};

}  // namespace proxel::tool
