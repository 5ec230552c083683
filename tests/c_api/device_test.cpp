// Devices, buffers and recordings.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("the list of devices is that of the C++ interface") {
  DeviceList list;
  CHECK_OK(proxel_device_list_create(&list));
  const std::vector<DeviceInfo> expected = list_devices();
  REQUIRE(proxel_device_list_count(list) == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
    CHECK_OK(proxel_device_list_get(list, i, &info));
    const Capabilities& has = expected[i].capabilities;
    CHECK(info.backend == to_string(expected[i].backend));
    CHECK(info.id == expected[i].id);
    CHECK(info.name == expected[i].name);
    CHECK(info.driver == expected[i].driver);
    CHECK((info.unusable == nullptr) == bool(expected[i].usable));
    if (info.unusable) CHECK(info.unusable == expected[i].usable.reason);
    CHECK(std::memcmp(info.uuid, expected[i].uuid.data(), 16) == 0);
    CHECK(info.max_allocation_bytes == has.max_allocation_bytes);
    CHECK(info.subgroup_size == has.subgroup_size);
    CHECK(info.max_workgroup_size == has.max_workgroup_size);
    CHECK(info.shared_memory_bytes == has.shared_memory_bytes);
    CHECK(info.multiprocessors == has.multiprocessors);
    CHECK(info.timestamps == has.timestamps);
    CHECK(info.runs_on_host == has.runs_on_host);
    CHECK(info.memory_bytes == has.memory_bytes);
  }
  proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
  CHECK_FAILS(proxel_device_list_get(list, expected.size(), &info), PROXEL_INVALID_ARGUMENT, "position");
  CHECK_FAILS(proxel_device_list_get(nullptr, 0, &info), PROXEL_INVALID_ARGUMENT, "list");
  CHECK_FAILS(proxel_device_list_create(nullptr), PROXEL_INVALID_ARGUMENT, "list");
  CHECK(proxel_device_list_count(nullptr) == 0);
}

TEST_CASE("backends say whether they are there, or why not") {
  for (const Backend* backend : backends()) {
    const std::string name(to_string(backend->kind()));
    if (const Support support = backend->available())
      CHECK_OK(proxel_backend_available(name.c_str()));
    else {
      CHECK_FAILS(proxel_backend_available(name.c_str()), PROXEL_UNSUPPORTED, name);
      CHECK(std::string(proxel_last_error()) == name + ": " + support.reason);
    }
  }
  CHECK_FAILS(proxel_backend_available("metal"), PROXEL_INVALID_ARGUMENT, "backend");
  CHECK_FAILS(proxel_backend_available(nullptr), PROXEL_INVALID_ARGUMENT, "backend");
}

TEST_CASE("a device is opened by its id, the CPU without one") {
  DeviceHandle device;
  CHECK_OK(proxel_device_open(nullptr, &device));
  proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
  CHECK_OK(proxel_device_get_info(device, &info));
  CHECK(std::string(info.id) == "cpu");
  DeviceHandle none;
  CHECK_FAILS(proxel_device_open("cpu:99", &none), PROXEL_NOT_FOUND, "cpu:99");
  CHECK(none == nullptr);
}

TEST_CASE("bytes written to a buffer are copied, filled and read back on every device") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    BufferHandle first, second;
    CHECK_OK(proxel_buffer_create(device, 64, nullptr, &first));
    CHECK_OK(proxel_buffer_create(device, 64, "readback", &second));
    CHECK(proxel_buffer_bytes(first) == 64);
    CHECK(proxel_buffer_address(first) % 256 == 0);
    CHECK(proxel_buffer_address(first) != 0);
    CHECK(proxel_buffer_mapped(first) == nullptr);
    REQUIRE(proxel_buffer_mapped(second) != nullptr);

    std::array<std::uint32_t, 16> values;
    for (std::uint32_t i = 0; i < 16; ++i) values[i] = i * 1000;
    CHECK_OK(proxel_buffer_write(first, 0, values.data(), 64));
    RecordingHandle recording;
    CHECK_OK(proxel_recording_create(device, "whole", &recording));
    CHECK_OK(proxel_recording_begin(recording));
    CHECK_OK(proxel_recording_push_label(recording, "copies"));
    const proxel_buffer_view whole{second, 0, 0}, from{first, 8, 16}, to{second, 32, 0};
    CHECK_OK(proxel_recording_fill(recording, &whole, 0x11));
    CHECK_OK(proxel_recording_barrier(recording));
    CHECK_OK(proxel_recording_copy(recording, &from, &to));
    CHECK_OK(proxel_recording_pop_label(recording));
    CHECK_OK(proxel_recording_end(recording));
    for (int run = 0; run < 2; ++run) {
      CHECK_OK(proxel_device_submit(device, recording));
      CHECK_OK(proxel_device_wait(device));
    }
    std::array<std::uint32_t, 16> expected;
    expected.fill(0x11111111);
    std::copy_n(values.begin() + 2, 4, expected.begin() + 8);
    CHECK(std::memcmp(proxel_buffer_mapped(second), expected.data(), 64) == 0);
    std::array<std::uint32_t, 4> read{};
    CHECK_OK(proxel_buffer_read(second, 32, read.data(), 16));
    CHECK(std::memcmp(read.data(), expected.data() + 8, 16) == 0);
    double milliseconds = -1;
    CHECK_OK(proxel_recording_milliseconds(recording, &milliseconds));
    CHECK(milliseconds >= 0);
  }
}

