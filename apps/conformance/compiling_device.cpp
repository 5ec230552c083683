#include "compiling_device.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "case.hpp"
#include "driver_text.hpp"

namespace proxel::conformance {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

// Hands everything to the host's commands, but compiles what is recorded.
class CompilingDevice::CompilingCommands : public Commands {
 public:
  CompilingCommands(CompilingDevice& device, std::unique_ptr<Commands> host)
      : device_(device), host_(std::move(host)) {}
  Commands& host() { return *host_; }

  void record(const Pass& pass) override {
    device_.compile(pass);
    if (device_.executes(pass)) host_->record(pass);
  }
  void barrier() override { host_->barrier(); }
  void copy(const BufferView& from, const BufferView& to) override { host_->copy(from, to); }
  void fill(const BufferView& view, std::uint8_t byte) override { host_->fill(view, byte); }
  void push_label(std::string_view name) override { host_->push_label(name); }
  void pop_label() override { host_->pop_label(); }
  void begin() override { host_->begin(); }
  void end() override { host_->end(); }
  double milliseconds() const override { return host_->milliseconds(); }
  std::vector<PassTime> pass_times() const override { return host_->pass_times(); }

 private:
  CompilingDevice& device_;
  std::unique_ptr<Commands> host_;
};

CompilingDevice::CompilingDevice(std::unique_ptr<PassCompiler> compiler)
    : compiler_(std::move(compiler)), host_(open_device("cpu")) {
  info_ = compiler_->info();
  info_.usable = Support::yes();
  // Buffers are the host's.
  info_.capabilities.memory_bytes = host_->capabilities().memory_bytes;
  info_.capabilities.max_allocation_bytes = host_->capabilities().max_allocation_bytes;
}

Support CompilingDevice::supports(const Pass& pass) const { return compiler_->supports(pass); }

void CompilingDevice::prepare(const Pass& pass) {
  if (const Support support = supports(pass); !support)
    throw Error(ErrorCode::unsupported, pass.name(), support.reason);
  compile(pass);
}

std::unique_ptr<Buffer> CompilingDevice::create_buffer(std::uint64_t bytes, MemoryKind kind) {
  return host_->create_buffer(bytes, kind);
}

std::unique_ptr<Texture> CompilingDevice::create_texture(std::uint32_t width, std::uint32_t height,
                                                         std::uint32_t layers, TexelFormat format) {
  return host_->create_texture(width, height, layers, format);
}

std::unique_ptr<Commands> CompilingDevice::create_commands(Timing timing) {
  return std::make_unique<CompilingCommands>(*this, host_->create_commands(timing));
}

void CompilingDevice::submit(Commands& commands) { host_->submit(dynamic_cast<CompilingCommands&>(commands).host()); }

void CompilingDevice::begin_case(const std::string& name) {
  case_ = name;
  failure_.clear();
  skipped_ = false;
}

bool CompilingDevice::executes(const Pass& pass) {
  const bool has = pass.kind->reference != nullptr;
  skipped_ |= !has;
  return has;
}

void CompilingDevice::compile(const Pass& pass) {
  const auto [found, is_new] = pipelines_.try_emplace({pass.name(), pass.constants, pass.workgroup_size});
  PipelineReport& report = found->second;
  if (is_new) {
    report = {info_.id, pass.name(), {}, pass.workgroup_size, 0, {}, {}, case_, {}};
    for (std::uint32_t i = 0; i < pass.kind->constant_count; ++i)
      report.constants.emplace_back(pass.kind->constants[i], pass.constants[i]);
    DriverText text;
    try {
      CompiledPass compiled = compiler_->compile(pass);
      report.subgroup_size = compiled.subgroup_size;
      report.statistics = std::move(compiled.statistics);
    } catch (const Error& error) {
      report.error = error.what();
    }
    // RADV's compiler leaves out what it cannot translate, and calls that a success.
    if (const std::string said = text.take(); report.error.empty() && said.find("ERROR") != std::string::npos)
      report.error = one_line(said);
    else
      std::fputs(said.c_str(), stderr);
  }
  report.families.insert(family_of(case_));
  if (!report.error.empty()) failure_ = fmt::format("{} was not compiled: {}", pass.name(), report.error);
}

std::unique_ptr<Device> open_again(const Device& device) {
  return open_device(dynamic_cast<const CompilingDevice*>(&device) ? "cpu" : device.info().id);
}

std::vector<PipelineReport> CompilingDevice::pipelines() const {
  std::vector<PipelineReport> all;
  for (const auto& [key, report] : pipelines_) all.push_back(report);
  return all;
}

}  // namespace proxel::conformance
