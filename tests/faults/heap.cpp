#include "heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_set>

// gcc says which sanitizer there is by a macro, clang by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_HAS_THE_HEAP
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SANITIZER_HAS_THE_HEAP
#endif

// What neither fails nor is counted.
#if !defined(SANITIZER_HAS_THE_HEAP)
// The C library's own, under the names that are left when the test's stand in for them.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}
constexpr auto malloc_aside = __libc_malloc;
constexpr auto free_aside = __libc_free;
#else
constexpr auto malloc_aside = std::malloc;
constexpr auto free_aside = std::free;
#endif

namespace proxel::faults {
namespace {

std::atomic<bool> armed{false}, lasting_fault{false}, fired{false};
std::atomic<bool> whole_process{true};
std::atomic<std::uint64_t> seen{0}, failing_place{0};
thread_local bool of_this_thread = false;
thread_local unsigned not_ours = 0;

bool counted() { return not_ours == 0 && (whole_process.load(std::memory_order_relaxed) || of_this_thread); }

// Whether the next allocation is to find no memory.
bool refused() {
  if (!armed.load(std::memory_order_relaxed) || !counted()) return false;
  const std::uint64_t place = seen++;
  if (place != failing_place && !(lasting_fault && place > failing_place)) return false;
  fired = true;
  return true;
}

// Memory for what is known of memory.
template <typename T>
struct Aside {
  using value_type = T;
  Aside() = default;
  template <typename U>
  Aside(const Aside<U>&) {}
  T* allocate(std::size_t count) {
    void* memory = malloc_aside(count * sizeof(T));
    if (!memory) std::abort();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { free_aside(memory); }
  bool operator==(const Aside&) const { return true; }
};

// What was counted and is not freed. A new thread frees what the one that starts it has allocated for it, so that
// numbers of allocations and of frees would not do.
class NotFreed {
 public:
  void add(const void* memory) {
    const std::scoped_lock lock(mutex_);
    set_.insert(memory);
  }
  bool remove(const void* memory) {
    const std::scoped_lock lock(mutex_);
    return set_.erase(memory) != 0;
  }
  std::size_t size() {
    const std::scoped_lock lock(mutex_);
    return set_.size();
  }

 private:
  std::mutex mutex_;
  std::unordered_set<const void*, std::hash<const void*>, std::equal_to<>, Aside<const void*>> set_;
};

// It outlives everything that frees.
NotFreed& not_freed() {
  alignas(NotFreed) static std::byte place[sizeof(NotFreed)];
  static NotFreed& made = *new (place) NotFreed;
  return made;
}

void* given(void* memory) {
  if (memory && counted()) not_freed().add(memory);
  return memory;
}

void taken_back(const void* memory) {
  if (memory) not_freed().remove(memory);
}

}  // namespace

void Heap::set_scope(HeapScope scope) {
  whole_process = scope == HeapScope::process;
  of_this_thread = scope == HeapScope::thread;
}

void Heap::fail_from(std::uint64_t place, bool lasting) {
  seen = 0;
  fired = false;
  failing_place = place;
  lasting_fault = lasting;
  armed = true;
}

bool Heap::restore() {
  armed = false;
  return fired;
}

std::uint64_t Heap::asked() { return seen; }
std::int64_t Heap::live() { return static_cast<std::int64_t>(not_freed().size()); }

NotOurs::NotOurs() { ++not_ours; }
NotOurs::~NotOurs() { --not_ours; }

}  // namespace proxel::faults

using proxel::faults::given;
using proxel::faults::not_freed;
using proxel::faults::refused;
using proxel::faults::taken_back;

extern "C" {

#if !defined(SANITIZER_HAS_THE_HEAP)
static void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

void* malloc(std::size_t bytes) noexcept { return refused() ? no_memory() : given(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return refused() ? no_memory() : given(__libc_calloc(count, bytes));
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  if (refused()) return no_memory();
  if (!memory) return given(__libc_malloc(bytes));
  const bool known = not_freed().remove(memory);
  void* moved = __libc_realloc(memory, bytes);
  if (known && (moved || bytes != 0)) not_freed().add(moved ? moved : memory);
  return moved;
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return refused() ? no_memory() : given(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  *memory = memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
void free(void* memory) noexcept {
  taken_back(memory);
  __libc_free(memory);
}
#else
// The linker has the library ask for it here (--wrap).
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return refused() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
#endif

}  // extern "C"

#if defined(SANITIZER_HAS_THE_HEAP)
void* operator new(std::size_t bytes) {
  if (!refused())
    if (void* memory = given(std::malloc(bytes ? bytes : 1))) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept {
  taken_back(memory);
  std::free(memory);
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
#endif
