#pragma once

// Processes that search together, and how they send each other bytes. proxel/mpi/sharded_index.hpp has them by MPI.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Processes that work together, as one of them sees them: what MPI calls a communicator. They are numbered from 0 on and
/// represent numbers alike. What is to be derived from it for other ways to send messages than MPI: messages from one rank
/// to another arrive whole, unchanged and in order, and each is received with the size that it was sent with.
///
/// Used by one thread at a time, as what it is given to is.
class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// This process, 0 … size() - 1.
  virtual std::uint32_t rank() const = 0;
  /// Processes, at least 1.
  virtual std::uint32_t size() const = 0;

  /// Returns when the bytes may be written over, which may be before they were received.
  /// @param bytes  1 … 16 MiB
  virtual void send(std::span<const std::byte> bytes, std::uint32_t to) = 0;
  /// Waits for the next message of that rank, which has as many bytes.
  virtual void receive(std::span<std::byte> bytes, std::uint32_t from) = 0;

  /// Tells all others, without waiting for any of them, that a call has failed here, so that they need not end their work.
  virtual void warn(std::uint64_t call) = 0;
  /// Whether one of the others has warned of that call. Warnings of earlier calls are forgotten.
  virtual bool warned(std::uint64_t call) = 0;

  /// Ends all ranks at once: for what cannot be told in order any more. Does not return.
  /// @param why  a line, which is printed
  [[noreturn]] virtual void abort(std::string_view why) = 0;

  /// The number of the next call of all ranks, which is the same on each.
  std::uint64_t next_call() {
    told_ = false;
    return ++calls_;
  }
  /// Whether what was thrown last here was thrown on all ranks, so that none of them waits for this one.
  bool has_told() const { return told_; }
  void set_told(bool told) { told_ = told; }

 private:
  std::uint64_t calls_ = 0;
  bool told_ = false;
};

/// Does a part of a piece of work on each rank, as all of them call it. Where it throws on one, it throws on all: on that rank
/// what was thrown there, on the others an Error of the same code and subject, whose text names the rank (of several that fail, the
/// lowest). Returns when all have ended.
void do_together(Ranks& ranks, const std::function<void()>& work);

/// The sum of what all ranks call it with, on every rank.
std::uint64_t add_together(Ranks& ranks, std::uint64_t mine);

}  // namespace proxel
PROXEL_PUBLIC_END
