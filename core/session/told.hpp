#pragma once

#include <cstdint>
#include <optional>

#include "proxel/index.hpp"
#include "watch.hpp"

namespace proxel::session {

/// Tells a caller how far work has come: when a block of it ends, and while one runs.
class Told {
 public:
  /// @param progress  outlives this; where it is empty nobody is told
  /// @param total     in the unit of reached()
  Told(const Progress& progress, std::uint64_t total);

  /// What is submitted from now on, in any number of submissions, brings the work to `end`.
  void begin(std::uint64_t end) { end_ = end; }
  /// The work has come so far. Throws what the caller's function throws.
  void reached(std::uint64_t done);
  /// The same as a function that others tell, of another total; empty where nobody is told. Outlived by this.
  Progress as_progress();

 private:
  void look(double part);

  const Progress& progress_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t told_ = 0;  // never fewer than before
  std::optional<Watch> watch_;
};

}  // namespace proxel::session
