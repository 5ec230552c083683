// Handles that are wrong: of another kind, destroyed before, never made, or in use.
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "index_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

proxel_status search(proxel_index* index, const proxel_matrix& asked, AnswerHandle& found,
                     const proxel_search_options* options = nullptr) {
  return proxel_index_search(index, of(asked), k, options, &found);
}

bool says(const char* what) { return std::string(proxel_last_error()).find(what) != std::string::npos; }

// Calls a function once, within a search.
struct Within {
  std::function<void()> function;
  static int call(void* user, std::uint64_t, std::uint64_t) {
    auto* self = static_cast<Within*>(user);
    if (self->function) std::exchange(self->function, nullptr)();
    return 0;
  }
};

}  // namespace

TEST_CASE("a handle of another kind is an error") {
  Both both;
  AnswerHandle found;
  auto* const wrong = reinterpret_cast<proxel_index*>(static_cast<proxel_device*>(both.device));
  CHECK_FAILS(search(wrong, both.c_queries, found), PROXEL_INVALID_ARGUMENT, "index");
  CHECK(says("is a handle of another kind (device); index is expected"));
  CHECK(found == nullptr);
  proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
  auto* const index_as_device = reinterpret_cast<proxel_device*>(static_cast<proxel_index*>(both.c));
  CHECK_FAILS(proxel_device_get_info(index_as_device, &info), PROXEL_INVALID_ARGUMENT, "device");
  // Destroyed as what it is not, it stays what it is.
  proxel_device_destroy(index_as_device);
  CHECK(says("another kind"));
  CHECK_OK(search(both.c, both.c_queries, found));
  CHECK(proxel_buffer_bytes(reinterpret_cast<proxel_buffer*>(static_cast<proxel_device*>(both.device))) == 0);
  CHECK(says("buffer: is a handle of another kind"));
}

TEST_CASE("a handle that was destroyed, or never made, is an error, and destroying it again does nothing") {
  Both both;
  AnswerHandle found;
  proxel_index* const index = both.c;
  both.c.reset();
  CHECK_FAILS(search(index, both.c_queries, found), PROXEL_INVALID_ARGUMENT, "index");
  CHECK(says("has been destroyed"));
  proxel_index_destroy(index);
  CHECK(says("has been destroyed"));
  // The next index takes the same place, and is another.
  CHECK_OK(proxel_index_create(both.device, of(both.c_rows), nullptr, &both.c));
  CHECK(static_cast<proxel_index*>(both.c) != index);
  CHECK_FAILS(search(index, both.c_queries, found), PROXEL_INVALID_ARGUMENT, "index");
  proxel_index_destroy(index);
  CHECK_OK(search(both.c, both.c_queries, found));

  std::uint64_t on_the_stack = 7;
  for (void* const foreign : {static_cast<void*>(&on_the_stack), reinterpret_cast<void*>(std::uintptr_t{1}),
                              reinterpret_cast<void*>(~std::uintptr_t{0})}) {
    CHECK_FAILS(search(static_cast<proxel_index*>(foreign), both.c_queries, found), PROXEL_INVALID_ARGUMENT, "index");
    CHECK(says("not a handle that proxel made"));
    proxel_index_destroy(static_cast<proxel_index*>(foreign));
  }
  const proxel_buffer_view nowhere{reinterpret_cast<proxel_buffer*>(&on_the_stack), 0, 0};
  RecordingHandle recording;
  CHECK_OK(proxel_recording_create(both.device, nullptr, &recording));
  CHECK_OK(proxel_recording_begin(recording));
  CHECK_FAILS(proxel_recording_fill(recording, &nowhere, 0), PROXEL_INVALID_ARGUMENT, "view");
}

