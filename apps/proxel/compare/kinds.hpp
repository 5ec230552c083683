#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/input.hpp"

namespace proxel::tool {

/// A kind of search that can be compared.
struct CompareKind {
  const char* name;                      ///< of --what
  const char* about;                     ///< for the help
  std::vector<SearchedObjects> objects;  ///< that it searches; the first where there is no file
  /// The search as the options say, among objects of one of those kinds. Throws Error.
  TaskPointer (*make)(CompareInput& input, const CompareOptions& options, SearchedObjects objects,
                      const Progress& progress);

  bool searches(SearchedObjects what) const;
  /// Which of its objects it searches here. Throws Error(invalid_argument) where the file holds others.
  SearchedObjects objects_of(const CompareInput& input) const;
};

/// All of them, in the order in which they are compared.
const std::vector<CompareKind>& compare_kinds();

/// Those that the options name or, without a name, that what is searched decides.
std::vector<const CompareKind*> chosen_kinds(const CompareOptions& options, const CompareInput& input);

}  // namespace proxel::tool
