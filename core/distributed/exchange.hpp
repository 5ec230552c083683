#pragma once

// How ranks do one call together: what rank 0 asks goes down a binary tree, what each rank made of it goes up, merged on the way,
// and whether all went well goes down again.

#include <array>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "proxel/error.hpp"
#include "proxel/index.hpp"
#include "proxel/ranks.hpp"

namespace proxel::distributed {

/// What a parcel is, for who makes room for it.
using Shape = std::array<std::uint64_t, 12>;
using Blobs = std::vector<std::span<std::byte>>;
inline constexpr std::size_t most_blobs = 5;

/// What ranks can send each other: its shape, and then its blobs, whose sizes follow from the shape. Both sides have to give as
/// many blobs, at most most_blobs; they may be empty.
template <typename T>
concept Parcel = requires(T parcel, const T& sent, const Shape& shape) {
  { sent.shape() } -> std::convertible_to<Shape>;
  parcel.make_room(shape);  // may throw
  { parcel.blobs() } -> std::convertible_to<Blobs>;
};

template <typename T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}
template <typename T>
std::span<std::byte> bytes_of(Matrix<T>& matrix) {
  return std::as_writable_bytes(std::span(matrix.data(), matrix.rows() * matrix.columns()));
}

/// Thrown in work whose answer nobody wants any more, as another rank has failed.
struct Stopped {};

/// How a rank fared. Of several the first that failed is told.
struct Outcome {
  enum Kind : std::uint64_t { well, stopped, failed };
  Kind kind = well;
  ErrorCode code = ErrorCode::backend_failure;
  std::uint32_t rank = 0;
  std::string subject, text;

  /// That of the exception which is being handled.
  static Outcome of_exception(std::uint32_t rank);
  /// What matters of two; ranks of the other come later.
  void add(Outcome later);
};

/// One call of all ranks.
class Exchange {
 public:
  explicit Exchange(Ranks& ranks) : ranks_(ranks), call_(ranks.next_call()) {}

  std::uint64_t call() const { return call_; }

  /// Brings a parcel from rank 0 to all. What is no longer to be asked is a failure there: the others throw it.
  template <Parcel T>
  void broadcast(T& parcel) {
    const std::uint32_t from = parent_below_root();
    if (ranks_.rank() != 0) receive(parcel, from);
    each_child([&](std::uint32_t child) { send(parcel, child); });
  }

  /// Does this rank's work, unless it has failed before, and brings what it made to rank 0: what a child sends is merged into it on the way.
  /// @param merge  (T& mine, T& child's)
  template <Parcel T, typename Work, typename Merge>
  void gather(T& mine, const Work& work, const Merge& merge) {
    attempt(work);
    for (std::uint32_t step = 1; step < ranks_.size(); step *= 2) {
      if (ranks_.rank() & step) return send(mine, ranks_.rank() - step);
      if (ranks_.size() - ranks_.rank() <= step) continue;
      T other;
      receive(other, ranks_.rank() + step);
      attempt([&] { merge(mine, other); });
    }
  }

  /// Runs some of the work of this rank unless it, or a rank that it has heard of, has failed. Keeps what it throws.
  template <typename Work>
  void attempt(const Work& work) {
    if (outcome_.kind != Outcome::well) return;
    try {
      work();
    } catch (...) {
      keep_failure();
    }
  }

  /// Waits for all to have ended, of whom rank 0 has heard by gather(). Throws on every rank where one has failed.
  void conclude();
  /// The same where nothing was gathered yet.
  void agree() {
    agree([] {});
  }
  template <typename Work>
  void agree(const Work& work);

  /// For what runs within attempt(): as a search's progress, also tells the caller's. Throws Stopped once another rank has failed.
  Progress watching(const Progress& told) const;

  /// One rank to another, both within the same call. What fails at either end is kept for conclude().
  template <Parcel T>
  void send(T& parcel, std::uint32_t to) {
    Blobs blobs;
    Shape shape = {};
    attempt([&] {
      shape = parcel.shape();
      blobs = parcel.blobs();
    });
    if (outcome_.kind != Outcome::well) blobs.clear();
    send_outcome(shape, blobs, to);
    for (const auto& blob : blobs) send_bytes(blob, to);
  }
  template <Parcel T>
  void receive(T& parcel, std::uint32_t from) {
    const Announced announced = receive_outcome(from);
    Blobs blobs;
    if (announced.kind == Outcome::well)
      attempt([&] {
        parcel.make_room(announced.shape);
        blobs = parcel.blobs();
        check(blobs, announced);
      });
    for (std::size_t i = 0; i < announced.blobs; ++i)
      outcome_.kind == Outcome::well ? receive_bytes(blobs[i], from) : discard_bytes(announced.sizes[i], from);
  }

 private:
  // What is sent before blobs.
  struct Announced {
    Shape shape = {};
    std::array<std::uint64_t, most_blobs> sizes = {};
    std::uint64_t blobs = 0;
    std::uint64_t kind = 0, code = 0, rank = 0, subject_bytes = 0, text_bytes = 0;
  };

  std::uint32_t parent_below_root() const;
  void each_child(const std::function<void(std::uint32_t)>& visit) const;
  void keep_failure();
  void send_outcome(const Shape& shape, const Blobs& blobs, std::uint32_t to);
  Announced receive_outcome(std::uint32_t from);
  static void check(const Blobs& blobs, const Announced& announced);
  void send_bytes(std::span<const std::byte> bytes, std::uint32_t to);
  void receive_bytes(std::span<std::byte> bytes, std::uint32_t from);
  void discard_bytes(std::uint64_t count, std::uint32_t from);

  Ranks& ranks_;
  std::uint64_t call_;
  Outcome outcome_;
  std::exception_ptr own_;  // what was thrown here
};

/// A parcel of nothing.
struct Nothing {
  Shape shape() const { return {}; }
  void make_room(const Shape&) {}
  Blobs blobs() { return {}; }
};

template <typename Work>
void Exchange::agree(const Work& work) {
  Nothing nothing;
  gather(nothing, work, [](Nothing&, Nothing&) {});
  conclude();
}

}  // namespace proxel::distributed
