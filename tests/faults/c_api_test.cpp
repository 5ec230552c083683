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

Neighbors room(std::uint64_t queries) { return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)}; }

RangeNeighbors taken(const proxel_matches* matches) {
  proxel_matches_view view = PROXEL_MATCHES_VIEW_INIT;
  succeed(proxel_matches_get(matches, &view));
  const std::uint64_t count = view.offsets[view.queries];
  return {{view.offsets, view.offsets + view.queries + 1},
          {view.indices, view.indices + count},
          {view.distances, view.distances + count}};
}

struct VectorsInC {
  c_test::DeviceHandle device = ::device();
  c_test::IndexHandle index;
};

std::vector<Scenario> vectors() {
  static const Matrix<float> rows = integers(260, 4, 1), more = integers(20, 4, 2), asked = integers(3, 4, 3);
  const auto make = [] {
    auto made = std::make_shared<VectorsInC>();
    const proxel_matrix view = c_test::c_matrix(rows);
    succeed(proxel_index_create(made->device, &view, nullptr, &made->index));
    return made;
  };
  const auto search = [](VectorsInC& of) {
    Neighbors found = room(3);
    const proxel_matrix queries = c_test::c_matrix(asked);
    succeed(
        proxel_index_search(of.index, &queries, k, "l2", nullptr, found.indices.data(), found.distances.data(), 3 * k));
    return found;
  };
  const auto within = [](VectorsInC& of) {
    c_test::MatchesHandle matches;
    const proxel_matrix queries = c_test::c_matrix(asked);
    succeed(proxel_index_range_search(of.index, &queries, 120, "l2", nullptr, &matches));
    return taken(matches);
  };
  const auto add = [](VectorsInC& to) {
    const proxel_matrix view = c_test::c_matrix(more);
    succeed(proxel_index_add(to.index, &view, nullptr, nullptr, nullptr));
  };
  const auto remove = [](VectorsInC& of) {
    const std::uint32_t gone[] = {0, 5, 100, 259};
    succeed(proxel_index_remove(of.index, gone, 4, nullptr));
  };
  const auto compact = [](VectorsInC& of) {
    std::vector<std::uint32_t> numbers(260);
    succeed(proxel_index_compact(of.index, nullptr, nullptr, numbers.data(), numbers.size()));
  };
  return {making("C: make an index", make, search),
          asking("C: search", make, search),
          asking("C: search within a radius", make, within),
          changing("C: add rows", make, add, search),
          changing("C: remove rows", make, remove, search),
          changing("C: compact", [=] {
    const auto made = make();
    remove(*made);
    return made;
  }, compact, search)};
}

template <typename Handle>
struct StringsInC {
  c_test::DeviceHandle device = ::device();
  Handle index;
};

const Words& dictionary() {
  static const Words some(c_test::random_words(50, 1));
  return some;
}
const Words& asked_words() {
  static const Words some(c_test::random_words(3, 2));
  return some;
}

std::vector<Scenario> strings(const std::string& folder) {
  using Own = StringsInC<c_test::StringIndexHandle>;
  const auto make = [] {
    auto made = std::make_shared<Own>();
    const proxel_strings all = dictionary().c();
    succeed(proxel_string_index_create(made->device, &all, nullptr, &made->index));
    return made;
  };
  const auto search = [](Own& of) {
    Neighbors found = room(3);
    const proxel_strings queries = asked_words().c();
    succeed(proxel_string_index_search(of.index, &queries, k, nullptr, nullptr, found.indices.data(),
                                       found.distances.data(), 3 * k));
    return found;
  };
  const auto add = [](Own& to) {
    const proxel_strings more = asked_words().c();
    succeed(proxel_string_index_add(to.index, &more, nullptr));
  };
  using Permuted = StringsInC<c_test::PermutationHandle>;
  const auto permute = [] {
    auto made = std::make_shared<Permuted>();
    const proxel_strings all = dictionary().c();
    proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
    options.permutants = 6;
    succeed(proxel_permutation_index_create(made->device, &all, &options, &made->index));
    return made;
  };
  const auto find = [](Permuted& of) {
    Neighbors found = room(3);
    const proxel_strings queries = asked_words().c();
    succeed(proxel_permutation_index_search(of.index, &queries, k, 0.5, nullptr, nullptr, found.indices.data(),
                                            found.distances.data(), 3 * k));
    return found;
  };
  const std::string path = folder + "/c.permutations";
  const auto save_and_find = [=](Permuted& of) {
    const proxel_status status = proxel_permutation_index_save(of.index, path.c_str());
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