TEST_CASE("memory of a device that the host writes is read as it is, or there is none") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    BufferHandle direct, read;
    const proxel_status made = proxel_buffer_create(device, 64, "direct", &direct);
    if (id.starts_with("cuda")) CHECK(made == PROXEL_UNSUPPORTED);
    if (id.starts_with("cpu")) CHECK(made == PROXEL_OK);
    if (id.starts_with("vulkan")) {
      proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
      CHECK_OK(proxel_device_get_info(device, &info));
      BufferHandle too_large;
      const proxel_status refused = proxel_buffer_create(device, info.memory_bytes / 2, "direct", &too_large);
      CHECK(refused == (made == PROXEL_UNSUPPORTED ? PROXEL_UNSUPPORTED : PROXEL_OUT_OF_MEMORY));
      CHECK(too_large == nullptr);
      // Other programs may have all of it.
      if (made == PROXEL_OUT_OF_MEMORY) continue;
    }
    if (made == PROXEL_UNSUPPORTED) continue;
    REQUIRE(made == PROXEL_OK);
    CHECK_OK(proxel_buffer_create(device, 64, "readback", &read));
    RecordingHandle recording;
    CHECK_OK(proxel_recording_create(device, "none", &recording));
    CHECK_OK(proxel_recording_begin(recording));
    const proxel_buffer_view from{direct, 0, 0}, to{read, 0, 0};
    CHECK_OK(proxel_recording_copy(recording, &from, &to));
    CHECK_OK(proxel_recording_end(recording));
    for (std::uint32_t run = 0; run < 2; ++run) {
      std::array<std::uint32_t, 16> words;
      for (std::uint32_t i = 0; i < 16; ++i) words[i] = run + 7 * i;
      std::memcpy(proxel_buffer_mapped(direct), words.data(), 64);
      CHECK_OK(proxel_device_submit(device, recording));
      CHECK_OK(proxel_device_wait(device));
      CHECK(std::memcmp(proxel_buffer_mapped(read), words.data(), 64) == 0);
    }
  }
}

