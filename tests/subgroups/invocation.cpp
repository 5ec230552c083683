// Stacks are changed by longjmp(), upwards too.
#undef _FORTIFY_SOURCE
#include "invocation.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include <setjmp.h>
#include <ucontext.h>

namespace proxel::glsl {
namespace {

// To another stack, which has stopped in here before. Not swapcontext(), which asks the system.
void switch_stacks(jmp_buf from, jmp_buf to) {
  if (_setjmp(from) == 0) _longjmp(to, 1);
}

// What an invocation stops at.
enum class Stop { none, workgroup, subgroup_barrier, ballot, all, elect, first, add, least, most, inclusive, end };

constexpr std::size_t stack_bytes = std::size_t{64} << 10;

struct Lane {
  ucontext_t context{};  // where it begins
  jmp_buf stopped{};
  bool begun = false;
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(stack_bytes);
  Stop stop = Stop::none;
  uint said = 0;
};

// What the lanes of a subgroup said when they last met.
struct Meeting {
  std::vector<uint> said;
  std::vector<bool> present;
};

class Workgroup {
 public:
  Workgroup(const Pass& executed, uint subgroup_size, uvec3 place, const std::function<void()>& invocation)
      : pass(executed),
        size(subgroup_size),
        id(place),
        lanes_(pass.workgroup_size),
        invocation_(invocation),
        meetings_((pass.workgroup_size + size - 1) / size) {
    running = this;
    for (Lane& lane : lanes_) begin(lane);
  }
  ~Workgroup() { running = nullptr; }
  Workgroup(const Workgroup&) = delete;
  Workgroup& operator=(const Workgroup&) = delete;

  void run() {
    for (bool some = true; some;) {
      some = false;
      for (current = 0; current < lanes_.size(); ++current)
        if (lanes_[current].stop == Stop::none) {
          resume(lanes_[current]);
          some = true;
        }
      for (uint subgroup = 0; subgroup < meetings_.size(); ++subgroup) some |= meet(subgroup);
      some |= pass_barrier();
    }
    for (const Lane& lane : lanes_)
      if (lane.stop != Stop::end) throw std::logic_error("invocations wait for each other at different places");
  }

  // Called by the lane that runs; returns when all others have come.
  void wait_at(Stop stop, uint said) {
    Lane& lane = lanes_[current];
    lane.stop = stop;
    lane.said = said;
    switch_stacks(lane.stopped, scheduler_);
  }
  const Meeting& meeting() const { return meetings_[current / size]; }

  const Pass& pass;
  uint size;  // of subgroups
  uvec3 id;
  uint current = 0;
  std::map<std::string, std::vector<std::uint64_t>> shared;

  static Workgroup* running;

 private:
  void begin(Lane& lane) {
    getcontext(&lane.context);
    lane.context.uc_stack = {lane.stack.get(), 0, stack_bytes};
    lane.context.uc_link = nullptr;
    makecontext(&lane.context, &Workgroup::enter, 0);
  }
  static void enter() {
    running->invocation_();
    running->lanes_[running->current].stop = Stop::end;
    _longjmp(running->scheduler_, 1);
  }
  void resume(Lane& lane) {
    if (lane.begun) {
      switch_stacks(scheduler_, lane.stopped);
      return;
    }
    lane.begun = true;
    if (_setjmp(scheduler_) == 0) setcontext(&lane.context);
  }

  bool meet(uint subgroup) {
    const uint first = subgroup * size;
    const uint end = min(first + size, static_cast<uint>(lanes_.size()));
    Stop where = Stop::end;
    for (uint i = first; i < end; ++i) {
      if (lanes_[i].stop == Stop::end) continue;
      if (lanes_[i].stop == Stop::workgroup || lanes_[i].stop == Stop::none) return false;
      if (where != Stop::end && where != lanes_[i].stop)
        throw std::logic_error("the invocations of a subgroup are at different operations");
      where = lanes_[i].stop;
    }
    if (where == Stop::end) return false;
    Meeting& meeting = meetings_[subgroup];
    meeting.said.assign(size, 0);
    meeting.present.assign(size, false);
    for (uint i = first; i < end; ++i) {
      if (lanes_[i].stop == Stop::end) continue;
      meeting.said[i - first] = lanes_[i].said;
      meeting.present[i - first] = true;
      lanes_[i].stop = Stop::none;
    }
    return true;
  }

  bool pass_barrier() {
    std::size_t waiting = 0;
    for (const Lane& lane : lanes_) waiting += lane.stop == Stop::workgroup;
    if (waiting != lanes_.size()) return false;
    for (Lane& lane : lanes_) lane.stop = Stop::none;
    return true;
  }