TEST_CASE("a device and what is made from it serve one call at a time") {
  Both both;
  IndexHandle second;
  BufferHandle buffer;
  CHECK_OK(proxel_index_create(both.device, of(both.c_rows), nullptr, &second));
  CHECK_OK(proxel_buffer_create(both.device, 64, nullptr, &buffer));
  AnswerHandle outer, inner;
  Within within;
  const auto try_all = [&](const char* why) {
    CHECK_FAILS(search(both.c, both.c_queries, inner), PROXEL_INVALID_ARGUMENT, "index");
    CHECK(says(why));
    CHECK_FAILS(search(second, both.c_queries, inner), PROXEL_INVALID_ARGUMENT, "index");
    CHECK_FAILS(proxel_device_wait(both.device), PROXEL_INVALID_ARGUMENT, "device");
    std::uint32_t word = 0;
    CHECK_FAILS(proxel_buffer_read(buffer, 0, &word, 4), PROXEL_INVALID_ARGUMENT, "buffer");
    proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
    CHECK_OK(proxel_device_get_info(both.device, &info));  // which never changes
    CHECK(proxel_buffer_bytes(buffer) == 64);
    // Another device is another matter.
    Both elsewhere;
    CHECK_OK(search(elsewhere.c, elsewhere.c_queries, inner));
  };
  within.function = [&] { try_all("progress callback"); };
  const auto options = telling(within);
  CHECK_OK(search(both.c, both.c_queries, outer, &options));
  within.function = [&] { std::thread([&] { try_all("another thread"); }).join(); };
  CHECK_OK(search(both.c, both.c_queries, outer, &options));
  CHECK(same(outer, both.cpp.search(both.asked.view(), k, Metric::l2sq)));
  CHECK_OK(search(second, both.c_queries, inner));
}

TEST_CASE("whatever is destroyed while others use the device goes when they have finished") {
  for (const bool beside : {false, true}) {
    Both both;
    BufferHandle buffer;
    CHECK_OK(proxel_buffer_create(both.device, 64, nullptr, &buffer));
    AnswerHandle found;
    Within within;
    const auto destroy = [&] {
      buffer.reset();
      both.c.reset();  // that is searched
      both.device.reset();
    };
    within.function = [&] {
      if (beside)
        std::thread(destroy).join();
      else
        destroy();
    };
    const auto options = telling(within);
    CHECK_OK(search(both.c, both.c_queries, found, &options));
    CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::l2sq)));
  }
}

TEST_CASE("threads that share a device are answered or refused, and never wrongly") {
  Both both;
  const Neighbors expected = both.cpp.search(both.asked.view(), k, Metric::l2sq);
  std::atomic<std::uint64_t> answered{0}, refused{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        AnswerHandle found;
        const proxel_status status = search(both.c, both.c_queries, found);
        if (status == PROXEL_OK && same(found, expected))
          ++answered;
        else if (status == PROXEL_INVALID_ARGUMENT && found == nullptr)
          ++refused;
        else
          ++wrong;
        proxel_buffer* buffer = nullptr;
        if (proxel_buffer_create(both.device, 64, nullptr, &buffer) == PROXEL_OK) proxel_buffer_destroy(buffer);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(answered > 0);
  CHECK(answered + refused == 400);
}

TEST_CASE("what a handle costs is next to nothing") {
  const DeviceHandle device = open("cpu");
  BufferHandle buffer;
  CHECK_OK(proxel_buffer_create(device, 64, nullptr, &buffer));
  constexpr int calls = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t bytes = 0;
  for (int i = 0; i < calls; ++i) bytes += proxel_buffer_bytes(buffer);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  CHECK(bytes == 64 * std::uint64_t{calls});
  MESSAGE("nanoseconds of a call: " << took.count() / calls);
}

TEST_CASE("errors are one line of bounded length") {
  proxel_device* device = nullptr;
  CHECK(proxel_device_open("no\nsuch\x1b[31m device", &device) == PROXEL_NOT_FOUND);
  CHECK(std::string(proxel_last_error_subject()) == "no\\nsuch\\x1b[31m device");
  CHECK(std::string(proxel_last_error()).find("no\\nsuch\\x1b[31m device: ") == 0);
  const std::string name(1 << 20, 'x');
  CHECK(proxel_device_open(name.c_str(), &device) == PROXEL_NOT_FOUND);
  CHECK(std::string(proxel_last_error()).size() <= 1000);
  CHECK(std::string(proxel_last_error_subject()).size() <= 300);
  CHECK(says("there are cpu"));
  double bound = 0;
  CHECK(proxel_error_bound((name + "\n").c_str(), 3, &bound) == PROXEL_INVALID_ARGUMENT);
  CHECK(std::string(proxel_last_error()).size() <= 1000);
  CHECK(says("l2sq"));
}
