#pragma once

#include <cstdint>

#include "proxel/device.hpp"

namespace proxel::session {

/// How much work a device is given in one submission, so that a caller who watches waits about a tenth of a second
/// for its end. Learns from the time that submissions take, and is kept from search to search.
class Pace {
 public:
  /// The host looks at the Watch between the items of a pass and is given everything at once, and so is every
  /// device where nobody watches.
  /// @param on_matrix_units  whether the work is a matrix product's, of which a device does more
  explicit Pace(const Device& device, bool on_matrix_units = false);

  /// Queries for the next submission: all that are left, or a power of two of them.
  /// @param left       at least 1
  /// @param most       that memory allows
  /// @param per_query  work of one: coordinates that are compared, about
  std::uint64_t take(std::uint64_t left, std::uint64_t most, double per_query);
  /// What was taken last has been done.
  void took(double milliseconds);

 private:
  bool bounded_;
  std::uint64_t usual_fewest_;  // queries that cost a device about as much as one
  std::uint64_t fewest_;        // of which it is given no fewer, unless that has taken too long
  bool known_ = false;          // something has been taken
  std::uint64_t taken_queries_ = 0;
  double most_;  // work that is given at once where there is no more
  double next_;  // of a submission where there is more
  double taken_ = 0;
};

}  // namespace proxel::session
