// Strings, permutations and signatures.
#include <memory>
#include <random>
#include <string>

#include "proxel/permutation.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"
#include "proxel/signature_permutation.hpp"
#include "proxel/vector_permutation.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

Strings words(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Strings made;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string word(1 + generator() % 40, 'a');
    for (char& letter : word) letter = static_cast<char>('a' + generator() % 6);
    made.add(word);
  }
  return made;
}

// The same of both indexes among strings. @param plan  of the device's, search: of the reference's
template <typename MakeIndex, typename Plan, typename Search>
Recordable of_words(List& list, const MakeIndex& make_index, const Plan& make_plan, const Search& search) {
  const Strings known = words(400, 11), asked = words(9, 12);
  using Index = decltype(make_index(list.device(), known));
  const auto index = std::make_shared<Index>(make_index(list.device(), known));
  const std::shared_ptr<StringPlan> plan = make_plan(*index);
  const EncodedStrings encoded = plan->encode(asked);
  Index reference = make_index(list.reference(), known);
  Recordable one;
  one.inputs = {bytes_of(encoded.symbols.data(), encoded.symbols.size()),
                bytes_of(encoded.offsets.data(), encoded.offsets.size())};
  one.expected = bytes_of(search(reference, asked));
  one.scratch_bytes = plan->scratch_bytes();
  const std::size_t results = one.expected.size();
  if (results == 3) {
    call(one, {"queries buffer", "query offsets buffer", "offsets buffer", "indices buffer", "distances buffer",
               "scratch buffer"});
    need_a_slot(one);
  } else {
    call(one, {"queries buffer", "query offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
  }
  need(one, "queries buffer", 4);
  one.record = [index, plan, results](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers over{buffers[0], buffers[results + 2], buffers[results], buffers[results + 1]};
    over.query_offsets = buffers[1];
    if (results == 3) over.offsets = buffers[2];
    plan->record(recording, over);
  };
  return one;
}

constexpr std::uint32_t word_queries = 9, longest_word = 40;
constexpr std::uint64_t word_neighbors = 5;
constexpr double word_fraction = 0.3;
constexpr float word_radius = 9;

Recordable of_strings(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return StringIndex(device, known); },
                  [](StringIndex& index) { return index.plan(word_queries, longest_word, word_neighbors); },
                  [](StringIndex& index, const Strings& asked) { return index.search(asked, word_neighbors); });
}

Recordable of_near_strings(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return StringIndex(device, known); },
                  [](StringIndex& index) { return index.plan_range(word_queries, longest_word, word_radius); },
                  [](StringIndex& index, const Strings& asked) { return index.range_search(asked, word_radius); });
}

Recordable of_near_permutations(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return PermutationIndex(device, known); },
                  [](PermutationIndex& index) {
    return index.plan_range(word_queries, longest_word, word_radius, word_fraction);
  }, [](PermutationIndex& index, const Strings& asked) {
    return index.range_search(asked, word_radius, word_fraction);
  });
}

Recordable of_permutations(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return PermutationIndex(device, known); },
                  [](PermutationIndex& index) {
    return index.plan(word_queries, longest_word, word_neighbors, word_fraction);
  }, [](PermutationIndex& index, const Strings& asked) { return index.search(asked, word_neighbors, word_fraction); });
}

Recordable of_vector_permutations(List& list, Metric metric) {
  constexpr std::uint64_t rows = 700, k = 6;
  constexpr std::uint32_t dimensions = 7, queries = 33;
  constexpr double fraction = 0.2;
  const Matrix<float> database = random_matrix(rows, dimensions, 15), asked = random_matrix(queries, dimensions, 16);
  const auto index = std::make_shared<VectorPermutationIndex>(list.device(), database.view(), metric);
  const std::shared_ptr<Plan> plan = index->plan(queries, k, fraction);
  Recordable one;
  one.inputs = {bytes_of(asked)};
  one.expected =
      bytes_of(VectorPermutationIndex(list.reference(), database.view(), metric).search(asked.view(), k, fraction));
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [index, plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[3], buffers[1], buffers[2]});
  };
  return one;
}

// @param radius  that a few of the candidates are within
Recordable of_near_vector_permutations(List& list, Metric metric, float radius) {
  constexpr std::uint64_t rows = 700;
  constexpr std::uint32_t dimensions = 7, queries = 33;
  constexpr double fraction = 0.2;
  const Matrix<float> database = random_matrix(rows, dimensions, 15), asked = random_matrix(queries, dimensions, 16);
  const auto index = std::make_shared<VectorPermutationIndex>(list.device(), database.view(), metric);
  VectorPermutationIndex reference(list.reference(), database.view(), metric);
  return of_planned_range(index, index->plan_range(queries, radius, fraction), asked,
                          reference.range_search(asked.view(), radius, fraction));
}

constexpr std::uint32_t signature_queries = 17, signature_length = 30;

Signatures signatures(std::uint64_t count, std::uint32_t seed) {
  constexpr std::uint32_t dimensions = 5;
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> weight(0.1f, 1.0f);
  Signatures made(dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + generator() % signature_length), centroids(weights.size() * dimensions);
    for (float& value : weights) value = weight(generator);
    for (float& value : centroids) value = normal(generator);
    made.add(centroids, weights);
  }
  return made;
}

