#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "glsl.hpp"
#include "proxel/pass.hpp"

namespace proxel::glsl {

/// Memory of a workgroup that is an array of rows.
template <typename T>
struct Table {
  T* first;
  uint columns;
  T* operator[](uint row) const { return first + std::size_t{row} * columns; }
};

/// What an invocation of a shader finds around it, for one that is running.
class Invocation {
 public:
  Invocation();

  uvec3 gl_LocalInvocationID, gl_WorkGroupID, gl_NumWorkGroups;
  uint gl_SubgroupSize, gl_SubgroupID, gl_SubgroupInvocationID, gl_NumSubgroups;

 protected:
  static uint specialisation(uint number);
  template <typename T>
  static T parameters() {
    T value;
    static_assert(sizeof value <= 128);
    std::memcpy(&value, parameter_bytes(), sizeof value);
    return value;
  }
  template <typename T>
  static T* array(const char* name, std::size_t count) {
    return static_cast<T*>(shared_memory(name, count * sizeof(T)));
  }
  template <typename T>
  static Table<T> table(const char* name, uint rows, uint columns) {
    return {array<T>(name, std::size_t{rows} * columns), columns};
  }
  static void* pointer(uvec2 address) { return reinterpret_cast<void*>(std::uint64_t{address.y} << 32 | address.x); }

  static void barrier();
  static void memoryBarrierBuffer() {}
  static void memoryBarrierShared() {}
  static void subgroupMemoryBarrierShared() {}
  static void subgroupBarrier();
  static uvec4 subgroupBallot(bool said);
  static bool subgroupAll(bool said);
  static bool subgroupElect();
  static uint subgroupBroadcastFirst(uint value);
  static uint subgroupAdd(uint value);
  static uint subgroupMin(uint value);
  static uint subgroupMax(uint value);
  static uint subgroupInclusiveAdd(uint value);
  static uint subgroupBallotBitCount(const uvec4& lanes);
  static uint subgroupBallotExclusiveBitCount(const uvec4& lanes);

 private:
  static const void* parameter_bytes();
  static void* shared_memory(const char* name, std::size_t bytes);
};

/// Runs all workgroups of a pass, one after the other: one invocation at a time, up to a barrier or an
/// operation of its subgroup, in which all invocations of the subgroup meet.
/// Throws std::logic_error where they do not: some wait for others that wait elsewhere or have ended.
void run_shader(const Pass& pass, uint subgroup_size, const std::function<void()>& invocation);

}  // namespace proxel::glsl
