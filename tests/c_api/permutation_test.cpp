// Permutation indexes, of strings, vectors and signatures.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "proxel/signature_permutation.hpp"
#include "proxel/vector_permutation.hpp"
#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t k = 4;
constexpr double fraction = 0.2;

proxel_permutation_options usual_options() {
  proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.permutants = 16;
  options.seed = 5;
  options.distance = "spearman-rho";
  return options;
}

PermutationOptions usual_cpp_options() {
  PermutationOptions options;
  options.permutants = 16;
  options.seed = 5;
  options.distance = passes::PermutationDistance::spearman_rho;
  return options;
}

bool same(const proxel_fraction_choice& choice, const FractionChoice& expected) {
  return choice.fraction == expected.fraction && choice.recall == expected.recall && choice.queries == expected.queries;
}

template <typename Index>
bool same_permutants(const proxel_index_info& info, const Index& expected) {
  return info.pivot_count == expected.permutants().size() &&
         std::equal(expected.permutants().begin(), expected.permutants().end(), info.pivots);
}

}  // namespace

TEST_CASE("strings through a permutation index, saved and loaded") {
  const std::string path = (std::filesystem::temp_directory_path() / "proxel_c_permutation.index").string();
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const Words words(random_words(300, 1)), asked(random_words(20, 2)), more(random_words(10, 3));
    const proxel_strings c_words = words.c(), c_asked = asked.c(), c_more = more.c();
    const DeviceHandle device = open(id);
    const auto own = open_device(id);
    Counter told;
    proxel_permutation_options options = usual_options();
    options.progress = Counter::call;
    options.progress_user = &told;
    IndexHandle index;
    CHECK_OK(proxel_permutation_index_create(device, of(c_words), &options, &index));
    CHECK(told.calls > 0);
    PermutationIndex cpp(*own, words.strings, usual_cpp_options());

    const auto compare = [&] {
      AnswerHandle found, matches;
      Counter counter;
      auto with = telling(counter);
      with.fraction = fraction;
      CHECK_OK(proxel_index_search(index, of(c_asked), k, &with, &found));
      CHECK(c_test::same(found, cpp.search(asked.strings, k, fraction)));
      CHECK(counter.calls > 0);
      CHECK(plausible(report_of(found)));
      CHECK_OK(proxel_index_range_search(index, of(c_asked), 3, among(fraction), &matches));
      CHECK(c_test::same(matches, cpp.range_search(asked.strings, 3, fraction)));
      proxel_index_info info = PROXEL_INDEX_INFO_INIT;
      CHECK_OK(proxel_index_get_info(index, &info));
      CHECK(std::string(info.kind) == "string-permutations");
      CHECK(info.size == cpp.size());
      CHECK(std::string(info.units) == "code-points");
      CHECK(info.metric == nullptr);
      CHECK(same_permutants(info, cpp));
      CHECK(info.build_milliseconds >= info.build_compute_milliseconds);
      std::uint64_t candidates = 0;
      CHECK_OK(proxel_index_candidates(index, k, fraction, &candidates));
      CHECK(candidates == cpp.candidates(k, fraction));
    };
    compare();

    proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
    CHECK_OK(proxel_index_choose_fraction(index, 0.9, k, of(c_asked), nullptr, nullptr, &choice));
    CHECK(same(choice, cpp.choose_fraction(0.9, k, asked.strings)));
    CHECK_OK(proxel_index_choose_range_fraction(index, 0.9, 2, of(c_asked), nullptr, nullptr, &choice));
    CHECK(same(choice, cpp.choose_range_fraction(0.9, 2, asked.strings)));

    std::uint64_t first = 0, removed = 0, bytes = 0;
    CHECK_OK(proxel_index_add(index, of(c_more), nullptr, nullptr, &first));
    CHECK(first == cpp.add(more.strings));
    const std::array<std::uint32_t, 2> numbers = {5, 301};
    CHECK_OK(proxel_index_remove(index, numbers.data(), 2, &removed));
    CHECK(removed == cpp.remove(numbers));
    compare();
    std::string text(64, '?');
    CHECK_OK(proxel_index_get_text(index, 7, text.data(), 64, &bytes));
    CHECK(text.substr(0, bytes) == cpp.text(7));

    int saved = -1;
    CHECK_OK(proxel_index_save(index, path.c_str()));
    CHECK_OK(proxel_permutation_index_is_saved(path.c_str(), &saved));
    CHECK(saved == 1);
    index.reset();
    CHECK_OK(proxel_permutation_index_load(device, path.c_str(), nullptr, &index));
    compare();
    std::remove(path.c_str());
  }
}

