#pragma once

// proxel data features: rows of numbers, or words, of what people have. Each kind is a command.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/names_file.hpp"
#include "files/find_files.hpp"
#include "json_output.hpp"
#include "program.hpp"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool {

/// What every kind is told.
struct FeatureOptions {
  std::vector<std::string> inputs;
  std::string output, names;
  bool force = false;
  unsigned threads = 0;  ///< 0: as many as the machine has
};

/// What was made of some files.
struct FeaturesMade {
  std::uint64_t objects = 0;                            ///< rows or words that were made
  std::string summary;                                  ///< "120 rows of 512 values"
  std::function<void(const std::string& place)> write;  ///< of those
  NamesFile names;
  std::vector<files::FileFailure> failures;
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  ///< what JSON tells beside
};

struct FeatureWork {
  std::vector<std::string> paths;
  unsigned threads = 1;
  Progress progress;
  NamesFile names;
};

/// A kind's name for JSON, what its files end in, and what they are called.
struct FeatureKind {
  std::string name;
  std::span<const std::string_view> endings;
  std::string files;  ///< "meshes"
};

/// Finds the files, makes features of them, writes what was made and says so. Files that cannot be read are listed and
/// left out.
/// @return exit_success; exit_answer_is_no where some could not be read; exit_bad_input where none could
int run_features(const FeatureKind& kind, const FeatureOptions& options, const Context& context,
                 const std::function<FeaturesMade(FeatureWork&&)>& make);

/// A row for each file, by several threads.
struct FileRows {
  Matrix<float> rows;                        ///< of those that could be read
  std::vector<std::size_t> of;               ///< the number of each row's path
  std::vector<files::FileFailure> failures;  ///< of the others
};
FileRows rows_of_files(const FeatureWork& work, std::uint64_t dimensions,
                       const std::function<void(std::size_t number, float* row)>& visit);

/// What files of texts end in. @param all_files  whatever they are called
std::span<const std::string_view> endings_of_texts(bool all_files);

/// A row of term frequencies for each text. @param terms  out: how many each path's has
FileRows count_terms_of_files(const FeatureWork& work, std::uint32_t dimensions, std::vector<std::uint64_t>& terms);

/// Says of rows what FeaturesMade wants to know.
void set_rows(FeaturesMade& made, Matrix<float>&& rows);

/// Adds what every kind is told, with the files' description.
void add_feature_options(CLI::App& command, FeatureOptions& options, const std::string& files,
                         const std::string& output);

void add_shape_features(CLI::App& features, Context& context);
void add_sift_features(CLI::App& features, Context& context);
void add_document_features(CLI::App& features, Context& context);
void add_sequence_words(CLI::App& features, Context& context);

/// The local features of images, in the order of the paths. Throws Error(unsupported) where the program was built
/// without images or VLFeat.
FeaturesMade make_sift_rows(FeatureWork&& work, std::size_t most);

}  // namespace proxel::tool
