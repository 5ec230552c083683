#pragma once

// Selection of the k smallest keys by one workgroup out of very many.
//
// A pool in shared memory holds the keys that may still be among the k; keys
// beyond the bound are passed over, which costs a comparison. Where the pool
// fills, it is narrowed: the bound becomes a key that at least k and not many
// more keys do not pass, found by counting, and the keys beyond it are dropped.
//
// Every call is made by all threads of the workgroup, which has whole warps.

#include "kernels/bitonic_sort.cuh"
#include "kernels/distribution.cuh"
#include "kernels/key_range.cuh"
#include "kernels/order.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/types.h"

namespace proxel::cuda {

/// @tparam distributes  whether keys are put in order by where their values lie; else by comparisons
template <bool distributes>
class PoolSelect {
 public:
  /// Three turns of a reduction, so that one barrier per reduction suffices.
  struct Reductions {
    unsigned sum[3], low[3], high[3];
  };

  /// Shared memory of a pool, bytes.
  static __host__ __device__ constexpr unsigned shared_bytes(unsigned capacity) {
    return capacity * 8 + static_cast<unsigned>(sizeof(Reductions)) + Distribution::shared_bytes(buckets(capacity));
  }

  /// @param shared    shared_bytes(capacity)
  /// @param capacity  a power of two, at least 2 * k and 4 * workgroup size
  /// @param k         where fewer keys are offered they are all held
  __device__ PoolSelect(void* shared, unsigned capacity, unsigned k)
      : pool_(static_cast<Key*>(shared)),
        reductions_(reinterpret_cast<Reductions*>(pool_ + capacity)),
        distribution_(reductions_ + 1, buckets(capacity)),
        capacity_(capacity),
        k_(k) {
    if (threadIdx.x < 3) {
      reductions_->sum[threadIdx.x] = reductions_->high[threadIdx.x] = 0;
      reductions_->low[threadIdx.x] = ~0u;
    }
    __syncthreads();
  }

  /// Keys at or below may be among the k smallest; all others are not.
  __device__ Key bound() const { return bound_; }
  __device__ unsigned held() const { return held_; }
  /// Whether the bound is a guess, and whether, with all keys offered, the k smallest are held.
  __device__ bool guessed() const { return guessed_; }
  __device__ bool complete() const { return !guessed_ || held_ >= k_; }
  __device__ Key operator[](unsigned i) const { return pool_[i]; }

  /// Forgets the keys, not the bound.
  __device__ void clear() {
    held_ = 0;
    __syncthreads();
  }

  /// Forgets both.
  __device__ void restart() {
    bound_ = no_row - 1;
    guessed_ = false;
    clear();
  }

  /// Sets a first bound from the values of a chunk: the k-th smallest of the
  /// minima of groups of them is one. Where there are fewer, nothing is passed over.
  template <unsigned count, typename Chunk>
  __device__ __forceinline__ void prime(const Chunk& chunk) {
    if (2 * k_ <= blockDim.x)
      prime_groups<count, 1>(chunk, k_, k_ + k_ / 4);
    else if (2 * k_ <= 4 * blockDim.x)
      prime_groups<count, 4>(chunk, k_, k_ + k_ / 4);
    else if (k_ <= count * blockDim.x)
      prime_groups<count, count>(chunk, k_, k_ + k_ / 4);
  }

  /// The rank of a value of a sample that k of all values do not exceed, as a rule: how many of these the sample has varies as a Poisson
  /// variable does, and the rank is three deviations above what is expected. 0 where the minima of prime() say as much.
  /// @param sampled, columns  values of the sample and of all
  __device__ unsigned rank_of_sample(unsigned sampled, std::uint32_t columns) const {
    if (columns / 2 < sampled) return 0;
    const float mean = static_cast<float>(k_) * (static_cast<float>(sampled) / static_cast<float>(columns));
    const auto rank = static_cast<unsigned>(mean + 3 * sqrtf(mean)) + 3;
    return rank < k_ ? rank : 0;
  }

