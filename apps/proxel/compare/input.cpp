#include "compare/input.hpp"

#include <fmt/format.h>

#include "format.hpp"
#include "input_lines.hpp"
#include "made_words.hpp"
#include "proxel/signature_file.hpp"
#include "seeded.hpp"
#include "stream_file.hpp"
#include "word_index.hpp"

namespace proxel::tool {
namespace {

// What is made is small: llvmpipe searches it in seconds.
constexpr std::uint64_t made_rows = 1000, made_dimensions = 16, made_word_count = 10000, made_signature_count = 500,
                        made_centroids = 12;
constexpr std::uint64_t seed_of_queries = 10;  // past the seeds that making signatures takes

Strings read_words(const std::string& path, StringUnits units) {
  const std::string name = name_of(path);
  const TextLines lines = read_input_lines(path);
  if (lines.lines.empty()) throw Error(ErrorCode::invalid_argument, name, "has no lines");
  return strings_of(lines, units, name);
}

Signatures read_signatures(const std::string& path) {
  Signatures signatures = read_signature_file(path).signatures;
  if (signatures.size() == 0) throw Error(ErrorCode::invalid_argument, path, "has no signatures");
  return signatures;
}

}  // namespace

CompareInput::CompareInput(const CompareOptions& options) : options_(options) {
  if (!options.database.empty())
    objects_ = objects_in(options.database);
  else if (!options.queries.empty() || options.hold_out != 0)
    throw Error(ErrorCode::invalid_argument, "--database",
                fmt::format("is missing; {} is for a file", options.hold_out != 0 ? "--hold-out" : "--queries"));
}

void CompareInput::read_vectors(VectorData& data) {
  if (options_.hold_out != 0 && !options_.queries.empty())
    throw Error(ErrorCode::invalid_argument, "--hold-out",
                "takes the queries out of the database; --queries was given as well");
  if (options_.hold_out == 0 && options_.queries.empty())
    throw Error(ErrorCode::invalid_argument, "--queries",
                "is missing; give a file, or --hold-out N to take queries out of the database");
  if (options_.hold_out != 0) {
    InputRows input = read_rows(options_.database, options_.database_rows, options_.input);
    make_classes({&input.names.labels});
    HeldOut split = hold_out(input.rows, input.names.labels, options_.hold_out, options_.permutation.seed);
    notes_.push_back(fmt::format("The rows were shuffled with seed {}; {} were held out as queries.",
                                 options_.permutation.seed, with_separators(options_.hold_out)));
    const Scaling scaling(split.database, options_.input.scale);
    for (Matrix<float>* rows : {&split.database, &split.queries})
      if (options_.input.scale != Scale::none) scaling.apply(*rows);
    data.database = std::move(split.database);
    data.queries = std::move(split.queries);
    labels_ = {std::move(split.database_labels), std::move(split.query_labels)};
  } else {
    InputPair input = read_pair(options_);
    if (input.database.names.has_labels() != input.queries.names.has_labels())
      throw Error(ErrorCode::invalid_argument, "--labels",
                  fmt::format("'{}' is no column of the queries", options_.input.table.labels));
    make_classes({&input.database.names.labels, &input.queries.names.labels});
    data.database = std::move(input.database.rows);
    data.queries = std::move(input.queries.rows);
    labels_ = {std::move(input.database.names.labels), std::move(input.queries.names.labels)};
  }
  if (options_.input.scale != Scale::none) notes_.emplace_back(describe(options_.input.scale));
}

const Shared<VectorData>& CompareInput::vectors() {
  if (vectors_) return vectors_;
  auto data = std::make_shared<VectorData>();
  data->name = objects_ ? options_.database : "made vectors";
  if (objects_) {
    read_vectors(*data);
  } else {
    const std::uint64_t seed = options_.permutation.seed;
    data->database = random_matrix(made_rows, made_dimensions, seed);
    data->queries = random_matrix(options_.query_count, made_dimensions, seed + seed_of_queries);
  }
  return vectors_ = data;
}

const Shared<VectorData>& CompareInput::rows() {
  if (!objects_ || !options_.queries.empty() || options_.hold_out != 0) return vectors();
  if (!rows_) rows_ = std::make_shared<VectorData>(VectorData{options_.database, read_database(options_).rows, {}});
  return rows_;
}

const Shared<WordData>& CompareInput::words() {
  if (words_) return words_;
  auto data = std::make_shared<WordData>();
  const StringUnits units = options_.bytes ? StringUnits::bytes : StringUnits::code_points;
  data->name = objects_ ? options_.database : "made words";
  data->database = objects_ ? read_words(options_.database, units)
                            : strings_of(made_words(made_word_count, options_.permutation.seed), units, data->name);
  data->queries =
      options_.queries.empty() ? some_of(data->database, options_.query_count) : read_words(options_.queries, units);
  if (options_.queries.empty())
    notes_.emplace_back("The queries are some of the words, each without its middle letter.");
  return words_ = data;
}

const Shared<SignatureData>& CompareInput::signatures() {
  if (signatures_) return signatures_;
  const std::uint64_t seed = options_.permutation.seed;
  Signatures database =
      objects_ ? read_signatures(options_.database) : made_signatures(made_signature_count, made_centroids, seed);
  Signatures queries = !options_.queries.empty() ? read_signatures(options_.queries)
                       : objects_                ? some_of(database, options_.query_count)
                                  : made_signatures(options_.query_count, made_centroids, seed + seed_of_queries);
  if (queries.dimensions() != database.dimensions())
    throw Error(ErrorCode::invalid_argument, "--queries",
                fmt::format("have signatures of {} dimensions, the database has {}", queries.dimensions(),
                            database.dimensions()));
  signatures_ = std::make_shared<SignatureData>(
      SignatureData{objects_ ? options_.database : "made signatures", std::move(database), std::move(queries)});
  return signatures_;
}

}  // namespace proxel::tool
