#include "word_index.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "divided_output.hpp"
#include "padding.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

StringUnits units_of(const WordOptions& options) {
  return options.bytes ? StringUnits::bytes : StringUnits::code_points;
}

// A saved index knows how it was made.
void refuse_for_saved(const WordOptions& options) {
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw Error(ErrorCode::invalid_argument, option,
                  fmt::format("is for words; {} is an index that was saved, with its own", options.file));
  };
  refuse(options.permutations.permutants != 0, "--permutants");
  refuse(options.memory_limit != 0, "--memory-limit");
  refuse(options.permutations.prefix != 0, "--prefix");
  refuse(options.bytes, "--bytes");
  refuse(options.distance != "levenshtein", "--distance");
}

// Numbers of the words of an index that stand in a file.
template <typename Within>
std::vector<std::uint32_t> numbers_of(const std::string& file, StringUnits units, const Within& within) {
  const TextLines lines = read_input_lines(file);
  const RangeNeighbors found = within(strings_of(lines, units, name_of(file)));
  for (std::uint64_t word = 0; word + 1 < found.offsets.size(); ++word)
    if (found.count(word) == 0)
      throw Error(ErrorCode::invalid_argument, fmt::format("{}, line {}", name_of(file), lines.line_number(word)),
                  "is not among the words, and cannot be removed");
  return found.indices;
}

// @param line_of  the number of a line in its file
template <typename LineOf>
Strings add_all(const std::vector<std::string>& lines, StringUnits units, const std::string& where,
                const LineOf& line_of) {
  Strings strings(units);
  for (std::size_t i = 0; i < lines.size(); ++i) try {
      strings.add(lines[i]);
    } catch (const Error& error) {
      throw Error(ErrorCode::invalid_argument, fmt::format("{}, line {}", where, line_of(i)),
                  "is not UTF-8; --bytes compares any bytes");
    }
  return strings;
}

}  // namespace

Strings strings_of(const std::vector<std::string>& lines, StringUnits units, const std::string& where,
                   std::uint64_t before) {
  return add_all(lines, units, where, [&](std::uint64_t i) { return before + i + 1; });
}

Strings strings_of(const TextLines& lines, StringUnits units, const std::string& where) {
  return add_all(lines.lines, units, where, [&](std::uint64_t i) { return lines.line_number(i); });
}

WordIndex::WordIndex(const SearchedDevices& devices, const WordOptions& options, ProgressBar& bar) : options_(options) {
  bar.set_title("reading " + options.file);
  const StringIndexOptions strings{.distance = string_distance_from_string(options.distance),
                                   .timing = options.trace ? Timing::passes : Timing::whole,
                                   .memory_limit = options.memory_limit};
  // What a look at the first bytes of a pipe takes out of it is gone.
  if (!is_stream(options.file) && PermutationIndex::is_saved(options.file)) {
    refuse_for_saved(options);
    if (devices.several())
      throw Error(ErrorCode::unsupported, "--device", "an index that was saved is searched by one device");
    index_.emplace(PermutationIndex::load(devices.first(), options.file, strings));
  } else {
    const std::string name = name_of(options.file);
    const TextLines lines = read_input_lines(options.file);
    if (lines.lines.empty()) throw Error(ErrorCode::invalid_argument, name, "has no lines");
    const Strings words = strings_of(lines, units_of(options), name);
    check_permutations(options.permutations);
    if (options.permutations.permutants != 0 && options.memory_limit != 0)
      throw Error(ErrorCode::unsupported, "--memory-limit",
                  "words pass in parts where all are compared; a permutation index has all of them on the device");
    bar.set_title("building the index");
    if (options.permutations.permutants == 0)
      index_.emplace(ShardedStringIndex(devices.all(), words, devices.divided(strings)));
    else
      index_.emplace(ShardedPermutationIndex(
          devices.all(), words, devices.divided(permutation_options(options.permutations, strings)), bar.callback()));
  }
  update(bar);
  if (size() != 0) options_.k = std::min<std::uint64_t>(options_.k, size());  // there are no more to find
  if (!is_approximate()) return;
  fraction_ = options.permutations.fraction.value_or(PermutationChoice::usual_fraction);
  compared();  // refuses a fraction that is none
  choose_fraction(bar);
}

