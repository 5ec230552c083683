#include "heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

// gcc says which sanitizer there is by a macro, clang by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_HAS_THE_HEAP
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SANITIZER_HAS_THE_HEAP
#endif

namespace proxel::faults {
namespace {

std::atomic<bool> armed{false}, lasting_fault{false}, fired{false};
std::atomic<bool> whole_process{true};
std::atomic<std::uint64_t> seen{0}, failing_place{0};
std::atomic<std::int64_t> not_freed{0};
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

void* given(void* memory) {
  if (memory && counted()) ++not_freed;
  return memory;
}

void taken_back(const void* memory) {
  if (memory && counted()) --not_freed;
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
std::int64_t Heap::live() { return not_freed; }

NotOurs::NotOurs() { ++not_ours; }
NotOurs::~NotOurs() { --not_ours; }

}  // namespace proxel::faults

using proxel::faults::given;
using proxel::faults::refused;
using proxel::faults::taken_back;

extern "C" {

#if !defined(SANITIZER_HAS_THE_HEAP)
// The C library's own, under the names that are left when these stand in for them.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

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
  void* moved = __libc_realloc(memory, bytes);
  return memory ? moved : given(moved);
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
