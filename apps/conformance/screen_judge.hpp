#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "screen_case.hpp"

namespace proxel::conformance {

/// What a run left behind, by name.
class ScreenOutputs {
 public:
  explicit ScreenOutputs(const PassScript& script) {
    for (auto& [name, bytes] : script.answers()) bytes_[name] = std::move(bytes);
  }
  template <typename T>
  std::vector<T> get(const std::string& name) const {
    const auto found = bytes_.find(name);
    if (found == bytes_.end()) return {};
    std::vector<T> values(found->second.size() / sizeof(T));
    std::memcpy(values.data(), found->second.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  std::map<std::string, std::vector<std::byte>> bytes_;
};

/// Holds every pass's output against what its header and docs/proofs/screened.md promise.
/// @param filter  of the case, where it has one
/// Returns what the first broken promise is, or nothing.
std::string screen_error(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter,
                         const ScreenOutputs& outputs);

}  // namespace proxel::conformance