// The same of all searches among signatures.
// @param make_index  on a device; plan: of the device's index; search: results of the reference's, as bytes
template <typename MakeIndex, typename Plan, typename Search>
Recordable of_any_signatures(List& list, SignatureMethod method, const MakeIndex& make_index, const Plan& make_plan,
                             const Search& search) {
  const Signatures known = signatures(300, 13), asked = signatures(signature_queries, 14);
  using Index = decltype(make_index(list.device(), known));
  const auto index = std::make_shared<Index>(make_index(list.device(), known));
  const std::shared_ptr<SignaturePlan> plan = make_plan(*index);
  if (plan->method() != method)
    throw Error(ErrorCode::backend_failure, "signatures", "another method was planned than asked for");
  Index reference = make_index(list.reference(), known);
  Recordable one;
  one.inputs = {Bytes(plan->layout().bytes)};
  plan->pack(asked, one.inputs.front());
  one.expected = search(reference, asked);
  one.scratch_bytes = plan->requirements().scratch.bytes;
  const std::size_t results = one.expected.size();
  if (results == 3) {
    call(one, {"queries buffer", "offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
    need_a_slot(one);
  } else if (results == 2) {
    call(one, {"queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  } else {
    call(one, {"queries buffer", "distances buffer", "scratch buffer"});
  }
  one.record = [index, plan, results](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers over{buffers[0], buffers[results + 1], {}, {}};
    over.distances = buffers[results];
    if (results >= 2) over.indices = buffers[results - 1];
    if (results == 3) over.offsets = buffers[1];
    plan->record(recording, over);
  };
  return one;
}

template <typename Plan, typename Search>
Recordable of_signatures(List& list, SignatureMethod method, const Plan& make_plan, const Search& search) {
  return of_any_signatures(list, method, [method](Device& device, const Signatures& known) {
    SignatureIndexOptions options;
    options.method = method;
    return SignatureIndex(device, known, options);
  }, make_plan, search);
}

Recordable of_signature_permutations(List& list, bool within) {
  constexpr std::uint64_t k = 6;
  constexpr float radius = 0.8f;
  constexpr double fraction = 0.2;
  return of_any_signatures(list, SignatureMethod::screened, [](Device& device, const Signatures& known) {
    return SignaturePermutationIndex(device, known, {}, {.permutants = 12});
  }, [=](SignaturePermutationIndex& index) {
    return within ? index.plan_range(signature_queries, signature_length, radius, fraction)
                  : index.plan(signature_queries, signature_length, k, fraction);
  }, [=](SignaturePermutationIndex& index, const Signatures& asked) {
    return within ? bytes_of(index.range_search(asked, radius, fraction)) : bytes_of(index.search(asked, k, fraction));
  });
}

Recordable of_nearest_signatures(List& list, SignatureMethod method) {
  constexpr std::uint64_t k = 6;
  return of_signatures(list, method, [](SignatureIndex& index) {
    return index.plan(signature_queries, signature_length, k);
  }, [](SignatureIndex& index, const Signatures& asked) { return bytes_of(index.search(asked, k)); });
}

Recordable of_near_signatures(List& list, SignatureMethod method) {
  constexpr float radius = 0.8f;
  return of_signatures(list, method, [](SignatureIndex& index) {
    return index.plan_range(signature_queries, signature_length, radius);
  }, [](SignatureIndex& index, const Signatures& asked) { return bytes_of(index.range_search(asked, radius)); });
}

Recordable of_signature_distances(List& list) {
  return of_signatures(list, SignatureMethod::canonical, [](SignatureIndex& index) {
    return index.plan_distances(signature_queries, signature_length);
  }, [](SignatureIndex& index, const Signatures& asked) {
    return std::vector<Bytes>{bytes_of(index.distances(asked).values)};
  });
}

}  // namespace

void add_objects(List& list) {
  list.add("strings", [&] { return of_strings(list); });
  list.add("permutations of strings", [&] { return of_permutations(list); });
  list.add("strings within a radius", [&] { return of_near_strings(list); });
  list.add("permutations of strings within a radius", [&] { return of_near_permutations(list); });
  for (const Metric metric : {Metric::l1, Metric::cosine})
    list.add("permutations of vectors, " + std::string(to_string(metric)),
             [&] { return of_vector_permutations(list, metric); });
  for (const SignatureMethod method :
       {SignatureMethod::canonical, SignatureMethod::screened, SignatureMethod::filtered}) {
    const std::string name = ", " + std::string(to_string(method));
    list.add("signatures" + name, [&] { return of_nearest_signatures(list, method); });
    list.add("signatures in a radius" + name, [&] { return of_near_signatures(list, method); });
  }
  list.add("permutations of signatures", [&] { return of_signature_permutations(list, false); });
  list.add("permutations of signatures within a radius", [&] { return of_signature_permutations(list, true); });
  list.add("distances of signatures", [&] { return of_signature_distances(list); });
  list.add("permutations of vectors within a radius, l1",
           [&] { return of_near_vector_permutations(list, Metric::l1, 6); });
  list.add("permutations of vectors within a radius, pearson",
           [&] { return of_near_vector_permutations(list, Metric::pearson, 0.3f); });
}

}  // namespace recordable
