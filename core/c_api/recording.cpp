// Recordings: proxel's own, and what both kinds can do.
#include <string>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/recording.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

HeldRecording& writable(proxel_recording* recording) {
  HeldRecording& given = handled(recording, "recording");
  if (given.commands && !given.begun) refuse("recording", "has not been begun");
  return given;
}

}  // namespace proxel::c_api

namespace {

HeldRecording& own(proxel_recording* recording) {
  HeldRecording& given = handled(recording, "recording");
  if (!given.commands) refuse("recording", "is over a command buffer or stream of the caller's");
  return given;
}

BufferView words_of(const proxel_buffer_view* view, const HeldRecording& recording, const char* argument) {
  const BufferView part = view_of(required(view, argument), *recording.device, argument);
  if (!part.buffer) refuse(argument, "has no buffer");
  if (part.offset % 4 != 0 || part.bytes % 4 != 0)
    refuse(argument, fmt::format("has {} bytes from {} on; multiples of 4 are allowed", part.bytes, part.offset));
  return part;
}

}  // namespace

proxel_status proxel_recording_create(proxel_device* device, const char* timing, proxel_recording** recording) {
  return guarded([&] {
    required(recording, "recording");
    const auto& on = handled(device, "device").device;
    auto commands = on->create_commands(timing_named(timing));
    Commands* const own_commands = commands.get();
    *recording = make_handle<proxel_recording>(on, on, std::move(commands), own_commands);
  });
}

proxel_status proxel_recording_barrier(proxel_recording* recording) {
  return guarded([&] { writable(recording).recording->barrier(); });
}

proxel_status proxel_recording_copy(proxel_recording* recording, const proxel_buffer_view* from,
                                    const proxel_buffer_view* to) {
  return guarded([&] {
    const HeldRecording& into = writable(recording);
    const BufferView source = words_of(from, into, "from");
    const BufferView target = words_of(to, into, "to");
    if (target.bytes < source.bytes)
      refuse("to", fmt::format("has {} bytes, {} are to be copied", target.bytes, source.bytes));
    into.recording->copy(source, target.part(0, source.bytes));
  });
}

proxel_status proxel_recording_fill(proxel_recording* recording, const proxel_buffer_view* view, uint8_t byte) {
  return guarded([&] {
    const HeldRecording& into = writable(recording);
    into.recording->fill(words_of(view, into, "view"), byte);
  });
}

proxel_status proxel_recording_push_label(proxel_recording* recording, const char* name) {
  return guarded([&] {
    HeldRecording& into = writable(recording);
    into.recording->push_label(&required(name, "name"));
    ++into.labels;
  });
}

proxel_status proxel_recording_pop_label(proxel_recording* recording) {
  return guarded([&] {
    HeldRecording& into = writable(recording);
    if (into.labels == 0) refuse("recording", "has no label that is open");
    --into.labels;
    into.recording->pop_label();
  });
}

proxel_status proxel_recording_begin(proxel_recording* recording) {
  return guarded([&] {
    HeldRecording& given = own(recording);
    if (given.begun) refuse("recording", "has been begun already");
    given.ended = false;
    given.labels = 0;
    given.commands->begin();
    given.begun = true;
  });
}

proxel_status proxel_recording_end(proxel_recording* recording) {
  return guarded([&] {
    HeldRecording& given = own(recording);
    writable(recording);
    given.begun = false;
    given.commands->end();
    given.ended = true;
  });
}

proxel_status proxel_recording_milliseconds(proxel_recording* recording, double* milliseconds) {
  return guarded([&] { required(milliseconds, "milliseconds") = own(recording).commands->milliseconds(); });
}

void proxel_recording_destroy(proxel_recording* recording) { destroy(recording); }
