#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/difference.hpp"
#include "compare/task.hpp"

namespace proxel::tool {

/// Who searches: a device, or several together, and one of Task::methods().
struct Subject {
  std::string device;  ///< an id; of several "cpu+vulkan:0"
  std::string method;

  bool operator==(const Subject&) const = default;
};

/// One search by one subject, repeated. Times are medians, milliseconds.
struct Measured {
  DeviceInfo device;
  std::string method;   ///< that answered; until it is known, that was asked
  bool chosen = false;  ///< "auto" was asked
  /// The method, and that it was chosen, for people: "fused (auto)".
  std::string shown_method() const { return chosen && method != "auto" ? method + " (auto)" : method; }
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
  std::optional<double> recall;  ///< of an approximate search, 0…1
  std::string reason;            ///< of not_supported and failed
  std::vector<PassTime> passes;  ///< of the latest search, with Timing::passes
  Divided divided;               ///< among several devices, or into blocks
  SearchReport latest;           ///< of the latest search

  bool timed() const { return outcome != Outcome::not_supported && outcome != Outcome::failed; }
  /// "identical", the first difference, or the reason
  std::string verdict() const;
};

/// Devices that were asked for, as chosen_devices() has them, where those that are joined by + search together.
/// Throws Error(invalid_argument) for one that is joined to itself, and for shares that are not one for each of those
/// that are joined.
std::vector<std::string> chosen_competitors(const std::vector<std::string>& asked, const Dividing& dividing);

/// How much is measured of each subject.
struct Effort {
  std::uint32_t repeats = 5;
  double seconds = 10;  ///< no further repeat is begun after this long
  bool second = false;  ///< there is one more search, also where the first used up the time
  Timing timing = Timing::whole;
  Dividing dividing = {};  ///< of several devices that search together

  /// The same for one device or several. The plain reference is there to be right: it searches once, and its time means nothing.
  Effort of(const std::string& device) const;
};

/// Whom long work tells how far it has come.
struct Watch {
  std::function<void(std::string title)> title;  ///< what is done now
  Progress progress;
};

/// Makes the search ready, searches once unmeasured, then repeats. Every answer is compared with the reference to
/// the bit, or becomes it where there is none.
/// @param reference  filled where empty, compared with otherwise
/// A request that the method cannot serve, a device that fails or is missing
/// are outcomes, not exceptions. Throws Error(invalid_argument), and what `watch` throws.
Measured measure(const Subject& subject, const Task& task, const Effort& effort, std::optional<Answer>& reference,
                 const Watch& watch);

}  // namespace proxel::tool