TEST_CASE("a sample of the index's own, permutants that are chosen, prefixes") {
  const Words words(random_words(200, 1));
  const proxel_strings c_words = words.c();
  const DeviceHandle device = open("cpu");
  const auto own = open_device("cpu");
  const std::uint32_t chosen[] = {3, 1, 100, 7};
  proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.chosen = chosen;
  options.chosen_count = 4;
  options.permutants = 4;
  options.prefix = 2;
  options.selection = "quick-sort";
  options.string_distance = "hamming";
  PermutationOptions with;
  with.chosen.assign(chosen, chosen + 4);
  with.permutants = 4;
  with.prefix = 2;
  with.selection = SelectionMethod::quick_sort;
  with.string_distance = StringDistance::hamming;
  IndexHandle index;
  CHECK_OK(proxel_permutation_index_create(device, of(c_words), &options, &index));
  PermutationIndex cpp(*own, words.strings, with);
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(index, &info));
  CHECK(same_permutants(info, cpp));
  CHECK(info.pivots[0] == 3);
  proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
  CHECK_OK(proxel_index_choose_fraction(index, 0.5, 1, nullptr, nullptr, nullptr, &choice));
  CHECK(same(choice, cpp.choose_fraction(0.5, 1, Strings())));
}

TEST_CASE("vectors through a permutation index") {
  const Matrix<float> rows = random_matrix(400, 6, 1), asked = random_matrix(15, 6, 2);
  const proxel_matrix c_rows = c_matrix(rows), c_asked = c_matrix(asked);
  for (const std::string& id : device_ids())
    for (const Metric metric : {Metric::l2sq, Metric::cosine}) {
      CAPTURE(id);
      const std::string name(to_string(metric));
      const DeviceHandle device = open(id);
      const auto own = open_device(id);
      Counter counter;
      proxel_permutation_options options = usual_options();
      options.progress = Counter::call;
      options.progress_user = &counter;
      IndexHandle index;
      options.metric = name.c_str();
      CHECK_OK(proxel_permutation_index_create(device, of(c_rows), &options, &index));
      CHECK(counter.calls > 0);
      VectorPermutationIndex cpp(*own, rows.view(), metric, usual_cpp_options());
      AnswerHandle found, matches;
      CHECK_OK(proxel_index_search(index, of(c_asked), k, among(fraction), &found));
      CHECK(c_test::same(found, cpp.search(asked.view(), k, fraction)));
      CHECK(report_of(found).total_milliseconds > 0);
      CHECK_OK(proxel_index_range_search(index, of(c_asked), 0.5f, among(fraction), &matches));
      CHECK(c_test::same(matches, cpp.range_search(asked.view(), 0.5f, fraction)));
      proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
      CHECK_OK(proxel_answer_get(found, &view));
      CHECK(view.metric == name);
      CHECK(view.ordered == (metric == Metric::l2sq));
      proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
      CHECK_OK(proxel_index_choose_fraction(index, 0.8, k, of(c_asked), nullptr, nullptr, &choice));
      CHECK(same(choice, cpp.choose_fraction(0.8, k, asked.view())));
      CHECK_OK(proxel_index_choose_fraction(index, 0.8, k, nullptr, nullptr, nullptr, &choice));
      CHECK(same(choice, cpp.choose_fraction(0.8, k)));
      std::uint64_t candidates = 0;
      CHECK_OK(proxel_index_candidates(index, k, fraction, &candidates));
      CHECK(candidates == cpp.candidates(k, fraction));
      proxel_index_info info = PROXEL_INDEX_INFO_INIT;
      CHECK_OK(proxel_index_get_info(index, &info));
      CHECK(std::string(info.kind) == "vector-permutations");
      CHECK(info.size == 400);
      CHECK(info.dimensions == 6);
      CHECK(info.metric == name);
      CHECK(info.units == nullptr);
      CHECK(same_permutants(info, cpp));
    }
}