  /// Sets a first bound that is a guess, the value of a sample that has such a rank. Where fewer than k keys are held in the end, after
  /// all have been offered, it was too low: restart(), and offer them again.
  template <unsigned count, typename Chunk>
  __device__ __forceinline__ void guess(const Chunk& sample, unsigned rank) {
    prime_groups<count, count>(sample, rank, rank + rank / 8);
    guessed_ = true;
  }

  /// Offers `count` keys of each thread: chunk.key(j) is the j-th distance key and
  /// chunk.index(j) its index, 0xFFFFFFFF where there is none; chunk.chosen(bound)
  /// has a bit for each key that is not beyond the bound, and may have some for
  /// keys that are; chunk.chosen_key(j) is such a key.
  template <unsigned count, typename Chunk>
  __device__ __forceinline__ void offer(const Chunk& chunk) {
    const bool bounded = static_cast<std::uint32_t>(bound_ >> 32) != 0xFFFFFFFFu;
    const unsigned chosen = bounded ? chunk.chosen(bound_) : 0;
    if (const unsigned lanes = __ballot_sync(all_lanes, chosen != 0)) {
      unsigned place = place_for(__popc(chosen), lanes);
#pragma unroll
      for (unsigned j = 0; j < count; ++j)
        if (chosen >> j & 1) {
          if (place < capacity_) pool_[place] = chunk.chosen_key(j);
          ++place;
        }
    }
    const unsigned added = end_of_turn();
    unsigned next = count;
    std::uint32_t keys[count];
    std::uint32_t indices[count];
    if (bounded && held_ + added <= capacity_) {
      held_ += added;
    } else {
      // One key of each thread at a time, narrowing where they might not fit.
      next = 0;
#pragma unroll
      for (unsigned j = 0; j < count; ++j) {
        keys[j] = chunk.key(j);
        indices[j] = chunk.index(j);
      }
    }
#pragma unroll 1
    for (;; ++next) {
      // Few of a chunk pass a guess: nothing is narrowed before it must be.
      const unsigned spare = guessed_ ? min(2 * added, capacity_ / 2) : capacity_ / 2;
      const unsigned room = capacity_ - (next == count ? spare : blockDim.x);
      if (held_ > room) narrow(loose());
      if (next == count) break;
      const Key key = make_key(keys[next], indices[next]);
      if (key <= bound_) pool_[held_ + atomicAdd(&reductions_->sum[turn_], 1u)] = key;
      held_ += end_of_turn();
    }
  }

  /// Leaves at least k and at most `most` keys, if more than `most` are held.
  __device__ __forceinline__ void narrow(unsigned most) {
    if (held_ <= most) return;
    unsigned low = ~0u;
    unsigned high = 0;
    for (unsigned i = threadIdx.x; i < held_; i += blockDim.x) {
      const auto word = static_cast<unsigned>(pool_[i] >> 32);
      low = min(low, word);
      high = max(high, word);
    }
    range(low, high);
    const KeyRange words = select_key({low, high, held_, true}, k_, most, [&](unsigned middle) {
      unsigned count = 0;
      for (unsigned i = threadIdx.x; i < held_; i += blockDim.x)
        count += static_cast<unsigned>(pool_[i] >> 32) <= middle;
      return total(count);
    });
    bound_ = Key{words.high} << 32 | 0xFFFFFFFEu;
    if (words.reached > most) {
      // Too many values equal the k-th: the lowest indices among them decide.
      const KeyRange indices = select_key({0, 0xFFFFFFFEu, held_, false}, k_, most, [&](unsigned middle) {
        const Key trial = Key{words.high} << 32 | middle;
        unsigned count = 0;
        for (unsigned i = threadIdx.x; i < held_; i += blockDim.x) count += pool_[i] <= trial;
        return total(count);
      });
      bound_ = Key{words.high} << 32 | indices.high;
    }
    drop_beyond_bound();
  }

