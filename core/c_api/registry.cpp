#include "c_api/registry.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "c_api/boundary.hpp"

namespace proxel::c_api {
namespace {

// One device and everything made from it.
struct Group {
  Call* user = nullptr;
  std::vector<std::shared_ptr<void>> left;  // destroyed meanwhile, for the user to free
};
using Groups = std::vector<std::shared_ptr<Group>>;

struct Slot {
  std::shared_ptr<void> object;  // none: the slot is free
  Groups groups;
  HandleKind kind{};
  std::uint32_t generation = 0;
};

// A handle's bits: a mark that no address of a program begins with, then the generation, then the slot.
constexpr std::uint64_t mark = 0x5058, mark_at = 48, generation_at = 24, field = (1u << 24) - 1;
static_assert(sizeof(void*) == 8, "handles are numbers of 64 bits");

std::uint64_t number_of(const void* handle) { return reinterpret_cast<std::uint64_t>(handle); }

void* handle_of(std::uint64_t slot, std::uint32_t generation) {
  return reinterpret_cast<void*>(mark << mark_at | (generation & field) << generation_at | slot);
}

constexpr std::array<const char*, 11> kind_names{"device",         "device list",    "buffer",        "recording",
                                                 "semaphore",      "answer",         "index",         "plan",
                                                 "signature file", "data of a file", "list of wishes"};

static_assert(kind_names.size() == static_cast<std::size_t>(HandleKind::vulkan_wishes) + 1);

const char* name_of(HandleKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

struct Registry {
  std::mutex mutex;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> free;
  std::unordered_map<const Device*, std::weak_ptr<Group>> groups;

  // Null for a handle that is none; `why` says what it is.
  Slot* find(const void* handle, HandleKind kind, std::string& why) {
    const std::uint64_t number = number_of(handle), place = number & field;
    if (number >> mark_at != mark || place >= slots.size()) {
      why = "is not a handle that proxel made";
      return nullptr;
    }
    Slot& slot = slots[place];
    if (!slot.object || (slot.generation & field) != (number >> generation_at & field)) {
      why = "has been destroyed";
      return nullptr;
    }
    if (slot.kind != kind) {
      why = fmt::format("is a handle of another kind ({}); {} is expected", name_of(slot.kind), name_of(kind));
      return nullptr;
    }
    return &slot;
  }

  std::shared_ptr<Group> group_of(const Device* device) {
    if (const auto known = groups.find(device); known != groups.end())
      if (auto group = known->second.lock()) return group;
    std::erase_if(groups, [](const auto& entry) { return entry.second.expired(); });
    auto group = std::make_shared<Group>();
    groups[device] = group;
    return group;
  }
};

// Never destroyed: handles may be used while the program ends.
Registry& registry() {
  static auto& only = *new Registry;
  return only;
}

}  // namespace

// The calls of a thread, one inside the other.
struct CallStack {
  Call* latest = nullptr;
  std::vector<std::shared_ptr<void>> kept;  // what they use
  Groups used;                              // and nobody else

  bool has(const Call* call) const {
    for (const Call* one = latest; one; one = one->outer_)
      if (one == call) return true;
    return false;
  }
  // The registry is locked when this is called.
  void use(const std::shared_ptr<Group>& group) {
    if (group->user == latest) return;
    used.push_back(group);
    group->user = latest;
  }
  void begin(Call& call) {
    call.outer_ = std::exchange(latest, &call);
    call.kept_ = kept.size();
    call.used_ = used.size();
  }
  void end(Call& call) {
    kept.resize(call.kept_);
    while (used.size() > call.used_) {
      release(*used.back());
      used.pop_back();
    }
    latest = call.outer_;
  }
  // What others have destroyed goes before anybody else can use the device.
  static void release(Group& group) {
    while (true) {
      std::vector<std::shared_ptr<void>> left;
      const std::scoped_lock lock(registry().mutex);
      left.swap(group.left);
      if (left.empty()) {
        group.user = nullptr;
        return;
      }
    }
  }
};

namespace {
thread_local CallStack calls;
}

Call::Call() { calls.begin(*this); }
Call::~Call() { calls.end(*this); }

void* add_handle(HandleKind kind, std::shared_ptr<void> object, std::span<Device* const> devices) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  Groups groups;
  for (const Device* device : devices) groups.push_back(all.group_of(device));
  if (all.free.empty()) {
    if (all.slots.size() > field)
      throw Error(ErrorCode::out_of_memory, name_of(kind), "there are 2^24 handles already");
    // So that destroying allocates nothing; by doubling, so that the list is not copied for every handle.
    if (all.free.capacity() <= all.slots.size()) all.free.reserve(2 * all.slots.size() + 1);
    all.slots.emplace_back();
    all.free.push_back(static_cast<std::uint32_t>(all.slots.size() - 1));
  }
  const std::uint32_t place = all.free.back();
  all.free.pop_back();
  Slot& slot = all.slots[place];
  slot.object = std::move(object);
  slot.groups = std::move(groups);
  slot.kind = kind;
  return handle_of(place, ++slot.generation);
}

void* resolve(const void* handle, HandleKind kind, Use use, const char* argument) {
  Registry& all = registry();
  std::string why;
  {
    const std::scoped_lock lock(all.mutex);
    if (const Slot* slot = all.find(handle, kind, why)) {
      bool free = true;
      for (const auto& group : slot->groups) {
        if (use == Use::reading || !group->user || group->user == calls.latest) continue;
        free = false;
        why = calls.has(group->user)
                  ? "is used by the call whose progress callback this is"
                  : "is used by another thread; a device and what is made from it serve one thread at a time";
      }
      if (free) {
        calls.kept.push_back(slot->object);
        if (use == Use::alone)
          for (const auto& group : slot->groups) calls.use(group);
        return slot->object.get();
      }
    }
  }
  refuse(argument, why);
}

void destroy_handle(const void* handle, HandleKind kind) noexcept {
  if (!handle) return;
  try {
    const Call call;
    std::shared_ptr<void> object;
    std::string why;
    {
      Registry& all = registry();
      const std::scoped_lock lock(all.mutex);
      if (Slot* slot = all.find(handle, kind, why)) {
        object = std::move(slot->object);
        const Groups groups = std::move(slot->groups);
        all.free.push_back(static_cast<std::uint32_t>(number_of(handle) & field));
        const auto busy = std::find_if(groups.begin(), groups.end(), [](const auto& group) { return group->user; });
        if (busy != groups.end())
          (*busy)->left.push_back(std::move(object));
        else
          for (const auto& group : groups) calls.use(group);
      }
    }
    object.reset();
    if (!why.empty()) refuse(name_of(kind), why);
  } catch (...) {
    remember_failure();
  }
}

}  // namespace proxel::c_api