TEST_CASE("signatures through a permutation index") {
  const Signatures known = random_signatures(300, 1), asked = random_signatures(9, 2);
  const proxel_signatures c_known = c_signatures(known), c_asked = c_signatures(asked);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    const auto own = open_device(id);
    proxel_permutation_options options = usual_options();
    options.similarity = "heuristic";
    options.alpha = 0.75;
    IndexHandle index;
    CHECK_OK(proxel_permutation_index_create(device, of(c_known), &options, &index));
    const SimilarityFunction similarity{Similarity::heuristic, 0.75f};
    SignaturePermutationIndex cpp(*own, known, similarity, usual_cpp_options());
    AnswerHandle found, matches;
    CHECK_OK(proxel_index_search(index, of(c_asked), k, among(fraction), &found));
    CHECK(c_test::same(found, cpp.search(asked, k, fraction)));
    CHECK_OK(proxel_index_range_search(index, of(c_asked), 0.4f, among(fraction), &matches));
    CHECK(c_test::same(matches, cpp.range_search(asked, 0.4f, fraction)));
    proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
    CHECK_OK(proxel_index_choose_fraction(index, 0.8, k, of(c_asked), nullptr, nullptr, &choice));
    CHECK(same(choice, cpp.choose_fraction(0.8, k, asked)));
    CHECK_OK(proxel_index_choose_fraction(index, 0.8, k, nullptr, nullptr, nullptr, &choice));
    CHECK(same(choice, cpp.choose_fraction(0.8, k, Signatures(signature_dimensions))));
    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(index, &info));
    CHECK(std::string(info.kind) == "signature-permutations");
    CHECK(info.size == 300);
    CHECK(info.dimensions == signature_dimensions);
    CHECK(std::string(info.similarity) == "heuristic");
    CHECK(info.alpha == 0.75);
    CHECK(same_permutants(info, cpp));
    for (const auto set : {+[](proxel_permutation_options& given) { given.metric = "l1"; },
                           +[](proxel_permutation_options& given) { given.string_distance = "hamming"; }}) {
      proxel_permutation_options wrong = PROXEL_PERMUTATION_OPTIONS_INIT;
      set(wrong);
      IndexHandle none;
      CHECK(proxel_permutation_index_create(device, of(c_known), &wrong, &none) == PROXEL_UNSUPPORTED);
    }
  }
}