TEST_CASE("buffers refuse what they cannot do") {
  const DeviceHandle device = open("cpu");
  BufferHandle buffer, none;
  CHECK_OK(proxel_buffer_create(device, 64, "upload", &buffer));
  CHECK(proxel_buffer_create(device, 0, nullptr, &none) == PROXEL_INVALID_ARGUMENT);
  CHECK(proxel_buffer_create(device, UINT64_MAX, nullptr, &none) == PROXEL_OUT_OF_MEMORY);
  CHECK_FAILS(proxel_buffer_create(device, 64, "fast", &none), PROXEL_INVALID_ARGUMENT, "kind");
  CHECK_FAILS(proxel_buffer_create(nullptr, 64, nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_buffer_create(device, 64, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "buffer");
  CHECK(none == nullptr);

  std::uint32_t words[32] = {};
  CHECK_FAILS(proxel_buffer_write(buffer, 2, words, 4), PROXEL_INVALID_ARGUMENT, "offset");
  CHECK_FAILS(proxel_buffer_write(buffer, 60, words, 8), PROXEL_INVALID_ARGUMENT, "offset");
  CHECK_FAILS(proxel_buffer_read(buffer, UINT64_MAX - 3, words, 8), PROXEL_INVALID_ARGUMENT, "offset");
  CHECK_FAILS(proxel_buffer_write(buffer, 0, nullptr, 8), PROXEL_INVALID_ARGUMENT, "from");
  CHECK_FAILS(proxel_buffer_read(buffer, 0, nullptr, 8), PROXEL_INVALID_ARGUMENT, "to");
  CHECK_FAILS(proxel_buffer_read(nullptr, 0, words, 8), PROXEL_INVALID_ARGUMENT, "buffer");
  CHECK_OK(proxel_buffer_write(buffer, 64, nullptr, 0));
  CHECK(proxel_buffer_bytes(nullptr) == 0);
  CHECK(proxel_buffer_address(nullptr) == 0);
  CHECK(proxel_buffer_mapped(nullptr) == nullptr);
}

TEST_CASE("recordings refuse what is out of turn, or of another device") {
  const DeviceHandle device = open("cpu"), other = open("cpu:reference");
  BufferHandle buffer, foreign;
  CHECK_OK(proxel_buffer_create(device, 64, nullptr, &buffer));
  CHECK_OK(proxel_buffer_create(other, 64, nullptr, &foreign));
  RecordingHandle recording, none;
  CHECK_FAILS(proxel_recording_create(device, "always", &none), PROXEL_INVALID_ARGUMENT, "timing");
  CHECK_FAILS(proxel_recording_create(nullptr, nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_recording_create(device, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_OK(proxel_recording_create(device, nullptr, &recording));

  const proxel_buffer_view view{buffer, 0, 0}, outside{buffer, 32, 64}, odd{buffer, 0, 6}, empty{nullptr, 0, 0},
      elsewhere{foreign, 0, 0}, half{buffer, 32, 32};
  CHECK_FAILS(proxel_recording_barrier(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_recording_end(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_device_submit(device, recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_OK(proxel_recording_begin(recording));
  CHECK_FAILS(proxel_recording_begin(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_recording_pop_label(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_recording_push_label(recording, nullptr), PROXEL_INVALID_ARGUMENT, "name");
  CHECK_FAILS(proxel_recording_fill(recording, &outside, 0), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_recording_fill(recording, &odd, 0), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_recording_fill(recording, &empty, 0), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_recording_fill(recording, &elsewhere, 0), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_recording_fill(recording, nullptr, 0), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_recording_copy(recording, &view, &half), PROXEL_INVALID_ARGUMENT, "to");
  CHECK_FAILS(proxel_recording_copy(recording, &elsewhere, &view), PROXEL_INVALID_ARGUMENT, "from");
  CHECK_FAILS(proxel_device_submit(device, recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_OK(proxel_recording_end(recording));
  CHECK_FAILS(proxel_recording_barrier(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_device_submit(other, recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_device_submit(nullptr, recording), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_device_submit(device, nullptr), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_device_wait(nullptr), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_recording_milliseconds(recording, nullptr), PROXEL_INVALID_ARGUMENT, "milliseconds");
}

TEST_CASE("what is made from a device outlives its handle") {
  DeviceHandle device = open("cpu");
  BufferHandle buffer;
  CHECK_OK(proxel_buffer_create(device, 16, "upload", &buffer));
  device.reset();
  const std::uint32_t words[4] = {1, 2, 3, 4};
  CHECK_OK(proxel_buffer_write(buffer, 0, words, 16));
  CHECK(std::memcmp(proxel_buffer_mapped(buffer), words, 16) == 0);
}

// Validation layers of Debian 12 ended in SIGSEGV here (docs/drivers.md).
TEST_CASE("commands of several devices are labelled and destroyed at once, each device's by a thread") {
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::string& id : device_ids())
    for (int i = 0; i < 2; ++i) devices.push_back(open_device(id));
  CHECK(devices.size() >= 2);
  std::vector<std::jthread> threads;
  for (const auto& device : devices)
    threads.emplace_back([&device] {
      std::array<std::unique_ptr<Commands>, 5> kept;
      for (std::size_t round = 0; round < 50000; ++round) {
        std::unique_ptr<Commands>& commands = kept[round % kept.size()];
        commands.reset();
        commands = device->create_commands(Timing::none);
        commands->begin();
        for (int label = 0; label < 6; ++label)
          commands->push_label("a label that no string holds without memory of its own");
        for (int label = 0; label < 3; ++label) commands->pop_label();
        commands->end();
      }
    });
}
