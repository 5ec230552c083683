// The host's heap is exhausted while the C API is used: the status says so, and handles stay what they were.
#include <new>

#include "../c_api/support.hpp"
#include "heap.hpp"
#include "index_scenarios.hpp"
#include "samples.hpp"
#include "temporary_folder.hpp"

using namespace proxel;
using namespace proxel::faults;
using c_test::Words;

namespace {

constexpr std::uint64_t k = 3;

// A status that is neither of the two that may be.
struct WrongStatus : std::exception {
  explicit WrongStatus(proxel_status is) : status(is) {}
  const char* what() const noexcept override { return proxel_status_name(status); }
  proxel_status status;
};

void succeed(proxel_status status) {
  if (status == PROXEL_OK) return;
  if (*proxel_last_error() == '\0' || status != PROXEL_OUT_OF_MEMORY) throw WrongStatus(status);
  throw std::bad_alloc();
}

c_test::DeviceHandle device() {
  c_test::DeviceHandle opened;
  succeed(proxel_device_open("cpu", &opened));
  return opened;
}

proxel_answer_view view_of(const proxel_answer* answer) {
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  succeed(proxel_answer_get(answer, &view));
  return view;
}

Neighbors nearest_of(const proxel_answer* answer) {
  const proxel_answer_view view = view_of(answer);
  Neighbors found{Matrix<std::uint32_t>(view.queries, view.columns), Matrix<float>(view.queries, view.columns)};
  succeed(proxel_answer_copy(answer, found.indices.data(), found.distances.data(), view.queries * view.columns));
  return found;
}

RangeNeighbors within_of(const proxel_answer* answer) {
  const proxel_answer_view view = view_of(answer);
  const std::uint64_t count = view.offsets[view.queries];
  return {{view.offsets, view.offsets + view.queries + 1},
          {view.indices, view.indices + count},
          {view.distances, view.distances + count}};
}

struct IndexInC {
  c_test::DeviceHandle device = ::device();
  c_test::IndexHandle index;
};

std::vector<Scenario> vectors() {
  static const Matrix<float> rows = integers(260, 4, 1), more = integers(20, 4, 2), asked = integers(3, 4, 3);
  const auto make = [] {
    auto made = std::make_shared<IndexInC>();
    const proxel_matrix view = c_test::c_matrix(rows);
    succeed(proxel_index_create(made->device, c_test::of(view), nullptr, &made->index));
    return made;
  };
  const auto search = [](IndexInC& of) {
    c_test::AnswerHandle found;
    const proxel_matrix queries = c_test::c_matrix(asked);
    succeed(proxel_index_search(of.index, c_test::of(queries), k, c_test::by("l2"), &found));
    return nearest_of(found);
  };
  const auto within = [](IndexInC& of) {
    c_test::AnswerHandle found;
    const proxel_matrix queries = c_test::c_matrix(asked);
    succeed(proxel_index_range_search(of.index, c_test::of(queries), 120, c_test::by("l2"), &found));
    return within_of(found);
  };
  const auto merge = [](IndexInC& of) {
    c_test::AnswerHandle found, merged, finished;
    const proxel_matrix queries = c_test::c_matrix(asked);
    auto options = c_test::by("l2");
    options.ordered = 1;
    succeed(proxel_index_search(of.index, c_test::of(queries), k, &options, &found));
    const proxel_part parts[] = {{found, 0}, {found, 260}};
    succeed(proxel_merge(parts, 2, k, &merged));
    succeed(proxel_finish(merged, &finished));
    return nearest_of(finished);
  };
  const auto add = [](IndexInC& to) {
    const proxel_matrix view = c_test::c_matrix(more);
    succeed(proxel_index_add(to.index, c_test::of(view), nullptr, nullptr, nullptr));
  };
  const auto remove = [](IndexInC& of) {
    const std::uint32_t gone[] = {0, 5, 100, 259};
    succeed(proxel_index_remove(of.index, gone, 4, nullptr));
  };
  const auto compact = [](IndexInC& of) {
    std::vector<std::uint32_t> numbers(260);
    succeed(proxel_index_compact(of.index, nullptr, nullptr, numbers.data(), numbers.size()));
  };
  return {making("C: make an index", make, search),
          asking("C: search", make, search),
          asking("C: search within a radius", make, within),
          asking("C: merge and finish answers", make, merge),
          changing("C: add rows", make, add, search),
          changing("C: remove rows", make, remove, search),
          changing("C: compact", [=] {
    const auto made = make();
    remove(*made);
    return made;
  }, compact, search)};
}

const Words& dictionary() {
  static const Words some(c_test::random_words(50, 1));
  return some;
}
const Words& asked_words() {
  static const Words some(c_test::random_words(3, 2));
  return some;
}

std::vector<Scenario> strings(const std::string& folder) {
  const auto make = [] {
    auto made = std::make_shared<IndexInC>();
    const proxel_strings all = dictionary().c();
    succeed(proxel_string_index_create(made->device, c_test::of(all), nullptr, &made->index));
    return made;
  };
  const auto search = [](IndexInC& of) {
    c_test::AnswerHandle found;
    const proxel_strings queries = asked_words().c();
    succeed(proxel_index_search(of.index, c_test::of(queries), k, nullptr, &found));
    return nearest_of(found);
  };
  const auto add = [](IndexInC& to) {
    const proxel_strings more = asked_words().c();
    succeed(proxel_index_add(to.index, c_test::of(more), nullptr, nullptr, nullptr));
  };
  const auto permute = [] {
    auto made = std::make_shared<IndexInC>();
    const proxel_strings all = dictionary().c();
    proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
    options.permutants = 6;
    succeed(proxel_permutation_index_create(made->device, c_test::of(all), &options, &made->index));
    return made;
  };
  const auto find = [](IndexInC& of) {
    c_test::AnswerHandle found;
    const proxel_strings queries = asked_words().c();
    succeed(proxel_index_search(of.index, c_test::of(queries), k, c_test::among(0.5), &found));
    return nearest_of(found);
  };
  const std::string path = folder + "/c.permutations";
  const auto save_and_find = [=](IndexInC& of) {
    const proxel_status status = proxel_index_save(of.index, path.c_str());
    // The C library says so in its own way where it has no memory for an open file.
    succeed(status == PROXEL_INPUT_OUTPUT ? PROXEL_OUT_OF_MEMORY : status);
    return find(of);
  };
  return {making("C: make an index of strings", make, search), asking("C: search strings", make, search),
          changing("C: add strings", make, add, search), making("C: make a permutation index", permute, find),
          asking("C: save and search a permutation index", permute, save_and_find)};
}

}  // namespace

TEST_CASE("the C API says that there is no memory") {
  setenv("PROXEL_CPU_THREADS", "3", 1);
  const TemporaryFolder folder;
  // The longest text of an error that is kept: it stays on the heap.
  proxel_device* none = nullptr;
  proxel_device_open(std::string(300, 'x').c_str(), &none);
  Count sum;
  for (const auto& some : {vectors(), strings(folder.path())})
    for (const Scenario& scenario : some) {
      const Count one = fail_every_allocation(scenario, stride_of_environment(1));
      CHECK(one.refused != 0);
      sum.refused += one.refused;
      sum.done += one.done;
    }
  MESSAGE("together: ", sum.trials(), " failed: ", sum.refused, " errors, ", sum.done, " done without");
}
