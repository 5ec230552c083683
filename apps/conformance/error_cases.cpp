// What may not be asked: a typed error before any device work, and an index
// that stays usable afterwards.
#include <algorithm>

#include <fmt/format.h>

#include "search_check.hpp"

namespace proxel::conformance {
namespace {

using Codes = std::vector<ErrorCode>;

// Calls what must throw an Error of one of the codes, with a subject and a message.
template <typename Function>
std::string expect_error(const Codes& allowed, const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    if (std::find(allowed.begin(), allowed.end(), error.code()) == allowed.end())
      return fmt::format("answered with {} ({})", to_string(error.code()), error.what());
    if (error.subject().empty()) return "the error names no argument";
    return {};
  } catch (const std::exception& exception) {
    return fmt::format("answered with an exception that is no proxel::Error: {}", exception.what());
  }
  return "was accepted";
}

struct BuildError {
  const char* name;
  Method method;
  std::uint64_t n, d;
  bool null_data;
  void (*change)(IndexOptions&);
};

void leave(IndexOptions&) {}

// A database or options from which no index may be made.
void add_build_errors(Cases& cases) {
  constexpr Method scan = Method::scan;
  constexpr Method texel = Method::texel;
  const BuildError errors[] = {
      {"no-rows", scan, 0, 3, false, leave},
      {"no-rows", texel, 0, 3, false, leave},
      {"no-dimensions", scan, 5, 0, false, leave},
      {"no-dimensions", texel, 5, 0, false, leave},
      {"null-database", scan, 5, 3, true, leave},
      {"null-database", texel, 5, 3, true, leave},
      {"too-many-rows", scan, 0xFFFFFFFFull, 1, false, leave},
      {"too-many-rows", texel, 0xFFFFFFFFull, 1, false, leave},
      {"overflowing-size", scan, 1ull << 40, 1ull << 40, false, leave},
      {"scratch-limit-too-small", scan, 5, 3, false,
       [](IndexOptions& options) { options.scratch_limit = (1u << 20) - 1; }},
      {"scratch-limit-too-small", texel, 5, 3, false, [](IndexOptions& options) { options.scratch_limit = 0; }},
      {"no-dimensions-per-pass", texel, 5, 3, false,
       [](IndexOptions& options) { options.papers.bustos.dimensions_per_pass = 0; }},
      {"too-many-dimensions-per-pass", texel, 5, 3, false,
       [](IndexOptions& options) { options.papers.bustos.dimensions_per_pass = 17; }},
      {"no-block-rows", texel, 5, 3, false, [](IndexOptions& options) { options.papers.bustos.block_rows = 0; }},
      {"too-many-block-rows", texel, 5, 3, false,
       [](IndexOptions& options) { options.papers.bustos.block_rows = (1ull << 28) + 1; }},
  };
  for (const BuildError& error : errors)
    cases.push_back(
        {fmt::format("errors/build/{}/{}", to_string(error.method), error.name), true, [error](const Context&) {
      return make_check([error](Device& device) {
        // Large enough for what is read before the sizes are refused: nothing.
        static const float value = 0.0f;
        const MatrixView<float> database(error.null_data ? nullptr : &value, error.n, error.d);
        IndexOptions options;
        options.method = error.method;
        error.change(options);
        std::string text = expect_error({ErrorCode::invalid_argument, ErrorCode::unsupported},
                                        [&] { Index index(device, database, options); });
        return text.empty() ? Verdict::pass() : Verdict::fail(std::move(text));
      });
    }});
}

struct SearchError {
  const char* name;
  std::uint64_t d;
  bool null_data;
  std::uint64_t k;
};

// Searches that may not be asked of an index of 300 x 5; afterwards it must
// still answer as the oracle does.
void add_search_errors(Cases& cases) {
  constexpr SearchError errors[] = {{"k=0", 5, false, 0},
                                    {"k=2^40", 5, false, 1ull << 40},
                                    {"k=2^64-1", 5, false, ~0ull},
                                    {"fewer-dimensions", 4, false, 3},
                                    {"more-dimensions", 6, false, 3},
                                    {"no-dimensions", 0, false, 3},
                                    {"null-queries", 5, true, 3}};
  for (const Method method : {Method::scan, Method::texel})
    for (const SearchError& error : errors)
      cases.push_back({fmt::format("errors/search/{}/{}", to_string(method), error.name), true,
                       [method, error](const Context& context) {
        const Data data = make_data(Kind::gaussian, 300, 5, 3, context.seed);
        return make_check([=](Device& device) {
          IndexOptions options;
          options.method = method;
          Index index(device, data.database.view(), options);
          const Matrix<float> other(2, std::max<std::uint64_t>(error.d, 1));
          const MatrixView<float> queries(error.null_data ? nullptr : other.data(), 2, error.d);
          const std::string text =
              expect_error({ErrorCode::invalid_argument, ErrorCode::unsupported, ErrorCode::out_of_memory},
                           [&] { index.search(queries, error.k, Metric::l1); });
          if (!text.empty()) return Verdict::fail(text);
          const Question question{data.database.view(), data.queries.view(), Metric::l2, 4};
          Verdict verdict = judge(device, question, Kind::gaussian, oracle_answer(question),
                                  index.search(question.queries, question.k, question.metric));
          if (verdict.outcome == Outcome::failed) verdict.message = "searched after the error: " + verdict.message;
          return verdict;
        });
      }});
}

}  // namespace

void add_error_cases(Cases& cases) {
  add_build_errors(cases);
  add_search_errors(cases);
}

}  // namespace proxel::conformance
