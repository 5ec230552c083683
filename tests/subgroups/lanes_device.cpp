#include "lanes_device.hpp"

#include <vector>

#include "invocation.hpp"

namespace proxel::glsl {
namespace {
#include "shaders_with_subgroups.inc"

template <typename Shader>
void invoke() {
  Shader().main();
}

const std::map<std::string, std::function<void()>> shaders = {
#define PROXEL_SHADER(name) {#name, invoke<name>},
#include "shaders_with_subgroups_table.inc"
#undef PROXEL_SHADER
};

}  // namespace

// Runs when it is submitted, one step after the other.
class LanesDevice::Recorded : public Commands {
 public:
  explicit Recorded(LanesDevice& device) : device_(device) {}

  void record(const Pass& pass) override {
    add([this, pass] {
      if (!device_.run(pass)) on_host([&](Commands& host) { host.record(pass); });
    });
  }
  void copy(const BufferView& from, const BufferView& to) override {
    add([=, this] { on_host([&](Commands& host) { host.copy(from, to); }); });
  }
  void fill(const BufferView& view, std::uint8_t byte) override {
    add([=, this] { on_host([&](Commands& host) { host.fill(view, byte); }); });
  }
  void barrier() override {}
  void push_label(std::string_view) override {}
  void pop_label() override {}
  void begin() override { steps_.clear(); }
  void end() override {}
  double milliseconds() const override { return 0; }
  std::vector<PassTime> pass_times() const override { return {}; }

  void run() const {
    for (const auto& step : steps_) step();
  }

 private:
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  template <typename Write>
  void on_host(const Write& write) {
    const auto commands = device_.host_->create_commands(Timing::none);
    commands->begin();
    write(*commands);
    commands->end();
    device_.host_->submit(*commands);
    device_.host_->wait();
  }

  LanesDevice& device_;
  std::vector<std::function<void()>> steps_;
};

LanesDevice::LanesDevice(std::uint32_t subgroup_size) : host_(open_device("cpu:reference")) {
  info_ = host_->info();
  info_.id = "subgroups of " + std::to_string(subgroup_size);
  info_.capabilities.subgroup_size = subgroup_size;
}

std::unique_ptr<Commands> LanesDevice::create_commands(Timing) { return std::make_unique<Recorded>(*this); }

void LanesDevice::submit(Commands& commands) { dynamic_cast<Recorded&>(commands).run(); }

bool LanesDevice::run(const Pass& pass) {
  const auto shader = shaders.find(pass.name());
  if (shader == shaders.end()) return false;
  ++runs_[pass.name()];
  run_shader(pass, capabilities().subgroup_size, shader->second);
  return true;
}

}  // namespace proxel::glsl