TEST_CASE("what a permutation index does not do is refused") {
  const DeviceHandle device = open("cpu");
  const Words words(random_words(50, 1));
  const proxel_strings c_words = words.c();
  const Matrix<float> rows = random_matrix(50, 3, 1);
  const proxel_matrix c_rows = c_matrix(rows);
  IndexHandle index, none;
  IndexHandle vectors, no_vectors;
  proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
  CHECK_OK(proxel_permutation_index_create(device, of(c_words), nullptr, &index));
  CHECK_OK(proxel_permutation_index_create(device, of(c_rows), nullptr, &vectors));
  AnswerHandle found;
  CHECK_FAILS(proxel_index_search(index, of(c_words), k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "fraction");
  CHECK_FAILS(proxel_index_search(vectors, of(c_rows), k, among(1.5), &found), PROXEL_INVALID_ARGUMENT, "fraction");
  CHECK_FAILS(proxel_index_search(index, of(c_rows), k, among(1), &found), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(proxel_index_search(vectors, of(c_words), k, among(1), &found), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK(found == nullptr);

  proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
  CHECK_FAILS(proxel_index_choose_fraction(index, 2, k, nullptr, nullptr, nullptr, &choice), PROXEL_INVALID_ARGUMENT,
              "recall");
  CHECK_FAILS(proxel_index_choose_fraction(index, 0.5, k, nullptr, nullptr, nullptr, nullptr), PROXEL_INVALID_ARGUMENT,
              "choice");
  CHECK_FAILS(proxel_index_choose_range_fraction(index, 0.5, 1, nullptr, nullptr, nullptr, nullptr),
              PROXEL_INVALID_ARGUMENT, "choice");
  CHECK_FAILS(proxel_index_choose_fraction(vectors, 0.5, k, nullptr, nullptr, nullptr, nullptr),
              PROXEL_INVALID_ARGUMENT, "choice");
  Counter counter;
  counter.end_at = 1;
  CHECK_FAILS(proxel_index_choose_fraction(vectors, 0.5, k, nullptr, Counter::call, &counter, &choice),
              PROXEL_CANCELLED, "progress");
  CHECK_FAILS(proxel_index_candidates(index, k, 0.5, nullptr), PROXEL_INVALID_ARGUMENT, "candidates");
  CHECK_FAILS(proxel_index_candidates(vectors, k, 0.5, nullptr), PROXEL_INVALID_ARGUMENT, "candidates");

  options.permutants = 1000;
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_words), &options, &none), PROXEL_INVALID_ARGUMENT,
              "permutants");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.distance = "edit";
  CHECK(proxel_permutation_index_create(device, of(c_words), &options, &none) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.selection = "slow";
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_words), &options, &none), PROXEL_INVALID_ARGUMENT,
              "selection");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.chosen_count = 3;
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_rows), &options, &no_vectors), PROXEL_INVALID_ARGUMENT,
              "chosen");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.metric = "l1";
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_words), &options, &none), PROXEL_UNSUPPORTED, "metric");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.string_distance = "hamming";
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_rows), &options, &none), PROXEL_UNSUPPORTED,
              "string_distance");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.similarity = "minus";
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_words), &options, &none), PROXEL_UNSUPPORTED, "similarity");
  options = PROXEL_PERMUTATION_OPTIONS_INIT;
  options.alpha = 1;
  CHECK_FAILS(proxel_permutation_index_create(device, of(c_rows), &options, &none), PROXEL_UNSUPPORTED, "alpha");
  CHECK_FAILS(proxel_index_choose_range_fraction(vectors, 0.5, 1, nullptr, nullptr, nullptr, &choice),
              PROXEL_UNSUPPORTED, "index");
  CHECK_FAILS(proxel_permutation_index_load(device, "/no/such/file", nullptr, &none), PROXEL_NOT_FOUND,
              "/no/such/file");
  CHECK_FAILS(proxel_permutation_index_load(device, nullptr, nullptr, &none), PROXEL_INVALID_ARGUMENT, "path");
  const std::string damaged = (std::filesystem::temp_directory_path() / "proxel_c_damaged").string();
  CHECK_OK(proxel_index_save(index, damaged.c_str()));
  std::filesystem::resize_file(damaged, 100);
  CHECK(proxel_permutation_index_load(device, damaged.c_str(), nullptr, &none) == PROXEL_MALFORMED_FILE);
  std::filesystem::remove(damaged);
  CHECK(proxel_index_save(index, "/no/such/folder/file") == PROXEL_INPUT_OUTPUT);
  int saved = -1;
  CHECK_FAILS(proxel_permutation_index_is_saved("x", nullptr), PROXEL_INVALID_ARGUMENT, "saved");
  CHECK_FAILS(proxel_permutation_index_is_saved(nullptr, &saved), PROXEL_INVALID_ARGUMENT, "path");
  CHECK(none == nullptr);
  CHECK(no_vectors == nullptr);
}
