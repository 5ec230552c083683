#pragma once

// Messages between the ranks of an MPI communicator: two-sided calls of MPI's interface for C, which any MPI has.
// Nothing of proxel's is needed here, and nothing of MPI's beyond what a communicator of one's own can do.

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace proxel::mpi {

/// A communicator's ranks and their messages. Where MPI itself fails, it ends all of them, as its default is.
/// All calls are made by the thread that MPI was initialised by (MPI_THREAD_FUNNELED): a search uses threads, but none of them
/// calls MPI.
class Messages {
 public:
  /// Why there can be none now; empty where there can.
  static std::string why_not() {
    int is_initialized = 0, is_finalized = 0, level = 0, is_main = 0;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (!is_initialized || is_finalized) return "MPI is not initialised; MPI_Init_thread() is called before";
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED)
      return "MPI was initialised for processes of one thread; MPI_Init_thread() with MPI_THREAD_FUNNELED or more is "
             "needed";
    MPI_Is_thread_main(&is_main);
    if (!is_main && level < MPI_THREAD_SERIALIZED) return "is used by another thread than that which initialised MPI";
    return {};
  }

  /// Collective: duplicates the communicator, so that its messages meet no others.
  explicit Messages(MPI_Comm communicator) {
    MPI_Comm_dup(communicator, &communicator_);
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
  }
  ~Messages() {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized) return;
    receive_warnings();
    for (Warning& warning : sent_)
      if (!is_done(warning.request)) {
        // On its way still: what it is sent from stays.
        MPI_Request_free(&warning.request);
        static_cast<void>(warning.call.release());
      }
    MPI_Comm_free(&communicator_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// @param bytes  at most 2^31 - 1
  void send(std::span<const std::byte> bytes, int to) {
    MPI_Request request;
    MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, data_tag, communicator_, &request);
    wait(request);
  }
  void receive(std::span<std::byte> bytes, int from) {
    MPI_Request request;
    MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, data_tag, communicator_, &request);
    wait(request);
  }

  void warn(std::uint64_t call) {
    for (int to = 0; to < size_; ++to) {
      if (to == rank_) continue;
      sent_.push_back({MPI_REQUEST_NULL, std::make_unique<std::uint64_t>(call)});
      MPI_Isend(sent_.back().call.get(), static_cast<int>(sizeof call), MPI_BYTE, to, warning_tag, communicator_,
                &sent_.back().request);
    }
  }
  bool warned(std::uint64_t call) {
    receive_warnings();
    return last_warning_ >= call;
  }

  [[noreturn]] void abort(std::string_view why, int code) {
    std::fprintf(stderr, "proxel: error: %.*s\n", static_cast<int>(why.size()), why.data());
    std::fflush(stderr);
    MPI_Abort(communicator_, code);
    std::abort();
  }

 private:
  struct Warning {
    MPI_Request request;
    std::unique_ptr<std::uint64_t> call;
  };
  static constexpr int data_tag = 1, warning_tag = 2;

  static bool is_done(MPI_Request& request) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  // MPI's own waiting takes a whole processor, which the ranks that still search can use.
  static void wait(MPI_Request& request) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point patience = Clock::now() + std::chrono::microseconds(200);
    while (!is_done(request))
      if (Clock::now() < patience)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  void receive_warnings() {
    for (;;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, warning_tag, communicator_, &there, &status);
      if (!there) return;
      std::uint64_t call = 0;
      MPI_Recv(&call, static_cast<int>(sizeof call), MPI_BYTE, status.MPI_SOURCE, warning_tag, communicator_,
               MPI_STATUS_IGNORE);
      last_warning_ = std::max(last_warning_, call);
    }
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::uint64_t last_warning_ = 0;
  std::vector<Warning> sent_;
};

}  // namespace proxel::mpi
