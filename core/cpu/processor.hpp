#pragma once

#include <cstdint>
#include <string>

namespace proxel::cpu {

/// The processor's name as the operating system gives it.
std::string processor_name();

/// Physical memory of the machine, bytes.
std::uint64_t physical_memory_bytes();

/// Threads that searches use: the environment variable PROXEL_CPU_THREADS
/// where it holds 1…1024, otherwise the processors this process may run on.
std::uint32_t thread_count();

}  // namespace proxel::cpu
