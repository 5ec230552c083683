// Terms of texts.
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "features/terms.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace proxel;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<std::string> terms;
  features::for_each_term(text, [&](std::string_view term) { terms.emplace_back(term); });
  for (const std::string& term : terms) {
    // What was made small stays as it is.
    std::vector<std::string> again;
    features::for_each_term(term, [&](std::string_view one) { again.emplace_back(one); });
    fuzzing::require(again.size() == 1 && again[0] == term, "a term is a term, in small letters");
  }
  std::vector<float> counts(5);
  const auto counted = fuzzing::attempt("text", [&] { return features::count_terms("text", text, 5, counts.data()); });
  if (!counted) return 0;
  float sum = 0;
  for (const float count : counts) sum += count;
  fuzzing::require(*counted == terms.size() && sum == static_cast<float>(terms.size()), "every term is counted once");
  return 0;
}
