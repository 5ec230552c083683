// Strings, permutations and signatures.
#include <algorithm>
#include <string>
#include <tuple>

#include "index_scenarios.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_permutation.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"
#include "samples.hpp"
#include "scenarios.hpp"

namespace proxel::faults {
namespace {

constexpr std::uint64_t k = 3;

const Strings& dictionary() {
  static const Strings strings = words(60, 1);
  return strings;
}
const Strings& added() {
  static const Strings strings = words(40, 2);
  return strings;
}
const Strings& asked_words() {
  static const Strings strings = words(4, 3);
  return strings;
}

const Signatures& images() {
  static const Signatures all = signatures(70, 4);
  return all;
}
const Signatures& asked_images() {
  static const Signatures all = signatures(3, 5);
  return all;
}

constexpr std::uint32_t gone[] = {3, 4, 5, 30, 59};
constexpr auto add_words = [](auto& index) { index.add(added()); };
constexpr auto remove_words = [](auto& index) { index.remove(gone); };

}  // namespace

std::vector<Scenario> string_scenarios(Device& device) {
  std::vector<Scenario> all;
  all.push_back({"add a string", [] {
    const auto strings = std::make_shared<Strings>(words(8, 9));
    const auto before = std::make_shared<std::string>(strings->text(7));
    return Trial{[=] {
      for (int i = 0; i < 9; ++i) strings->add("a word that is longer than some");
      strings->append(added());
    }, [=] {
      strings->add("last");
      expect(strings->text(strings->size() - 1) == "last", "a string has grown");
      expect(strings->text(7) == *before, "a string has changed");
    }};
  }});

  const auto make = [&device] { return std::make_shared<StringIndex>(device, dictionary()); };
  const auto search = [](StringIndex& index) { return index.search(asked_words(), k); };
  all.push_back(making("make an index of strings", make, search));
  all.push_back(asking("search strings", make, search));
  all.push_back(asking("search strings within a radius", make,
                       [](StringIndex& index) { return index.range_search(asked_words(), 20); }));
  all.push_back(changing("add strings", make, add_words, search));
  all.push_back(changing("remove strings", make, remove_words, search));

  const auto permuted = [&device] {
    PermutationOptions options;
    options.permutants = 8;
    return std::make_shared<PermutationIndex>(device, dictionary(), options);
  };
  const auto find = [](PermutationIndex& index) { return index.search(asked_words(), k, 0.4); };
  all.push_back(making("make a permutation index", permuted, find));
  all.push_back(asking("search a permutation index", permuted, find));
  all.push_back(asking("search a permutation index within a radius", permuted,
                       [](PermutationIndex& index) { return index.range_search(asked_words(), 20, 0.4); }));
  all.push_back(asking("choose a fraction", permuted, [](PermutationIndex& index) {
    Matrix<float> chosen(1, 2);
    const FractionChoice choice = index.choose_fraction(0.9, k, asked_words());
    chosen(0, 0) = static_cast<float>(choice.fraction);
    chosen(0, 1) = static_cast<float>(choice.recall);
    return chosen;
  }));
  all.push_back(changing("add strings to a permutation index", permuted, add_words, find));
  all.push_back(changing("remove strings from a permutation index", permuted, remove_words, find));
  return all;
}

std::vector<Scenario> signature_scenarios(Device& device) {
  std::vector<Scenario> all;
  all.push_back({"add a signature", [] {
    const auto some = std::make_shared<Signatures>(signatures(8, 6));
    return Trial{[=] {
      for (int i = 0; i < 9; ++i) some->add(images().centroids(5), images().weights(5));
    }, [=] {
      some->add(images().centroids(6), images().weights(6));
      const std::uint64_t last = some->size() - 1;
      expect(std::ranges::equal(some->centroids(last), images().centroids(6)) &&
                 std::ranges::equal(some->weights(last), images().weights(6)),
             "a signature has changed");
    }};
  }});
  for (const SignatureMethod method :
       {SignatureMethod::canonical, SignatureMethod::screened, SignatureMethod::filtered}) {
    const auto make = [&device, method] {
      SignatureIndexOptions options;
      options.method = method;
      return std::make_shared<SignatureIndex>(device, images(), options);
    };
    const std::string name(to_string(method));
    const auto search = [](SignatureIndex& index) { return index.search(asked_images(), k); };
    all.push_back(making("make an index of signatures, " + name, make, search));
    all.push_back(asking("search signatures, " + name, make, search));
    all.push_back(asking("search signatures within a radius, " + name, make,
                         [](SignatureIndex& index) { return index.range_search(asked_images(), 1.5f); }));
    if (method == SignatureMethod::canonical)
      all.push_back(asking("all distances of signatures", make,
                           [](SignatureIndex& index) { return index.distances(asked_images()).values; }));
  }
  const auto permuted = [&device] {
    return std::make_shared<SignaturePermutationIndex>(device, images(), SimilarityFunction(),
                                                       PermutationOptions{.permutants = 6});
  };
  const auto find = [](SignaturePermutationIndex& index) { return index.search(asked_images(), k, 0.4); };
  all.push_back(making("make a permutation index of signatures", permuted, find));
  all.push_back(asking("search a permutation index of signatures", permuted, find));
  all.push_back(asking("search a permutation index of signatures within a radius", permuted,
                       [](SignaturePermutationIndex& index) { return index.range_search(asked_images(), 1.5f, 0.4); }));
  return all;
}

std::vector<Scenario> krulis_scenarios(Device& device) {
  std::vector<Scenario> all;
  // With room for all signatures, and for some groups of them.
  for (const auto& [filter, limit, where] :
       {std::tuple{SignatureFilter::none, 0u, ""}, std::tuple{SignatureFilter::ptolemaic, 0u, ""},
        std::tuple{SignatureFilter::ptolemaic, 1500u, " in groups"}}) {
    const auto make = [&device, filter = filter, limit = limit] {
      KrulisOptions options;
      options.memory_limit = limit;
      options.filter = filter;
      options.pivot_count = 4;
      options.scan_block = 30;
      Device* const devices[] = {&device};
      return std::make_shared<KrulisIndex>(devices, images(), options);
    };
    const std::string name = std::string(to_string(filter)) + where;
    const auto search = [](KrulisIndex& index) { return index.search(asked_images(), k); };
    all.push_back(making("make an index of Krulis's, " + name, make, search));
    all.push_back(asking("search an index of Krulis's, " + name, make, search));
    all.push_back(asking("search an index of Krulis's within a radius, " + name, make,
                         [](KrulisIndex& index) { return index.range_search(asked_images(), 1.5f); }));
  }
  return all;
}

}  // namespace proxel::faults
