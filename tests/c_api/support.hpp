#pragma once

// What tests of the C API share: handles that are destroyed, data, and the devices there are.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "proxel/index.hpp"
#include "proxel/proxel.h"
#include "proxel/strings.hpp"

namespace proxel::c_test {

/// A handle that its destructor destroys; &handle is where a create function writes, after what it was.
template <typename Handle, void (*destroy)(Handle*)>
class Held {
 public:
  Held() = default;
  Held(Held&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Held& operator=(Held&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Held() { destroy(handle_); }
  Handle** operator&() {
    reset();
    return &handle_;
  }
  operator Handle*() const { return handle_; }
  /// Destroys it now.
  void reset() { destroy(std::exchange(handle_, nullptr)); }

 private:
  Handle* handle_ = nullptr;
};

using DeviceHandle = Held<proxel_device, proxel_device_destroy>;
using DeviceList = Held<proxel_device_list, proxel_device_list_destroy>;
using BufferHandle = Held<proxel_buffer, proxel_buffer_destroy>;
using RecordingHandle = Held<proxel_recording, proxel_recording_destroy>;
using IndexHandle = Held<proxel_index, proxel_index_destroy>;
using PlanHandle = Held<proxel_plan, proxel_plan_destroy>;
using AnswerHandle = Held<proxel_answer, proxel_answer_destroy>;
using DataHandle = Held<proxel_data, proxel_data_destroy>;
using SignatureFileHandle = Held<proxel_signature_file, proxel_signature_file_destroy>;
using SemaphoreHandle = Held<proxel_semaphore, proxel_semaphore_destroy>;
using WishesHandle = Held<proxel_vulkan_wishes, proxel_vulkan_wishes_destroy>;

/// Checks that a call went well, and says what it failed with.
#define CHECK_OK(call)                           \
  do {                                           \
    const proxel_status status_of_call = (call); \
    INFO(std::string(proxel_last_error()));      \
    REQUIRE(status_of_call == PROXEL_OK);        \
  } while (false)

/// Checks that a call is refused, and that the error begins with what is at fault.
#define CHECK_FAILS(call, expected, at_fault)                      \
  do {                                                             \
    CHECK((call) == (expected));                                   \
    CHECK(std::string(proxel_last_error_subject()) == (at_fault)); \
    CHECK(std::string(proxel_last_error()).find(at_fault) == 0);   \
  } while (false)

/// Ids of the devices that tests run on: of each backend the first that is usable.
std::vector<std::string> device_ids();

inline DeviceHandle open(const std::string& id) {
  DeviceHandle device;
  CHECK_OK(proxel_device_open(id.c_str(), &device));
  return device;
}

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed);

inline proxel_matrix c_matrix(const Matrix<float>& matrix) {
  proxel_matrix view = PROXEL_MATRIX_INIT;
  view.data = matrix.data();
  view.rows = matrix.rows();
  view.columns = matrix.columns();
  return view;
}

/// A struct of the C API where its address is expected.
template <typename Struct>
struct Given : Struct {
  operator const Struct*() const { return this; }
};

inline Given<proxel_objects> of(const proxel_matrix& rows) {
  return {{sizeof(proxel_objects), &rows, nullptr, nullptr, nullptr, nullptr}};
}
inline Given<proxel_objects> of(const proxel_strings& strings) {
  return {{sizeof(proxel_objects), nullptr, &strings, nullptr, nullptr, nullptr}};
}
inline Given<proxel_objects> of(const proxel_signatures& signatures) {
  return {{sizeof(proxel_objects), nullptr, nullptr, &signatures, nullptr, nullptr}};
}
inline Given<proxel_objects> of(const proxel_stored_rows& rows) {
  return {{sizeof(proxel_objects), nullptr, nullptr, nullptr, &rows, nullptr}};
}
inline Given<proxel_objects> of(const proxel_own_rows& rows) {
  return {{sizeof(proxel_objects), nullptr, nullptr, nullptr, nullptr, &rows}};
}

/// Options of a search by a metric, and of a plan.
inline Given<proxel_search_options> by(const char* metric) {
  Given<proxel_search_options> options{PROXEL_SEARCH_OPTIONS_INIT};
  options.metric = metric;
  return options;
}
inline Given<proxel_plan_options> plan_by(const char* metric) {
  Given<proxel_plan_options> options{PROXEL_PLAN_OPTIONS_INIT};
  options.metric = metric;
  return options;
}
/// Options of a search among some of the objects, and of its plan.
inline Given<proxel_search_options> among(double fraction) {
  Given<proxel_search_options> options{PROXEL_SEARCH_OPTIONS_INIT};
  options.fraction = fraction;
  return options;
}
inline Given<proxel_plan_options> plan_among(double fraction, std::uint64_t longest_query = 0) {
  Given<proxel_plan_options> options{PROXEL_PLAN_OPTIONS_INIT};
  options.fraction = fraction;
  options.longest_query = longest_query;
  return options;
}
inline Given<proxel_plan_options> plan_up_to(std::uint64_t longest_query) { return plan_among(0, longest_query); }
/// Options with a progress callback.
template <typename Callback>
Given<proxel_search_options> telling(Callback& callback) {
  Given<proxel_search_options> options{PROXEL_SEARCH_OPTIONS_INIT};
  options.progress = Callback::call;
  options.progress_user = &callback;
  return options;
}

inline Given<proxel_rows_description> describe_rows(const char* method, std::uint64_t rows, std::uint32_t dimensions) {
  Given<proxel_rows_description> description{PROXEL_ROWS_DESCRIPTION_INIT};
  description.method = method;
  description.rows = rows;
  description.dimensions = dimensions;
  return description;
}

inline std::vector<std::string> random_words(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<std::string> words;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string word;
    for (auto length = generator() % 9; length != 0; --length)
      word += generator() % 5 == 0 ? "\xC3\xA9" : std::string(1, static_cast<char>('a' + generator() % 4));
    words.push_back(word);
  }
  return words;
}

/// Strings for both interfaces.
struct Words {
  std::vector<std::string> words;
  std::vector<const char*> texts;
  std::vector<std::uint64_t> lengths;
  Strings strings;

