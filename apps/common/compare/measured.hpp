#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/difference.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

/// One search on one device by one method, repeated. Times are medians, milliseconds.
struct Measured {
  DeviceInfo device;
  Method method = Method::scan;
  std::string how;      ///< what searched, where it is no Method: words, signatures
  double build = 0;     ///< upload and packing of the database
  double upload = 0;    ///< queries to the device
  double compute = 0;   ///< device time
  double readback = 0;  ///< results to the host
  double total = 0;     ///< whole call
  double first = 0;  ///< the same of the first search, which makes pipelines and memory; 0 where it is one of the timed
  std::uint32_t repeats = 0;  ///< timed searches behind the medians

  enum class Outcome { reference, identical, different, not_supported, failed };
  Outcome outcome = Outcome::identical;
  std::optional<Difference> difference;
  std::string reason;            ///< of not_supported and failed
  std::vector<PassTime> passes;  ///< of the latest search, with Timing::passes

  bool timed() const { return outcome != Outcome::not_supported && outcome != Outcome::failed; }
  /// The method's name, or what stands for it.
  std::string method_name() const { return how.empty() ? std::string(to_string(method)) : how; }
  /// "identical", the first difference, or the reason
  std::string verdict() const;
};

struct Task {
  MatrixView<float> database, queries;
  std::uint64_t k = 1;
  Metric metric = Metric::l2sq;
  IndexOptions options;
  std::uint32_t repeats = 5;
  double seconds = 10;  ///< no further repeat is begun after this long
  bool raw = false;     ///< the methods' own arithmetic, compared with the reference
  bool second = false;  ///< as in Repeated
};

/// Whom long work tells how far it has come.
struct Watch {
  std::function<void(std::string title)> title;  ///< what is done now
  Progress progress;
};

/// Builds the index, searches once unmeasured, then repeats.
/// @param reference  filled where empty, compared with otherwise
/// A request that the method cannot serve, a device that fails or is missing
/// are outcomes, not exceptions.
Measured measure(const std::string& device_id, Method method, const Task& task, std::optional<Neighbors>& reference,
                 const Watch& watch);

// Its parts, for other searches than those of vectors.

/// Opens a device and measures there, with the outcomes of measure().
Measured measure_on(const std::string& device_id, const std::function<void(Device&, Measured&)>& search);

/// A search that is repeated.
struct Repeated {
  std::function<Neighbors()> search;
  std::uint32_t repeats = 5;
  double seconds = 10;
  bool second = false;  ///< there is one more, also where the first used up the time
};

/// Searches once unmeasured, then repeats; every answer is compared with the reference to the
/// bit, or becomes it where there is none.
/// @return the method of the answers' reports, a literal; empty where there were no queries
std::string_view repeat(const Repeated& repeated, std::optional<Neighbors>& reference, Measured& result);

}  // namespace proxel::tool
