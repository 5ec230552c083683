#include "bench/papers/komarov_pair.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/papers/rows.hpp"
#include "bench/timing.hpp"
#include "proxel/papers/komarov.hpp"

namespace proxel::tool::papers {
namespace {

constexpr std::uint32_t dimensions = 128;
constexpr std::uint64_t neighbors = 16;
constexpr const char* one_product = "one product";
constexpr const char* two_products = "two searches";

// Two sets of as many vectors on a device, and room for what they find in each other.
class Sets {
 public:
  Sets(Device& device, std::uint32_t count, std::uint64_t seed) : device_(device) {
    for (auto& set : sets_) {
      const Matrix<float> values = normal_matrix(count, dimensions, seed++);
      set = device.create_buffer(count * std::uint64_t{dimensions} * 4, MemoryKind::device);
      upload(device, *set, values.data());
    }
    for (auto& answer : answers_) answer = device.create_buffer(count * neighbors * 4, MemoryKind::device);
    description_.rows = description_.queries = count;
    description_.dimensions = dimensions;
    description_.k = neighbors;
    // As much as lets either search take a single matrix, within what there is and what one buffer may have.
    const Capabilities& has = device.capabilities();
    description_.scratch_limit = std::min({std::uint64_t{16} << 30, has.memory_bytes / 4, has.max_allocation_bytes});
  }

  bool record_pair(Commands& commands) {
    const KomarovPairPlan plan = KomarovPairPlan::make(device_, description_);
    scratch_ = device_.create_buffer(plan.requirements().scratch.bytes, MemoryKind::device);
    commands.begin();
    plan.record(commands, {*sets_[0], *sets_[1], *scratch_, *answers_[0], *answers_[1], *answers_[2], *answers_[3]});
    commands.end();
    pair_ = plan;
    return plan.shares_product();
  }

  void record_two(Commands& commands) {
    for (int i = 0; i < 2; ++i) {
      segments_[i] = {row_major_rows(sets_[i]->address(), description_.rows, dimensions), 0};
      two_[i] = KomarovPlan::make(device_, description_, {&segments_[i], 1});
    }
    scratch_ = device_.create_buffer(std::max(two_[0].scratch_bytes(), two_[1].scratch_bytes()), MemoryKind::device);
    commands.begin();
    for (int i = 0; i < 2; ++i) {
      SearchBuffers buffers;
      buffers.queries = *sets_[1 - i];
      buffers.scratch = *scratch_;
      buffers.indices = *answers_[2 * i];
      buffers.distances = *answers_[2 * i + 1];
      commands.barrier();
      two_[i].record(commands, {&segments_[i], 1}, buffers);
    }
    commands.end();
  }

  std::vector<std::uint32_t> answers() const {
    std::vector<std::uint32_t> words;
    for (const auto& answer : answers_) {
      std::vector<std::uint32_t> one(answer->bytes() / 4);
      download(device_, *answer, one.data());
      words.insert(words.end(), one.begin(), one.end());
    }
    return words;
  }

 private:
  Device& device_;
  SearchDescription description_;
  std::unique_ptr<Buffer> sets_[2], answers_[4], scratch_;
  // What was recorded needs them.
  KomarovPairPlan pair_;
  KomarovPlan two_[2];
  RowsSegment segments_[2];
};

void measure(Device& device, std::uint32_t count, Exhibit& exhibit, const BenchOptions& options, Recorder& recorder) {
  const std::string& id = device.info().id;
  Sets sets(device, count, options.seed);
  std::vector<std::uint32_t> found;
  const auto time = [&](const char* method, Role role, const auto& record) {
    const auto commands = device.create_commands(Timing::whole);
    record(*commands);
    device_milliseconds(device, *commands);
    const std::vector<std::uint32_t> answers = sets.answers();
    if (found.empty()) found = answers;
    if (found != answers)
      recorder.difference(fmt::format("{}, {}: {} sets of {} find others in each other from two products than from one",
                                      exhibit.name, id, 2, count));
    const Timed timed = repeat(options.patience, [&](std::uint32_t) { return device_milliseconds(device, *commands); });
    add_measured(exhibit, role, id, method, "", count, timed.median_ms);
  };
  time(one_product, Role::faithful, [&](Commands& commands) {
    if (!sets.record_pair(commands))
      recorder.note(fmt::format("{}, {}, {} vectors: the matrix does not fit; 'one product' is two searches as well",
                                exhibit.name, id, count));
  });
  time(two_products, Role::rival, [&](Commands& commands) { sets.record_two(commands); });
}

}  // namespace

Exhibit komarov_pair(const BenchOptions& options, Recorder& recorder) {
  constexpr const char* speed_up = "speed-up over two searches";
  Exhibit exhibit{
      .paper = "komarov",
      .name = "section on distances",
      .caption =
          "The nearest of X in Y and of Y in X: the products of the second are the transpose of those of the first. "
          "The "
          "paper has no digits of it.",
      .data = fmt::format("Two sets of n vectors of {} dimensions, normal, seeds {} and {}; k = {}. Device times of "
                          "both searches together, answers proven.",
                          dimensions, options.seed, options.seed + 1, neighbors),
      .x_label = "n",
      .quantities = {{"time", "ms"}, {speed_up, "×", true, false}}};
  const std::vector<std::uint32_t> sizes =
      options.quick ? std::vector{256u, 512u} : std::vector{1024u, 2048u, 4096u, 8192u, 16384u};
  for (const std::string& id : options.devices)
    on_device(id, recorder, [&](Device& device) {
      // A processor takes minutes over what a GPU does in milliseconds.
      constexpr std::uint32_t most_on_host = 2048;
      for (const std::uint32_t count : sizes)
        if (count <= most_on_host || !device.capabilities().runs_on_host)
          measure(device, count, exhibit, options, recorder);
    });
  exhibit.claims = {
      {"we … find the matrix of dot products by simply taking a transpose of the matrix which we computed "
       "earlier (read as: with the most vectors it takes no longer than two searches)",
       speed_up, Combine::at_last, Direction::at_least, 1}};
  add_ratios(exhibit, {speed_up, "time", Role::rival, two_products, {Role::faithful}, one_product});
  return exhibit;
}

}  // namespace proxel::tool::papers
