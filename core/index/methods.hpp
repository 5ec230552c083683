#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "index/searcher.hpp"

namespace proxel::index {

/// A method that an index can be made with.
struct MethodEntry {
  Method method;
  std::string_view name;
  std::unique_ptr<Searcher> (*make)(const SearcherContext&);
};

/// Every method but automatic, in the order in which messages list them.
std::span<const MethodEntry> methods();

/// The methods that a method stands for, best first: itself, or for automatic
/// those that share the storage's tiles. A search is answered by the first
/// that supports it.
std::span<const Method> answering_methods(const Method& method);

/// The entry of a method. It is not automatic.
const MethodEntry& entry_of(Method method);

}  // namespace proxel::index
