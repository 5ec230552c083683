// Threads that use one device at a time in the wrong way, all at once: each call is done or refused, and nothing breaks.
#include <atomic>
#include <functional>
#include <thread>

#include "../c_api/support.hpp"
#include "samples.hpp"

using namespace proxel;
using namespace proxel::faults;

namespace {

constexpr int threads = 4;
constexpr std::uint64_t k = 3, queries = 20;

// What calls came to.
struct Calls {
  std::atomic<std::uint64_t> done = 0, refused = 0, wrong = 0;

  // Returns whether the call was done.
  bool count(proxel_status status) {
    if (status == PROXEL_OK) return ++done;
    const bool says_so = status == PROXEL_INVALID_ARGUMENT &&
                         std::string(proxel_last_error()).find("another thread") != std::string::npos;
    ++(says_so ? refused : wrong);
    return false;
  }
};

// Each thread makes its calls again and again.
void all_at_once(int rounds, const std::function<void(int thread, int round)>& call) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      ++ready;
      while (ready < threads) std::this_thread::yield();
      for (int round = 0; round < rounds; ++round) call(thread, round);
    });
  for (std::thread& one : running) one.join();
}

struct Shared {
  Matrix<float> rows = integers(2000, 8, 1), asked = integers(queries, 8, 2);
  c_test::DeviceHandle device = c_test::open("cpu");
  c_test::IndexHandle index;

  Shared() {
    const proxel_matrix view = c_test::c_matrix(rows);
    CHECK_OK(proxel_index_create(device, c_test::of(view), nullptr, &index));
  }
  proxel_status search(c_test::AnswerHandle& found) const {
    const proxel_matrix view = c_test::c_matrix(asked);
    return proxel_index_search(index, c_test::of(view), k, c_test::by("l2"), &found);
  }
};

}  // namespace

TEST_CASE("an index that threads share answers each of them rightly or refuses") {
  const Shared shared;
  const auto own = open_device("cpu");
  const Neighbors expected = Index(*own, shared.rows.view()).search(shared.asked.view(), k, Metric::l2);
  Calls calls;
  std::atomic<std::uint64_t> other_answers = 0;
  all_at_once(200, [&](int, int) {
    c_test::AnswerHandle found;
    if (calls.count(shared.search(found)) && !c_test::same(found, expected)) ++other_answers;
  });
  CHECK(calls.done != 0);
  CHECK(calls.refused != 0);
  CHECK(calls.wrong == 0);
  CHECK(other_answers == 0);
  MESSAGE(calls.done.load(), " searches done, ", calls.refused.load(), " refused");
  c_test::AnswerHandle again;
  CHECK_OK(shared.search(again));
  CHECK(c_test::same(again, expected));
}

TEST_CASE("so does an index of C++, and two indices of one device") {
  const Matrix<float> rows = integers(2000, 8, 1), asked = integers(queries, 8, 2);
  const auto device = open_device("cpu");
  Index index(*device, rows.view()), another(*device, rows.view());
  const Neighbors expected = index.search(asked.view(), k, Metric::l2);
  Calls calls;
  all_at_once(200, [&](int thread, int) {
    try {
      const Neighbors found = (thread % 2 == 0 ? index : another).search(asked.view(), k, Metric::l2);
      ++(found.indices == expected.indices ? calls.done : calls.wrong);
    } catch (const Error& error) {
      const bool says_so = error.code() == ErrorCode::invalid_argument &&
                           std::string(error.what()).find("another thread") != std::string::npos;
      ++(says_so ? calls.refused : calls.wrong);
    }
  });
  CHECK(calls.done != 0);
  CHECK(calls.refused != 0);
  CHECK(calls.wrong == 0);
  MESSAGE(calls.done.load(), " searches done, ", calls.refused.load(), " refused");
  CHECK(index.search(asked.view(), k, Metric::l2).indices == expected.indices);
  CHECK(another.search(asked.view(), k, Metric::l2).indices == expected.indices);
}

TEST_CASE("threads that search, change and make indices of one device do not disturb each other") {
  const Shared shared;
  Calls calls;
  all_at_once(100, [&](int thread, int round) {
    const proxel_matrix view = c_test::c_matrix(shared.asked);
    const std::uint32_t row = static_cast<std::uint32_t>(round + 100 * thread);
    switch ((thread + round) % 4) {
      case 0: {
        c_test::AnswerHandle found;
        calls.count(shared.search(found));
        break;
      }
      case 1:
        calls.count(proxel_index_add(shared.index, c_test::of(view), nullptr, nullptr, nullptr));
        break;
      case 2:
        calls.count(proxel_index_remove(shared.index, &row, 1, nullptr));
        break;
      default: {
        c_test::IndexHandle another;
        if (!calls.count(proxel_index_create(shared.device, c_test::of(view), nullptr, &another))) break;
        c_test::AnswerHandle found;
        calls.count(proxel_index_search(another, c_test::of(view), k, c_test::by("l2"), &found));
      }
    }
  });
  CHECK(calls.done != 0);
  CHECK(calls.refused != 0);
  CHECK(calls.wrong == 0);
  MESSAGE(calls.done.load(), " calls done, ", calls.refused.load(), " refused");
  c_test::AnswerHandle found;
  CHECK_OK(shared.search(found));
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(shared.index, &info));
  CHECK(info.size + info.removed >= 2000);
  CHECK((info.size + info.removed - 2000) % queries == 0);
}

TEST_CASE("devices of their own do not keep threads from each other") {
  Calls calls;
  all_at_once(3, [&](int, int) {
    const Matrix<float> rows = integers(300, 4, 1);
    const proxel_matrix view = c_test::c_matrix(rows);
    c_test::DeviceHandle device;
    c_test::IndexHandle index;
    c_test::AnswerHandle found;
    if (!calls.count(proxel_device_open("cpu", &device))) return;
    if (!calls.count(proxel_index_create(device, c_test::of(view), nullptr, &index))) return;
    calls.count(proxel_index_search(index, c_test::of(view), k, c_test::by("l1"), &found));
  });
  CHECK(calls.done == 3 * 3 * threads);
}
