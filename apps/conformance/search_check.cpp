#include "search_check.hpp"

#include <limits>

#include <fmt/format.h>

#include "compatibility.hpp"
#include "guarded_buffer.hpp"
#include "held_to_bits.hpp"

namespace proxel::conformance {
namespace {

// A host matrix laid out as the case asks, with NaN between the values.
class HostMatrix {
 public:
  HostMatrix(const Matrix<float>& matrix, HostLayout layout) {
    const std::uint64_t rows = matrix.rows();
    const std::uint64_t columns = matrix.columns();
    constexpr std::uint64_t gap = 3;
    const std::uint64_t row_stride = layout == HostLayout::contiguous ? columns
                                     : layout == HostLayout::strided  ? columns + gap
                                                                      : 1;
    const std::uint64_t column_stride = layout == HostLayout::column_major ? rows + gap : 1;
    values_.assign(rows * row_stride + columns * column_stride, std::numeric_limits<float>::quiet_NaN());
    for (std::uint64_t row = 0; row < rows; ++row)
      for (std::uint64_t column = 0; column < columns; ++column)
        values_[row * row_stride + column * column_stride] = matrix(row, column);
    view_ = {values_.data(), rows, columns, row_stride, column_stride};
  }
  HostMatrix(const HostMatrix&) = delete;
  HostMatrix& operator=(const HostMatrix&) = delete;

  const MatrixView<float>& view() const { return view_; }

 private:
  std::vector<float> values_;
  MatrixView<float> view_;
};

class SearchCheck : public Check {
 public:
  SearchCheck(const SearchCase& search, std::uint64_t seed)
      : search_(search),
        data_(make_data(search.kind, search.shape.n, search.shape.d, search.shape.q, seed)),
        database_(data_.database, search.layout),
        queries_(data_.queries, search.layout),
        question_{database_.view(), queries_.view(), search.metric, search.shape.k},
        expected_(oracle_answer(question_)) {
    search_.options.method = search.method;
  }

  Verdict run(Device& device) override {
    std::unique_ptr<Index> index;
    try {
      index = std::make_unique<Index>(device, database_.view(), search_.options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
    if (index->rows() != search_.shape.n || index->dimensions() != search_.shape.d)
      return Verdict::fail(fmt::format("the index says that it is {} x {}", index->rows(), index->dimensions()));
    if (const Support support = index->supports(search_.metric, search_.shape.k); !support)
      return Verdict::refuse(support);
    const Neighbors actual = index->search(queries_.view(), search_.shape.k, search_.metric);
    if (const std::string_view answered = actual.report.method; search_.shape.q != 0 && !may_answer(answered))
      return Verdict::fail(fmt::format("{} answered instead", answered));
    return judge(device, question_, search_.kind, expected_, actual);
  }

 private:
  bool may_answer(std::string_view method) const {
    if (method.empty() || method == to_string(Method::automatic)) return false;
    // A block of too few rows for the method is scanned.
    const bool in_blocks = search_.options.memory_limit != 0 || search_.options.storage != ElementType::float32;
    return search_.method == Method::automatic || method == to_string(search_.method) ||
           (in_blocks && method == to_string(Method::scan));
  }

  SearchCase search_;
  Data data_;
  HostMatrix database_;
  HostMatrix queries_;
  Question question_;
  Neighbors expected_;
};

std::vector<std::byte> bytes_of_answer(const Neighbors& actual) {
  const std::uint64_t slots = actual.indices.rows() * actual.indices.columns();
  std::vector<std::byte> answer = bytes_of(actual.indices.data(), slots);
  const std::vector<std::byte> distances = bytes_of(actual.distances.data(), slots);
  answer.insert(answer.end(), distances.begin(), distances.end());
  return answer;
}

}  // namespace

Verdict judge(const Device& device, const Question& question, Kind kind, const Neighbors& expected,
              const Neighbors& actual) {
  if (question.metric == Metric::cosine || question.metric == Metric::pearson) {
    const auto dimensions = static_cast<std::uint32_t>(question.database.columns);
    if (std::string text =
            bounded_difference(expected, actual, question.database.rows, error_bound(question.metric, dimensions));
        !text.empty())
      return Verdict::fail(std::move(text));
    // Every step is correctly rounded, so that devices agree to the bit beyond
    // what is promised; that is checked as well.
    return Verdict::pass(bytes_of_answer(actual));
  }
  if (!held_to_bits(device, kind)) {
    std::string text = incompatibility(question, actual);
    if (!text.empty()) return Verdict::fail(std::move(text));
    Verdict verdict = Verdict::pass();
    const std::string other = difference(expected, actual);
    verdict.message =
        "the device flushes denormals, which are exempt from bit-identity; compared within the bound of flushing";
    if (!other.empty()) verdict.message += " (" + other + ")";
    return verdict;
  }
  if (std::string text = difference(expected, actual); !text.empty()) return Verdict::fail(std::move(text));

  Verdict verdict = Verdict::pass(bytes_of_answer(actual));
  if (accuracy_is_measured(kind)) {
    verdict.metric = to_string(question.metric);
    verdict.relative_error = largest_relative_error(question, actual);
    const double bound = rounding_bound(question.database.columns);
    if (verdict.relative_error > bound)
      return Verdict::fail(
          fmt::format("relative error {:.3g} is more than the {:.3g} that rounding "
                      "allows",
                      verdict.relative_error, bound));
  }
  return verdict;
}

std::string SearchCase::name() const {
  const IndexOptions defaults;
  std::string extras;
  if (options.papers.bustos.dimensions_per_pass != defaults.papers.bustos.dimensions_per_pass)
    extras += fmt::format(",t={}", options.papers.bustos.dimensions_per_pass);
  if (options.papers.bustos.block_rows != defaults.papers.bustos.block_rows)
    extras += fmt::format(",block={}", options.papers.bustos.block_rows);
  if (options.papers.bustos.reductions_per_pass != defaults.papers.bustos.reductions_per_pass)
    extras += fmt::format(",reductions={}", options.papers.bustos.reductions_per_pass);
  if (options.papers.garcia.distances_only) extras += ",distances-only";
  if (options.papers.komarov.selection != defaults.papers.komarov.selection)
    extras += options.papers.komarov.selection == SelectionMethod::quick_multi_select_subgroup ? ",selection=subgroup"
                                                                                               : ",selection=workgroup";
  if (options.scratch_limit != defaults.scratch_limit)
    extras += fmt::format(",scratch={}KiB", options.scratch_limit >> 10);
  if (options.storage != defaults.storage) extras += fmt::format(",{}", to_string(options.storage));
  if (options.memory_limit != defaults.memory_limit) extras += fmt::format(",memory={}KiB", options.memory_limit >> 10);
  if (options.pinned) extras += ",pinned";
  if (options.timing == Timing::passes) extras += ",timed";
  if (layout == HostLayout::strided) extras += ",strided";
  if (layout == HostLayout::column_major) extras += ",columns";
  return fmt::format("{}/{}/{}/n={},d={},q={},k={}{}/{}", family, to_string(method), to_string(metric), shape.n,
                     shape.d, shape.q, shape.k, extras, to_string(kind));
}

void add_search_case(Cases& cases, const SearchCase& search, bool quick) {
  cases.push_back({search.name(), quick,
                   [search](const Context& context) { return std::make_unique<SearchCheck>(search, context.seed); }});
}

}  // namespace proxel::conformance
