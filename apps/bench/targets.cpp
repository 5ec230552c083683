#include "bench/targets.hpp"

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {

BenchRow knn_row(const std::string& group, const std::string& name, Metric metric, const Shape& shape, std::uint64_t k,
                 const Timed& timed, std::string remark) {
  BenchRow row{group,
               name,
               std::string(proxel::to_string(metric)),
               shape.rows,
               shape.queries,
               shape.dimensions,
               k,
               timed.median_ms,
               timed.min_ms};
  row.remark = std::move(remark);
  return row;
}

BenchRow search_row(const std::string& group, const std::string& name, const Shape& shape, const Timed& timed,
                    const Bandwidth* bandwidth) {
  BenchRow row = knn_row(group, name, Metric::l1, shape, 1, timed);
  if (!bandwidth || bandwidth->read <= 0 || timed.median_ms <= 0) return row;
  const auto bytes = static_cast<double>(shape.bytes());
  row.remark = fmt::format("{} GB/s, {:.0f} % of the read bandwidth; 1.5 × floor + 15 µs is {} ms",
                           significant(bytes / timed.median_ms / 1e6), 100 * bytes / timed.median_ms / bandwidth->read,
                           significant(1.5 * bytes / bandwidth->read + 0.015));
  return row;
}

void add_search_rows(const std::string& group, const std::string& name, const Shape& shape, const SearchTimings& times,
                     const Bandwidth* bandwidth, Recorder& recorder) {
  recorder.add(search_row(group, name, shape, times.compute, bandwidth));
  recorder.add(search_row(group + "_upload", name, shape, times.upload));
  recorder.add(search_row(group + "_readback", name, shape, times.readback));
  recorder.add(search_row(group + "_call", name, shape, times.call));
}

void note_method(const BenchOptions& options, Recorder& recorder) {
  recorder.note(
      fmt::format("Data: uniform in [0, 1), seed {}; queries likewise, seed {}.", options.seed, options.seed + 1));
  recorder.note(
      "Compute, upload and read-back are device timestamps (the host's clock where a device has "
      "none), medians after warm-up; _call is the host's clock from copying the queries to having "
      "the results. Single queries visit copies of the database that take 256 MiB or more "
      "together, so that no cache holds what is read.");
  recorder.note(
      "Every answer is compared bit for bit with the cpu device's on the same data; of batches, "
      "the first 64 queries' answers.");
}

void add_ceilings(const std::string& device, const Bandwidth& bandwidth, Recorder& recorder) {
  const auto add = [&](const std::string& name, double bytes_per_millisecond) {
    BenchRow row{
        "ceiling",     fmt::format("{}_TBps_{}", name, device), "-", 0, 0, 0, 0, bytes_per_millisecond / 1e9, 0,
        "TB/s, not ms"};
    recorder.add(row);
  };
  add("copy", bandwidth.copy);
  if (bandwidth.scan_of_keys > 0) add("read_keys", bandwidth.scan_of_keys);
  add("read", bandwidth.read);
}

std::vector<Bandwidth> measure_bandwidths(const BenchOptions& options, Recorder& recorder) {
  std::vector<Bandwidth> bandwidths(options.devices.size());
  for (std::size_t index = 0; index < options.devices.size(); ++index)
    on_device(options.devices[index], recorder, [&](Device& device) {
      bandwidths[index] = measure_bandwidth(device, options.patience, options.quick);
      add_ceilings(device.info().id, bandwidths[index], recorder);
    });
  return bandwidths;
}

}  // namespace proxel::tool