  explicit Words(std::vector<std::string> of, StringUnits units = StringUnits::code_points)
      : words(std::move(of)), strings(units) {
    for (const std::string& word : words) {
      texts.push_back(word.data());
      lengths.push_back(word.size());
      strings.add(word);
    }
  }
  Words(const Words&) = delete;
  proxel_strings c() const {
    return {sizeof(proxel_strings), texts.data(), lengths.data(), texts.size(),
            strings.units() == StringUnits::bytes ? "bytes" : nullptr};
  }
};

/// Room for the k nearest, with guards behind it that no search may touch.
struct Found {
  std::uint64_t slots;
  std::vector<std::uint32_t> indices;
  std::vector<float> distances;

  Found(std::uint64_t queries, std::uint64_t k)
      : slots(queries * k), indices(slots + 1, 0xABABABAB), distances(slots + 1, -77) {}
  bool operator==(const Neighbors& expected) const {
    return expected.indices.rows() * expected.indices.columns() == slots &&
           std::memcmp(indices.data(), expected.indices.data(), slots * 4) == 0 &&
           std::memcmp(distances.data(), expected.distances.data(), slots * 4) == 0 && indices.back() == 0xABABABAB &&
           distances.back() == -77;
  }
  bool untouched() const {
    for (const std::uint32_t index : indices)
      if (index != 0xABABABAB) return false;
    return true;
  }
};

/// A file in the folder of temporary files, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* name) : path_((std::filesystem::temp_directory_path() / name).string()) {}
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  operator const char*() const { return path_.c_str(); }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

/// Whether an answer is that of the C++ interface, to the bit.
bool same(const proxel_answer* answer, const Neighbors& expected);
bool same(const proxel_answer* answer, const RangeNeighbors& expected);
bool same(const proxel_answer* answer, const Matrix<float>& expected);

/// How an answer was found.
proxel_report report_of(const proxel_answer* answer);
/// Whether times make sense: the parts add up to no more than the whole.
bool plausible(const proxel_report& report);

/// A progress callback that counts its calls and ends the work at one of them.
struct Counter {
  std::uint64_t calls = 0;
  std::uint64_t end_at = 0;  // 0: never
  static int call(void* user, std::uint64_t done, std::uint64_t total) {
    auto* self = static_cast<Counter*>(user);
    if (done > total) return 1;
    return ++self->calls == self->end_at;
  }
};

}  // namespace proxel::c_test
