// Recordings: proxel's own, and what both kinds can do.
#include <string>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/recording.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

Recording& writable(proxel_recording* recording) {
  const proxel_recording& given = required(recording, "recording");
  if (given.commands && !given.begun) refuse("recording", "has not been begun");
  return *given.recording;
}

}  // namespace proxel::c_api

namespace {

proxel_recording& own(proxel_recording* recording) {
  proxel_recording& given = required(recording, "recording");
  if (!given.commands) refuse("recording", "is over a command buffer or stream of the caller's");
  return given;
}

BufferView words_of(const proxel_buffer_view* view, const proxel_recording& recording, const char* argument) {
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
    const auto& on = required(device, "device").device;
    auto commands = on->create_commands(timing_named(timing));
    Commands* const own_commands = commands.get();
    *recording = new proxel_recording{on, std::move(commands), own_commands};
  });
}

proxel_status proxel_recording_barrier(proxel_recording* recording) {
  return guarded([&] { writable(recording).barrier(); });
}

proxel_status proxel_recording_copy(proxel_recording* recording, const proxel_buffer_view* from,
                                    const proxel_buffer_view* to) {
  return guarded([&] {
    Recording& into = writable(recording);
    const BufferView source = words_of(from, *recording, "from");
    const BufferView target = words_of(to, *recording, "to");
    if (target.bytes < source.bytes)
      refuse("to", fmt::format("has {} bytes, {} are to be copied", target.bytes, source.bytes));
    into.copy(source, target.part(0, source.bytes));
  });
}

proxel_status proxel_recording_fill(proxel_recording* recording, const proxel_buffer_view* view, uint8_t byte) {
  return guarded([&] { writable(recording).fill(words_of(view, *recording, "view"), byte); });
}

proxel_status proxel_recording_push_label(proxel_recording* recording, const char* name) {
  return guarded([&] {
    writable(recording).push_label(&required(name, "name"));
    ++recording->labels;
  });
}

proxel_status proxel_recording_pop_label(proxel_recording* recording) {
  return guarded([&] {
    Recording& into = writable(recording);
    if (recording->labels == 0) refuse("recording", "has no label that is open");
    --recording->labels;
    into.pop_label();
  });
}

proxel_status proxel_recording_begin(proxel_recording* recording) {
  return guarded([&] {
    proxel_recording& given = own(recording);
    if (given.begun) refuse("recording", "has been begun already");
    given.ended = false;
    given.labels = 0;
    given.commands->begin();
    given.begun = true;
  });
}

proxel_status proxel_recording_end(proxel_recording* recording) {
  return guarded([&] {
    writable(&own(recording));
    recording->begun = false;
    recording->commands->end();
    recording->ended = true;
  });
}

proxel_status proxel_recording_milliseconds(proxel_recording* recording, double* milliseconds) {
  return guarded([&] { required(milliseconds, "milliseconds") = own(recording).commands->milliseconds(); });
}

void proxel_recording_destroy(proxel_recording* recording) { delete recording; }
