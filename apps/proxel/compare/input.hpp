#pragma once

#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/options.hpp"
#include "compare/tasks.hpp"
#include "file_kinds.hpp"

namespace proxel::tool {

/// What is searched: read from the files of the options or, where there is none, made. Each is read once, when the
/// first search asks for it.
class CompareInput {
 public:
  /// Throws Error(invalid_argument) for queries without a database.
  explicit CompareInput(const CompareOptions& options);

  /// Objects of the file; none where there is no file.
  const std::optional<SearchedObjects>& objects() const { return objects_; }

  // These throw Error.

  const Shared<VectorData>& vectors();
  /// The same, where queries may be missing.
  const Shared<VectorData>& rows();
  const Shared<WordData>& words();
  const Shared<SignatureData>& signatures();

  const QueryLabels& labels() const { return labels_; }             ///< of the vectors
  const std::vector<std::string>& notes() const { return notes_; }  ///< sentences for a report

 private:
  void read_vectors(VectorData& data);

  const CompareOptions& options_;
  std::optional<SearchedObjects> objects_;
  Shared<VectorData> vectors_, rows_;
  Shared<WordData> words_;
  Shared<SignatureData> signatures_;
  QueryLabels labels_;
  std::vector<std::string> notes_;
};

}  // namespace proxel::tool
