#pragma once

// How the scenarios of an index are written, whatever it holds.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proxel/neighbors.hpp"
#include "trials.hpp"

namespace proxel::faults {

inline bool same(const Neighbors& one, const Neighbors& other) {
  return one.indices == other.indices && one.distances == other.distances;
}
inline bool same(const RangeNeighbors& one, const RangeNeighbors& other) {
  return one.offsets == other.offsets && one.indices == other.indices && one.distances == other.distances;
}
inline bool same(const Matrix<float>& one, const Matrix<float>& other) { return one == other; }

/// An index is made. @param make  returns a shared_ptr; @param ask  what it answers
template <typename Make, typename Ask>
Scenario making(std::string name, const Make& make, const Ask& ask) {
  const auto expected = ask(*make());
  return {std::move(name), [=] {
    const auto made = std::make_shared<decltype(make())>();
    return Trial{[=] { *made = make(); }, [=] { expect(!*made || same(ask(**made), expected), "another answer"); }};
  }};
}

/// An index is asked, and then again.
template <typename Make, typename Ask>
Scenario asking(std::string name, const Make& make, const Ask& ask) {
  using Answer = decltype(ask(*make()));
  const Answer expected = ask(*make());
  return {std::move(name), [=] {
    const auto index = make();
    const auto found = std::make_shared<std::optional<Answer>>();
    return Trial{[=] { found->emplace(ask(*index)); }, [=] {
      expect(!*found || same(**found, expected), "another answer");
      expect(same(ask(*index), expected), "another answer afterwards");
    }};
  }};
}

/// An index is changed: afterwards it is what it was or what it shall be.
/// @param mend  called before it is asked, where a failure may ask for that
template <typename Make, typename Change, typename Ask, typename Mend>
Scenario changing(std::string name, const Make& make, const Change& change, const Ask& ask, const Mend& mend) {
  const auto unchanged = make();
  const auto before = ask(*unchanged);
  change(*unchanged);
  const auto after = ask(*unchanged);
  return {std::move(name), [=] {
    const auto index = make();
    ask(*index);  // so that there is something to follow the change
    const auto done = std::make_shared<bool>(false);
    return Trial{[=] {
      change(*index);
      *done = true;
    }, [=] {
      mend(*index);
      const auto found = ask(*index);
      expect(same(found, after) || (!*done && same(found, before)), "neither what it was nor what it shall be");
      if (*done || same(found, after)) return;
      change(*index);
      expect(same(ask(*index), after), "cannot be changed any more");
    }};
  }};
}
template <typename Make, typename Change, typename Ask>
Scenario changing(std::string name, const Make& make, const Change& change, const Ask& ask) {
  return changing(std::move(name), make, change, ask, [](auto&) {});
}

}  // namespace proxel::faults
