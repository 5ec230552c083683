#include "word_index.hpp"

#include <algorithm>

#include <fmt/format.h>

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

WordIndex::WordIndex(Device& device, const WordOptions& options, ProgressBar& bar) : options_(options) {
  bar.set_title("reading " + options.file);
  const StringIndexOptions strings{.distance = string_distance_from_string(options.distance),
                                   .timing = options.trace ? Timing::passes : Timing::whole};
  // What a look at the first bytes of a pipe takes out of it is gone.
  if (!is_stream(options.file) && PermutationIndex::is_saved(options.file)) {
    refuse_for_saved(options);
    index_.emplace<PermutationIndex>(PermutationIndex::load(device, options.file, strings));
  } else {
    const std::string name = name_of(options.file);
    const TextLines lines = read_input_lines(options.file);
    if (lines.lines.empty()) throw Error(ErrorCode::invalid_argument, name, "has no lines");
    const Strings words = strings_of(lines, units_of(options), name);
    check_permutations(options.permutations);
    bar.set_title("building the index");
    if (options.permutations.permutants == 0) {
      index_.emplace<StringIndex>(device, words, strings);
    } else {
      index_.emplace<PermutationIndex>(device, words, permutation_options(options.permutations, strings),
                                       bar.callback());
    }
  }
  update(bar);
  if (size() != 0) options_.k = std::min<std::uint64_t>(options_.k, size());  // there are no more to find
  auto* approximate = std::get_if<PermutationIndex>(&index_);
  if (!approximate) return;
  fraction_ = options.permutations.fraction.value_or(PermutationChoice::usual_fraction);
  approximate->candidates(1, fraction_);  // refuses a fraction that is none
  const std::optional<double> recall = options.permutations.recall;
  if (!recall) return;
  bar.set_title("choosing the fraction");
  choice_ = options.radius
                ? approximate->choose_range_fraction(*recall, *options.radius, Strings(units()), bar.callback())
                : approximate->choose_fraction(*recall, options_.k, Strings(units()), bar.callback());
  fraction_ = choice_->fraction;
}

void WordIndex::update(ProgressBar& bar) {
  if (!options_.remove.empty() || !options_.add.empty()) bar.set_title("changing the words");
  const auto change = [&](auto& index, const auto&... fraction) {
    if (!options_.remove.empty())
      index.remove(numbers_of(options_.remove, units(),
                              [&](const Strings& words) { return index.range_search(words, 0, fraction...); }));
    if (!options_.add.empty()) index.add(strings_of(read_input_lines(options_.add), units(), name_of(options_.add)));
  };
  if (auto* exact = std::get_if<StringIndex>(&index_))
    change(*exact);
  else
    change(std::get<PermutationIndex>(index_), 1.0);
}

RangeNeighbors WordIndex::search(const Strings& queries, const Progress& progress) {
  if (auto* exact = std::get_if<StringIndex>(&index_))
    return options_.radius ? exact->range_search(queries, *options_.radius, progress)
                           : without_padding(exact->search(queries, options_.k, progress));
  auto& approximate = std::get<PermutationIndex>(index_);
  return options_.radius ? approximate.range_search(queries, *options_.radius, fraction_, progress)
                         : without_padding(approximate.search(queries, options_.k, fraction_, progress));
}

void WordIndex::save(const std::string& path) {
  auto* approximate = std::get_if<PermutationIndex>(&index_);
  if (!approximate)
    throw Error(ErrorCode::unsupported, "--save",
                "saves a permutation index: --permutants says how many permutants it has");
  approximate->save(path);
}

std::uint64_t WordIndex::compared() const {
  const auto* approximate = std::get_if<PermutationIndex>(&index_);
  return approximate ? approximate->candidates(options_.radius ? 1 : options_.k, fraction_) : size();
}

std::uint64_t WordIndex::permutants() const {
  const auto* approximate = std::get_if<PermutationIndex>(&index_);
  return approximate ? approximate->permutants().size() : 0;
}

namespace {

template <typename Index, typename Ask>
decltype(auto) of_either(const Index& index, const Ask& ask) {
  if (const auto* exact = std::get_if<StringIndex>(&index)) return ask(*exact);
  return ask(std::get<PermutationIndex>(index));
}

}  // namespace

std::uint64_t WordIndex::size() const {
  return of_either(index_, [](const auto& index) { return index.size(); });
}
StringUnits WordIndex::units() const {
  return of_either(index_, [](const auto& index) { return index.units(); });
}
std::string WordIndex::text(std::uint32_t number) const {
  return of_either(index_, [&](const auto& index) { return index.text(number); });
}
double WordIndex::build_milliseconds() const {
  return of_either(index_, [](const auto& index) { return index.build_milliseconds(); });
}

}  // namespace proxel::tool
