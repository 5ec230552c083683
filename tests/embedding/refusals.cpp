#include "refusals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

using namespace proxel;

namespace {

// Counts what is recorded, of a device that never sees it.
class Counted : public Recording {
 public:
  explicit Counted(const Device& device) : device_(device) {}
  const Device* executes_on() const override { return &device_; }
  void record(const Pass&) override { ++calls; }
  void barrier() override { ++calls; }
  void copy(const BufferView&, const BufferView&) override { ++calls; }
  void fill(const BufferView&, std::uint8_t) override { ++calls; }
  void push_label(std::string_view) override { ++calls; }
  void pop_label() override { ++calls; }

  std::uint64_t calls = 0;

 private:
  const Device& device_;
};

// A buffer of an address that is none, as rows have that were never made.
class Nowhere : public Buffer {};

using Views = std::vector<BufferView>;

// One search, with buffers as it needs them.
class Trial {
 public:
  Trial(Device& device, const Recordable& search) : device_(device), search_(search) {
    for (const Recordable::Role& role : search.roles) {
      buffers_.push_back(device.create_buffer(bytes_of(role), MemoryKind::device));
      views_.emplace_back(*buffers_.back());
    }
  }

  std::size_t size() const { return views_.size(); }
  const Recordable::Role& role(std::size_t i) const { return search_.roles[i]; }
  const Views& views() const { return views_; }
  // Where a role needs no bytes, its input tells how large it is.
  std::uint64_t bytes_of(const Recordable::Role& role) const {
    const auto i = static_cast<std::size_t>(&role - search_.roles.data());
    const std::uint64_t given = i < search_.inputs.size() ? search_.inputs[i].size() : 0;
    return std::max({role.bytes, given, std::uint64_t{4}});
  }

  void check_accepted() const {
    Counted recording(device_);
    search_.record(recording, views_);
    CHECK(recording.calls > 0);
  }

  // @param other  whose name may be the one that is said; or empty
  void check_refused(std::size_t i, const BufferView& wrong, const std::string& other = {}) const {
    Views views = views_;
    views[i] = wrong;
    check_refused(views, role(i).name, other);
  }
  void check_refused(const Views& views, const std::string& name, const std::string& other = {}) const {
    CAPTURE(name);
    Counted recording(device_);
    try {
      search_.record(recording, views);
      FAIL_CHECK("was accepted");
    } catch (const Error& error) {
      CAPTURE(error.what());
      CHECK(error.code() == ErrorCode::invalid_argument);
      const bool named = error.subject() == name || error.subject() == other;
      CHECK(named);
    }
    CHECK(recording.calls == 0);
  }

 private:
  Device& device_;
  const Recordable& search_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  Views views_;
};

void check_missing(const Trial& trial) {
  for (std::size_t i = 0; i < trial.size(); ++i) {
    if (trial.role(i).optional) continue;
    if (trial.role(i).bytes != 0) trial.check_refused(i, {});
    Nowhere nowhere;
    if (trial.role(i).name == "rows address") trial.check_refused(i, BufferView(nowhere));
  }
}

void check_extents(const Trial& trial) {
  for (std::size_t i = 0; i < trial.size(); ++i) {
    const std::uint64_t bytes = trial.role(i).bytes;
    if (bytes == 0) continue;
    Buffer& buffer = *trial.views()[i].buffer;
    trial.check_refused(i, {buffer, 0, bytes - 1});
    trial.check_refused(i, {buffer, buffer.bytes(), bytes});
    trial.check_refused(i, {buffer, 256, buffer.bytes()});
    trial.check_refused(i, {buffer, UINT64_MAX - 255, buffer.bytes() + 256});
    trial.check_refused(i, {buffer, 0, UINT64_MAX});
    trial.check_refused(i, {buffer, 256, UINT64_MAX - 128});
  }
}

void check_devices(const Trial& trial, std::span<Device* const> others) {
  for (Device* other : others)
    for (std::size_t i = 0; i < trial.size(); ++i) {
      if (trial.role(i).bytes == 0) continue;
      const auto foreign = other->create_buffer(trial.bytes_of(trial.role(i)), MemoryKind::device);
      trial.check_refused(i, *foreign);
    }
}

// Results and scratch memory are written; whatever shares a byte with one of them is refused.
void check_overlaps(const Trial& trial, Device& device, std::size_t inputs) {
  for (std::size_t written = inputs; written < trial.size(); ++written)
    for (std::size_t i = 0; i < trial.size(); ++i) {
      const std::uint64_t one = trial.role(written).bytes;
      const std::uint64_t other = trial.bytes_of(trial.role(i));
      if (i == written || one == 0 || (trial.role(i).bytes == 0 && trial.role(i).name != "rows address")) continue;
      const auto both = device.create_buffer(std::max(one, other) + 256, MemoryKind::device);
      Views views = trial.views();
      views[written] = {*both, 0, one};
      views[i] = {*both, 0, other};
      const std::string second = trial.role(i).name == "rows address" ? "rows" : trial.role(i).name;
      trial.check_refused(views, trial.role(written).name, second);
    }
}

}  // namespace

void check_refusals(Device& device, std::span<Device* const> others) {
  std::size_t tried = 0;
  for (const Recordable& search : recordables(device)) {
    CAPTURE(search.name);
    if (!search.record || search.roles.empty()) continue;
    const Trial trial(device, search);
    trial.check_accepted();
    check_missing(trial);
    check_extents(trial);
    check_devices(trial, others);
    check_overlaps(trial, device, search.inputs.size());
    ++tried;
  }
  // Every device has most of them.
  CHECK(tried >= 40);
}
