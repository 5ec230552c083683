#include "pass_script.hpp"

#include <cstring>

#include <fmt/format.h>

namespace proxel::conformance {

Texture& PassScript::texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers, TexelFormat format) {
  textures_.push_back(device_.create_texture(width, height, layers, format));
  return *textures_.back();
}

std::uint64_t PassScript::add(std::string name, GuardedBuffer::Role role, std::vector<std::byte> contents,
                              std::uint32_t skew) {
  buffers_.push_back(std::make_unique<GuardedBuffer>(device_, std::move(name), role, std::move(contents), skew));
  return buffers_.back()->address();
}

Support PassScript::support() const {
  for (const Pass& pass : passes_) {
    Support support = device_.supports(pass);
    if (!support) return Support::no(support.limit, fmt::format("{}: {}", pass.name(), support.reason));
  }
  return Support::yes();
}

void PassScript::run() {
  for (const Pass& pass : passes_) device_.prepare(pass);
  const auto commands = device_.create_commands(Timing::none);
  commands->begin();
  for (const Pass& pass : passes_) {
    commands->record(pass);
    commands->barrier();
  }
  commands->end();
  device_.submit(*commands);
  device_.wait();
  for (const auto& buffer : buffers_) buffer->fetch();
}

std::string PassScript::damage() const {
  for (const auto& buffer : buffers_)
    if (std::string damage = buffer->damage(); !damage.empty()) return damage;
  return {};
}

std::vector<std::pair<std::string, std::vector<std::byte>>> PassScript::answers() const {
  std::vector<std::pair<std::string, std::vector<std::byte>>> answers;
  for (const auto& buffer : buffers_)
    if (buffer->role() == GuardedBuffer::Role::output) answers.emplace_back(buffer->name(), buffer->contents());
  return answers;
}

namespace {

using Answers = std::vector<std::pair<std::string, std::vector<std::byte>>>;

std::string difference(const Answers& expected, const Answers& actual) {
  for (std::size_t buffer = 0; buffer < expected.size(); ++buffer) {
    const auto& [name, wanted] = expected[buffer];
    const auto& got = actual[buffer].second;
    std::string first;
    std::uint64_t differing = 0;
    for (std::size_t offset = 0; offset + 4 <= wanted.size(); offset += 4) {
      std::uint32_t wanted_word = 0;
      std::uint32_t got_word = 0;
      std::memcpy(&wanted_word, wanted.data() + offset, 4);
      std::memcpy(&got_word, got.data() + offset, 4);
      if (wanted_word == got_word) continue;
      if (differing++ == 0)
        first = fmt::format("{}: word {}: the reference has 0x{:08X}, this device 0x{:08X}", name, offset / 4,
                            wanted_word, got_word);
    }
    if (differing != 0) return fmt::format("{}; {} of {} words differ", first, differing, wanted.size() / 4);
  }
  return {};
}

class PassCheck : public Check {
 public:
  PassCheck(const Context& context, PassProgram program) : program_(std::move(program)) {
    PassScript script(context.reference);
    program_(script);
    if (const Support support = script.support(); !support) {
      reference_failure_ = "the reference device does not support " + support.reason;
      return;
    }
    script.run();
    expected_ = script.answers();
    if (const std::string damage = script.damage(); !damage.empty())
      reference_failure_ = "on the reference device itself: " + damage;
  }

  Verdict run(Device& device) override {
    if (!reference_failure_.empty()) return Verdict::fail(reference_failure_);
    PassScript script(device);
    try {
      program_(script);
    } catch (const Error& error) {
      // A texture may be larger than the device allows.
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
    if (const Support support = script.support(); !support) return Verdict::refuse(support);
    script.run();
    if (std::string damage = script.damage(); !damage.empty()) return Verdict::fail(std::move(damage));
    const Answers answers = script.answers();
    if (std::string text = difference(expected_, answers); !text.empty()) return Verdict::fail(std::move(text));
    std::vector<std::byte> answer;
    for (const auto& [name, bytes] : answers) answer.insert(answer.end(), bytes.begin(), bytes.end());
    return Verdict::pass(std::move(answer));
  }

 private:
  PassProgram program_;
  Answers expected_;
  std::string reference_failure_;
};

}  // namespace

std::unique_ptr<Check> check_passes(const Context& context, PassProgram program) {
  return std::make_unique<PassCheck>(context, std::move(program));
}

}  // namespace proxel::conformance
