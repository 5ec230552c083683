#pragma once

// One index of vectors over the ranks of an MPI communicator, on one machine or many. It is compiled with the program's own MPI
// (Open MPI, MPICH and those that derive from them), which the program links: target_link_libraries(… proxel::proxel MPI::MPI_CXX).
//
//   MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
//   {
//     proxel::mpi::ShardedIndex index(MPI_COMM_WORLD, *device, my_rows.view());
//     const proxel::Neighbors found = index.search(queries.view(), 10, proxel::Metric::l2sq);  // on rank 0
//   }
//   MPI_Finalize();

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "proxel/distributed_index.hpp"
#include "proxel/error.hpp"
#include "proxel/mpi/messages.hpp"

namespace proxel::mpi {

/// The ranks of an MPI communicator.
class Communicator : public Ranks {
 public:
  /// Collective: duplicates the communicator, which may be an intracommunicator of any group.
  /// Throws Error(invalid_argument) unless MPI was initialised, and this is the thread that did it, with MPI_THREAD_FUNNELED or more.
  explicit Communicator(MPI_Comm communicator) {
    if (const std::string why = Messages::why_not(); !why.empty())
      throw Error(ErrorCode::invalid_argument, "communicator", why);
    messages_ = std::make_unique<Messages>(communicator);
  }

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(messages_->rank()); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(messages_->size()); }
  void send(std::span<const std::byte> bytes, std::uint32_t to) override {
    messages_->send(bytes, static_cast<int>(to));
  }
  void receive(std::span<std::byte> bytes, std::uint32_t from) override {
    messages_->receive(bytes, static_cast<int>(from));
  }
  void warn(std::uint64_t call) override { messages_->warn(call); }
  bool warned(std::uint64_t call) override { return messages_->warned(call); }
  [[noreturn]] void abort(std::string_view why) override { messages_->abort(why, 3); }

 private:
  std::unique_ptr<Messages> messages_;
};

/// What a ShardedIndex sends its messages by; it is there before the index and after it.
class HasCommunicator {
 protected:
  explicit HasCommunicator(MPI_Comm communicator) : communicator_(std::make_unique<Communicator>(communicator)) {}
  std::unique_ptr<Communicator> communicator_;
};

/// A DistributedIndex by MPI: each rank has its shard, and rank 0 asks. It goes before MPI_Finalize().
class ShardedIndex : private HasCommunicator, public DistributedIndex {
 public:
  /// Collective. @param make  see DistributedIndex
  ShardedIndex(MPI_Comm communicator, const MakeShard& make, const DistributedOptions& options = {})
      : HasCommunicator(communicator), DistributedIndex(*communicator_, make, options) {}
  /// Collective.
  /// @param device  this rank's; outlives the index
  /// @param shard   [n x d], this rank's rows; n may be 0
  ShardedIndex(MPI_Comm communicator, Device& device, MatrixView<float> shard, const IndexOptions& index_options = {},
               const DistributedOptions& options = {})
      : HasCommunicator(communicator), DistributedIndex(*communicator_, device, shard, index_options, options) {}
  ShardedIndex(ShardedIndex&&) noexcept = default;
  ShardedIndex& operator=(ShardedIndex&&) = delete;
};

}  // namespace proxel::mpi
