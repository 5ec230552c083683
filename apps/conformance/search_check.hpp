#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "case.hpp"
#include "oracle.hpp"
#include "proxel/index.hpp"
#include "shapes.hpp"
#include "values.hpp"

namespace proxel::conformance {

/// How the caller's matrices lie in host memory.
enum class HostLayout {
  contiguous,
  strided,  ///< rows further apart than they are long
  column_major,
};

/// A search through proxel::Index.
struct SearchCase {
  Method method = Method::scan;
  Metric metric = Metric::l2sq;
  Kind kind = Kind::uniform;
  Shape shape;
  IndexOptions options = {};  ///< method is taken from above
  HostLayout layout = HostLayout::contiguous;
  std::string_view family = "search";

  /// "search/scan/l1/n=257,d=33,q=2,k=5/integers"; options appear where they
  /// differ from the defaults.
  std::string name() const;
};

/// Adds the case; its check compares with the oracle.
void add_search_case(Cases& cases, const SearchCase& search, bool quick);

/// What the oracle says of an answer: bits, or the contract's exemption, and
/// the accuracy where it is bounded.
Verdict judge(const Device& device, const Question& question, Kind kind, const Neighbors& expected,
              const Neighbors& actual);

}  // namespace proxel::conformance