  std::vector<Lane> lanes_;
  const std::function<void()>& invocation_;
  std::vector<Meeting> meetings_;
  jmp_buf scheduler_{};
};

Workgroup* Workgroup::running = nullptr;

const Meeting& met_at(Stop stop, uint said = 0) {
  Workgroup::running->wait_at(stop, said);
  return Workgroup::running->meeting();
}

uint own_lane() { return Workgroup::running->current % Workgroup::running->size; }

template <typename Operation>
uint reduced(const Meeting& meeting, uint start, uint lanes, const Operation& operation) {
  for (uint i = 0; i < lanes; ++i)
    if (meeting.present[i]) start = operation(start, meeting.said[i]);
  return start;
}

uint whole() { return Workgroup::running->size; }
uint sum(uint a, uint b) { return a + b; }

}  // namespace

Invocation::Invocation() {
  const Workgroup& workgroup = *Workgroup::running;
  gl_LocalInvocationID = {workgroup.current, 0, 0};
  gl_WorkGroupID = workgroup.id;
  gl_NumWorkGroups = {workgroup.pass.grid.x, workgroup.pass.grid.y, workgroup.pass.grid.z};
  gl_SubgroupSize = workgroup.size;
  gl_SubgroupID = workgroup.current / workgroup.size;
  gl_SubgroupInvocationID = workgroup.current % workgroup.size;
  gl_NumSubgroups = (workgroup.pass.workgroup_size + workgroup.size - 1) / workgroup.size;
}

uint Invocation::specialisation(uint number) {
  const Pass& pass = Workgroup::running->pass;
  return number < 4 ? pass.constants[number] : pass.workgroup_size;
}
const void* Invocation::parameter_bytes() { return Workgroup::running->pass.parameters.data(); }
void* Invocation::shared_memory(const char* name, std::size_t bytes) {
  auto& memory = Workgroup::running->shared[name];
  // What is there at first may be anything.
  if (memory.empty()) memory.assign(bytes / 8 + 1, 0xA5A5A5A5A5A5A5A5u);
  return memory.data();
}

void Invocation::barrier() { Workgroup::running->wait_at(Stop::workgroup, 0); }
void Invocation::subgroupBarrier() { met_at(Stop::subgroup_barrier); }
uvec4 Invocation::subgroupBallot(bool said) {
  const Meeting& meeting = met_at(Stop::ballot, said);
  uvec4 lanes(0u);
  for (uint i = 0; i < whole(); ++i)
    if (meeting.present[i] && meeting.said[i]) lanes[i / 32] |= 1u << i % 32;
  return lanes;
}
bool Invocation::subgroupAll(bool said) {
  return reduced(met_at(Stop::all, said), 1, whole(), [](uint a, uint b) { return a & b; }) != 0;
}
bool Invocation::subgroupElect() {
  const Meeting& meeting = met_at(Stop::elect);
  return std::find(meeting.present.begin(), meeting.present.end(), true) - meeting.present.begin() == own_lane();
}
uint Invocation::subgroupBroadcastFirst(uint value) {
  const Meeting& meeting = met_at(Stop::first, value);
  const auto first = std::find(meeting.present.begin(), meeting.present.end(), true);
  return meeting.said[static_cast<std::size_t>(first - meeting.present.begin())];
}
uint Invocation::subgroupAdd(uint value) { return reduced(met_at(Stop::add, value), 0, whole(), sum); }
uint Invocation::subgroupMin(uint value) {
  return reduced(met_at(Stop::least, value), ~0u, whole(), [](uint a, uint b) { return min(a, b); });
}
uint Invocation::subgroupMax(uint value) {
  return reduced(met_at(Stop::most, value), 0, whole(), [](uint a, uint b) { return max(a, b); });
}
uint Invocation::subgroupInclusiveAdd(uint value) {
  return reduced(met_at(Stop::inclusive, value), 0, own_lane() + 1, sum);
}
uint Invocation::subgroupBallotBitCount(const uvec4& lanes) {
  uint count = 0;
  for (uint i = 0; i < whole(); ++i) count += lanes[i / 32] >> i % 32 & 1u;
  return count;
}
uint Invocation::subgroupBallotExclusiveBitCount(const uvec4& lanes) {
  uint count = 0;
  for (uint i = 0; i < own_lane(); ++i) count += lanes[i / 32] >> i % 32 & 1u;
  return count;
}

void run_shader(const Pass& pass, uint subgroup_size, const std::function<void()>& invocation) {
  for (uint z = 0; z < pass.grid.z; ++z)
    for (uint y = 0; y < pass.grid.y; ++y)
      for (uint x = 0; x < pass.grid.x; ++x) Workgroup(pass, subgroup_size, {x, y, z}, invocation).run();
}

}  // namespace proxel::glsl
