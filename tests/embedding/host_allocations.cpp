#include "host_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local HostAllocations counts;
thread_local unsigned pauses = 0;

}  // namespace

HostAllocations HostAllocations::so_far() { return counts; }
NotCounted::NotCounted() { ++pauses; }
NotCounted::~NotCounted() { --pauses; }

// gcc says which sanitizer there is by a macro, clang by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_HAS_THE_HEAP
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_HAS_THE_HEAP
#endif

#if defined(__GLIBC__) && !defined(SANITIZER_HAS_THE_HEAP)
bool HostAllocations::counted() { return true; }

// The C library's own, under the names that are left when these stand in for them.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);

void* malloc(std::size_t bytes) noexcept {
  if (pauses == 0) ++counts.all;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (pauses == 0) ++counts.all;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  if (pauses == 0) ++counts.all;
  return __libc_realloc(memory, bytes);
}
}

void* operator new(std::size_t bytes) {
  if (pauses == 0) ++counts.by_new;
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
#else
bool HostAllocations::counted() { return false; }
#endif