  /// Leaves few more than the k smallest.
  __device__ __forceinline__ void tighten() { narrow(loose()); }

  /// Writes one row of a result: the k smallest, ascending where that is asked for. The pool is clobbered.
  __device__ __forceinline__ void write(const passes::SelectionResult& result, const passes::SelectionRows& rows,
                                        std::uint32_t row, bool largest_first) {
    const auto write_slot = [&](unsigned slot, Key key) {
      write_selected(result, rows, row, slot, key, largest_first);
    };
    if (result.sorted == 0) {
      narrow(k_);
      write_pool(write_slot);
    } else {
      write_in_order(write_slot);
    }
    for (unsigned slot = min(held_, k_) + threadIdx.x; slot < result.k; slot += blockDim.x) write_slot(slot, no_row);
  }

  /// Calls write_slot(slot, key) with the k smallest in ascending order, or as many as are held, each thread with its own. The pool is
  /// clobbered.
  template <typename Write>
  __device__ __forceinline__ void write_in_order(const Write& write_slot) {
    if (distribute(write_slot)) return;
    sort();
    write_pool(write_slot);
  }

 private:
  static __host__ __device__ constexpr unsigned buckets(unsigned capacity) {
    return distributes ? capacity / passes::pool_keys_per_bucket : 2;
  }

  // Writes the first k keys.
  template <typename Write>
  __device__ __forceinline__ void write_pool(const Write& write_slot) const {
    for (unsigned slot = threadIdx.x; slot < min(held_, k_); slot += blockDim.x) write_slot(slot, pool_[slot]);
  }

  // Writes the k smallest by distribution. Returns false, and has written nothing, where that is not how their order is found soonest.
  template <typename Write>
  __device__ __forceinline__ bool distribute(const Write& write_slot) {
    constexpr unsigned at_once = passes::distributed_at_once;
    if (!distributes || k_ < passes::least_distributed || k_ > at_once * blockDim.x) return false;
    narrow(at_once * blockDim.x);
    Key keys[at_once];
    // While keys change their places they are in registers.
    const auto each = [&](const auto& use) {
#pragma unroll
      for (unsigned j = 0; j < at_once; ++j)
        if (const unsigned i = j * blockDim.x + threadIdx.x; i < held_) use(keys[j], i);
    };
    unsigned low = ~0u;
    unsigned high = 0;
    each([&](Key& key, unsigned i) {
      key = pool_[i];
      low = min(low, static_cast<unsigned>(key >> 32));
      high = max(high, static_cast<unsigned>(key >> 32));
    });
    if (!distribution_.begin(low, high)) return false;
    each([&](Key key, unsigned) { distribution_.count(key); });
    if (!distribution_.end()) return false;
    each([&](Key key, unsigned) { pool_[distribution_.place(key)] = key; });
    __syncthreads();
    distribution_.each_of(pool_, min(held_, k_), write_slot);
    return true;
  }

  // Leaves the k smallest first, ascending.
  __device__ __forceinline__ void sort() {
    // A few more than k are found sooner; many more take longer to sort.
    constexpr unsigned many = 200;
    unsigned size = 2;
    while (size < (k_ < many ? k_ + k_ / 8 : k_)) size *= 2;
    narrow(min(size, capacity_));
    size = 2;
    while (size < held_) size *= 2;
    for (unsigned i = held_ + threadIdx.x; i < size; i += blockDim.x) pool_[i] = no_row;
    __syncthreads();
    bitonic_sort(pool_, size);
  }

  // Few more than k: a tighter bound costs more than it saves.
  __device__ unsigned loose() const { return min(k_ + k_ / 4 + 16, capacity_ / 2); }

  // The place of the first of a thread's keys; `lanes` are those that have any.
  __device__ __forceinline__ unsigned place_for(unsigned mine, unsigned lanes) {
    constexpr unsigned few = 4;
    if (__popc(lanes) <= few) return mine == 0 ? 0 : held_ + atomicAdd(&reductions_->sum[turn_], mine);
    const unsigned lane = threadIdx.x % 32;
    const unsigned sum = warp_sum_through(mine);
    unsigned first = 0;
    if (lane == 31) first = atomicAdd(&reductions_->sum[turn_], sum);
    return held_ + __shfl_sync(all_lanes, first, 31) + sum - mine;
  }

