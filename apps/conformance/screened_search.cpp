#include "screened_search.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "oracle.hpp"

namespace proxel::conformance {
namespace {

template <typename Record>
void run(Device& device, const Record& record) {
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  record(*commands);
  commands->end();
  device.submit(*commands);
  device.wait();
}

}  // namespace

ScreenedAnswer search_screened(Device& device, const SearchDescription& description, ScreenOperand operand,
                               const Data& data, const Matrix<std::uint8_t>& filter) {
  const auto buffer = [&](std::uint64_t bytes) { return device.create_buffer(bytes, MemoryKind::device); };
  const std::uint64_t n = description.rows, q = description.queries, d = description.dimensions, k = description.k;
  const auto rows = buffer(n * d * 4), queries = buffer(q * d * 4);
  const auto indices = buffer(q * k * 4), distances = buffer(q * k * 4);
  upload(device, *rows, data.database.data());
  upload(device, *queries, data.queries.data());
  const passes::Rows layout = row_major_rows(rows->address(), n, description.dimensions);
  ScreenedRows screened(device, description.metric, n, description.dimensions, true, 0, operand);
  run(device, [&](Recording& recording) { screened.record(recording, layout); });
  const std::vector<std::uint32_t> words =
      description.filter == FilterKind::none ? std::vector<std::uint32_t>(1) : words_of(filter);
  const auto filter_words = buffer(words.size() * 4);
  upload(device, *filter_words, words.data());
  const ScreenedPlan plan = ScreenedPlan::make(device, description, &screened, layout);
  const auto scratch = buffer(plan.scratch_bytes());
  const auto undecided = device.create_buffer(4, MemoryKind::readback),
             told = device.create_buffer(12, MemoryKind::readback);
  run(device, [&](Recording& recording) {
    SearchBuffers buffers{*queries, *scratch, *indices, *distances};
    buffers.filter = *filter_words;
    plan.record(recording, layout, buffers, *told);
    recording.barrier();
    recording.copy(buffers.scratch.part(plan.undecided_offset(plan.rescues() ? 0 : 1), 4), *undecided);
  });
  ScreenedAnswer answer{{Matrix<std::uint32_t>(q, k), Matrix<float>(q, k), {}}, plan.estimates(), plan.half_sums()};
  download(device, *indices, answer.found.indices.data());
  download(device, *distances, answer.found.distances.data());
  answer.undecided = *static_cast<const std::uint32_t*>(undecided->mapped());
  std::copy_n(static_cast<const std::uint32_t*>(told->mapped()), answer.told.size(), answer.told.begin());
  return answer;
}

void add_screened(Cases& cases, const std::string& name, bool quick, const ScreenedQuestion& asked,
                  std::function<Data(std::uint64_t seed)> make, JudgeScreened judge) {
  const bool filters = asked.filter != FilterKind::none, per_query = asked.filter == FilterKind::per_query;
  cases.push_back({name + (!filters    ? ""
                           : per_query ? ",filters"
                                       : ",filter"),
                   quick, [=, make = std::move(make), judge = std::move(judge)](const Context& context) {
    const auto data = std::make_shared<Data>(make(context.seed));
    const auto filter = std::make_shared<Matrix<std::uint8_t>>(
        make_filter({filters, asked.pattern, per_query, asked.k}, asked.n, asked.q, context.seed + 1));
    Question question{data->database.view(), data->queries.view(), asked.metric, asked.k};
    if (filters) question.allowed = filter->view();
    const auto expected = std::make_shared<Neighbors>(oracle_answer(question));
    return make_check([=](Device& device) { return judge(device, *data, *filter, *expected); });
  }});
}

}  // namespace proxel::conformance