template <typename Exact, typename Approximate>
auto WordIndex::of_kind(const Exact& exact, const Approximate& approximate) const {
  return std::visit([&](auto& index) {
    if constexpr (requires { index.permutants(); })
      return approximate(index);
    else
      return exact(index);
  }, *index_);
}

bool WordIndex::is_approximate() const { return permutants() != 0; }

void WordIndex::choose_fraction(ProgressBar& bar) {
  const std::optional<double> recall = options_.permutations.recall;
  if (!recall) return;
  bar.set_title("choosing the fraction");
  std::visit([&](auto& index) {
    if constexpr (requires { index.permutants(); })
      choice_ = options_.radius
                    ? index.choose_range_fraction(*recall, *options_.radius, Strings(units()), bar.callback())
                    : index.choose_fraction(*recall, options_.k, Strings(units()), bar.callback());
  }, *index_);
  fraction_ = choice_->fraction;
}

void WordIndex::update(ProgressBar& bar) {
  if (!options_.remove.empty() || !options_.add.empty()) bar.set_title("changing the words");
  std::visit([&](auto& index) {
    const auto same_words = [&](const Strings& words) {
      if constexpr (requires { index.permutants(); })
        return index.range_search(words, 0, 1.0);
      else
        return index.range_search(words, 0);
    };
    if (!options_.remove.empty()) index.remove(numbers_of(options_.remove, units(), same_words));
    if (!options_.add.empty()) index.add(strings_of(read_input_lines(options_.add), units(), name_of(options_.add)));
  }, *index_);
}

RangeNeighbors WordIndex::search(const Strings& queries, const Progress& progress) {
  const auto ask = [&](auto& index, const auto&... fraction) {
    return options_.radius ? index.range_search(queries, *options_.radius, fraction..., progress)
                           : without_padding(index.search(queries, options_.k, fraction..., progress));
  };
  return std::visit([&](auto& index) {
    if constexpr (requires { index.permutants(); })
      return ask(index, fraction_);
    else
      return ask(index);
  }, *index_);
}

void WordIndex::save(const std::string& path) {
  std::visit([&](auto& index) {
    if constexpr (requires { index.permutants(); })
      index.save(path);
    else
      throw Error(ErrorCode::unsupported, "--save",
                  "saves a permutation index: --permutants says how many permutants it has");
  }, *index_);
}

std::uint64_t WordIndex::compared() const {
  return of_kind([](const auto& exact) { return exact.size(); },
                 [&](const auto& index) { return index.candidates(options_.radius ? 1 : options_.k, fraction_); });
}

std::uint64_t WordIndex::permutants() const {
  return of_kind([](const auto&) { return std::uint64_t{0}; },
                 [](const auto& index) { return std::uint64_t{index.permutants().size()}; });
}

void WordIndex::describe(const SearchReport& report, nlohmann::ordered_json& document) const {
  std::visit([&](const auto& index) { Divided(index).describe(report, document); }, *index_);
}

std::vector<std::string> WordIndex::remarks(const SearchReport& report) const {
  return std::visit([&](const auto& index) { return Divided(index).lines(report); }, *index_);
}

std::uint64_t WordIndex::size() const {
  return std::visit([](const auto& index) { return index.size(); }, *index_);
}
StringUnits WordIndex::units() const {
  return std::visit([](const auto& index) { return index.units(); }, *index_);
}
std::string WordIndex::text(std::uint32_t number) const {
  return std::visit([&](const auto& index) { return index.text(number); }, *index_);
}
double WordIndex::build_milliseconds() const {
  return std::visit([](const auto& index) { return index.build_milliseconds(); }, *index_);
}

}  // namespace proxel::tool