  // Completes a turn: everything written before is visible, and the sum is returned.
  __device__ __forceinline__ unsigned end_of_turn() {
    const unsigned next = turn_ == 2 ? 0 : turn_ + 1;
    if (threadIdx.x == 0) {
      reductions_->sum[next] = reductions_->high[next] = 0;
      reductions_->low[next] = ~0u;
    }
    __syncthreads();
    const unsigned sum = reductions_->sum[turn_];
    last_ = turn_;
    turn_ = next;
    return sum;
  }

  __device__ unsigned total(unsigned mine) {
    mine = __reduce_add_sync(all_lanes, mine);
    if (threadIdx.x % 32 == 0 && mine != 0) atomicAdd(&reductions_->sum[turn_], mine);
    return end_of_turn();
  }

  __device__ void range(unsigned& low, unsigned& high) {
    low = __reduce_min_sync(all_lanes, low);
    high = __reduce_max_sync(all_lanes, high);
    if (threadIdx.x % 32 == 0) {
      atomicMin(&reductions_->low[turn_], low);
      atomicMax(&reductions_->high[turn_], high);
    }
    end_of_turn();
    low = reductions_->low[last_];
    high = reductions_->high[last_];
  }

  // Sets the bound to one of the minima of groups of the chunk that at least `least` of them do not pass, and `most` as a rule.
  template <unsigned count, unsigned groups, typename Chunk>
  __device__ __forceinline__ void prime_groups(const Chunk& chunk, unsigned least, unsigned most) {
    unsigned minima[groups];
    unsigned low = ~0u;
    unsigned high = 0;
#pragma unroll
    for (unsigned g = 0; g < groups; ++g) {
      minima[g] = ~0u;
#pragma unroll
      for (unsigned j = 0; j < count / groups; ++j) minima[g] = min(minima[g], chunk.key(g * (count / groups) + j));
      low = min(low, minima[g]);
      high = max(high, minima[g]);
    }
    range(low, high);
    const KeyRange all{low, high, groups * blockDim.x, true};
    const KeyRange found = select_key(all, least, most, [&](unsigned middle) {
      unsigned reached = 0;
#pragma unroll
      for (unsigned g = 0; g < groups; ++g) reached += minima[g] <= middle;
      return total(reached);
    });
    bound_ = Key{found.high} << 32 | 0xFFFFFFFEu;
  }

  __device__ __forceinline__ void drop_beyond_bound() {
    unsigned kept = 0;
    for (unsigned first = 0; first < held_; first += blockDim.x) {
      const unsigned i = first + threadIdx.x;
      const Key key = i < held_ ? pool_[i] : no_row;
      const bool keep = key <= bound_;
      const unsigned lanes = __ballot_sync(all_lanes, keep);
      unsigned place = 0;
      if (threadIdx.x % 32 == 0 && lanes != 0) place = atomicAdd(&reductions_->sum[turn_], __popc(lanes));
      place = __shfl_sync(all_lanes, place, 0);
      const unsigned added = end_of_turn();
      // No more keys are kept than were read: these places have been read by all.
      if (keep) pool_[kept + place + __popc(lanes & ((1u << (threadIdx.x % 32)) - 1))] = key;
      kept += added;
    }
    held_ = kept;
    __syncthreads();
  }

  Key* pool_;
  Reductions* reductions_;
  Distribution distribution_;
  unsigned capacity_;
  unsigned k_;
  bool guessed_ = false;
  unsigned held_ = 0;  // keys in the pool
  unsigned turn_ = 0;
  unsigned last_ = 0;
  Key bound_ = no_row - 1;  // everything but no_row
};

}  // namespace proxel::cuda
