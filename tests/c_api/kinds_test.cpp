// One set of functions for indexes of every kind: what a kind does not have is refused, and the refusal names it.
#include <functional>
#include <map>

#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t k = 2, count = 12;

const std::string permutations =
    "string-permutations vector-permutations signature-permutations sharded-string-permutations "
    "sharded-vector-permutations sharded-signature-permutations";
const std::string changing =
    "vectors sharded-vectors strings sharded-strings string-permutations sharded-string-permutations";

bool is_of_strings(const std::string& kind) { return kind.find("string") != std::string::npos; }

// An index of every kind, with objects that it could be searched for.
struct Kinds {
  Matrix<float> rows = random_matrix(count, 3, 1);
  Words words{random_words(count, 1)};
  Signatures signatures = random_signatures(count, 1);
  proxel_matrix c_rows = c_matrix(rows);
  proxel_strings c_words = words.c();
  proxel_signatures c_signatures = c_test::c_signatures(signatures);
  DeviceHandle device = open("cpu");
  std::map<std::string, IndexHandle> made;

  Kinds() {
    CHECK_OK(proxel_index_create(device, of(c_rows), nullptr, &made["vectors"]));
    CHECK_OK(proxel_string_index_create(device, of(c_words), nullptr, &made["strings"]));
    CHECK_OK(proxel_signature_index_create(device, of(c_signatures), nullptr, &made["signatures"]));
    CHECK_OK(proxel_permutation_index_create(device, of(c_words), nullptr, &made["string-permutations"]));
    CHECK_OK(proxel_permutation_index_create(device, of(c_rows), nullptr, &made["vector-permutations"]));
    CHECK_OK(proxel_permutation_index_create(device, of(c_signatures), nullptr, &made["signature-permutations"]));
    proxel_device* const devices[] = {device};
    CHECK_OK(proxel_sharded_index_create(devices, 1, of(c_rows), nullptr, &made["sharded-vectors"]));
    CHECK_OK(proxel_sharded_string_index_create(devices, 1, of(c_words), nullptr, nullptr, &made["sharded-strings"]));
    CHECK_OK(proxel_sharded_signature_index_create(devices, 1, of(c_signatures), nullptr, nullptr,
                                                   &made["sharded-signatures"]));
    const auto permute = [&](const proxel_objects* objects, const char* kind) {
      CHECK_OK(proxel_sharded_permutation_index_create(devices, 1, objects, nullptr, nullptr, &made[kind]));
    };
    permute(of(c_words), "sharded-string-permutations");
    permute(of(c_rows), "sharded-vector-permutations");
    permute(of(c_signatures), "sharded-signature-permutations");
    CHECK_OK(proxel_krulis_index_create(devices, 1, of(c_signatures), nullptr, &made["krulis"]));
  }
  Kinds(const Kinds&) = delete;

  Given<proxel_objects> objects_of(const std::string& kind) const {
    if (is_of_strings(kind)) return of(c_words);
    if (kind.find("vector") != std::string::npos) return of(c_rows);
    return of(c_signatures);
  }
};

Given<proxel_search_options> usual(const std::string& kind) {
  return among(kind.find("permutations") == std::string::npos ? 0 : 1);
}
Given<proxel_plan_options> usual_plan(const std::string& kind) {
  return plan_among(usual(kind).fraction, kind.find("vector") == 0 ? 0 : 9);
}

// Whether an index of that kind is refused something that it does not have.
bool lacks(const std::string& kind, proxel_status status) {
  const std::string error = proxel_last_error();
  return status == PROXEL_UNSUPPORTED && error.find("index: is of kind " + kind + ", which has no ") == 0;
}

}  // namespace

TEST_CASE("every kind has every function, or says that it has not") {
  const Kinds kinds;
  using Call = std::function<proxel_status(proxel_index*, const std::string&)>;
  struct Function {
    const char* name;
    std::string of_kinds;  // that have it
    Call call;
  };
  AnswerHandle answer;
  PlanHandle plan;
  const std::string path = "/no/such/folder/file";
  const Function functions[] = {
      {"search", "all",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_search(index, kinds.objects_of(kind), k, usual(kind), &answer);
  }},
      {"range_search", "all",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_range_search(index, kinds.objects_of(kind), 1, usual(kind), &answer);
  }},
      {"distances", "signatures sharded-signatures krulis",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_distances(index, kinds.objects_of(kind), nullptr, &answer);
  }},
      {"knn_graph", "vectors sharded-vectors",
       [&](proxel_index* index, const std::string&) { return proxel_index_knn_graph(index, k, nullptr, &answer); }},
      {"supports", "all",
       [&](proxel_index* index, const std::string& kind) { return proxel_index_supports(index, k, usual(kind)); }},
      {"method_for", "vectors",
       [&](proxel_index* index, const std::string&) {
    const char* method = nullptr;
    return proxel_index_method_for(index, 1, k, nullptr, &method);
  }},
      {"plan", "vectors strings signatures string-permutations vector-permutations signature-permutations",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_plan(index, 1, k, usual_plan(kind), &plan);
  }},
      {"plan_range", "vectors strings signatures string-permutations vector-permutations signature-permutations",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_plan_range(index, 1, 1, usual_plan(kind), &plan);
  }},
      {"get_shard",
       "sharded-vectors sharded-strings sharded-signatures sharded-string-permutations sharded-vector-permutations "
       "sharded-signature-permutations",
       [&](proxel_index* index, const std::string&) {
    proxel_shard_info shard{};
    shard.struct_size = sizeof shard;
    return proxel_sharded_index_get_shard(index, 0, &shard);
  }},
      {"plan_distances", "signatures",
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_plan_distances(index, 1, usual_plan(kind), &plan);
  }},
      {"candidates", permutations,
       [&](proxel_index* index, const std::string&) {
    std::uint64_t candidates = 0;
    return proxel_index_candidates(index, k, 0.5, &candidates);
  }},
      {"choose_fraction", permutations,
       [&](proxel_index* index, const std::string&) {
    proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
    return proxel_index_choose_fraction(index, 0.5, k, nullptr, nullptr, nullptr, &choice);
  }},
      {"choose_range_fraction", "string-permutations sharded-string-permutations",
       [&](proxel_index* index, const std::string&) {
    proxel_fraction_choice choice = PROXEL_FRACTION_CHOICE_INIT;
    return proxel_index_choose_range_fraction(index, 0.5, 1, nullptr, nullptr, nullptr, &choice);
  }},
      {"get_text", "strings sharded-strings string-permutations sharded-string-permutations",
       [&](proxel_index* index, const std::string&) {
    std::uint64_t bytes = 0;
    return proxel_index_get_text(index, 1, nullptr, 0, &bytes);
  }},
      {"save", "vectors string-permutations sharded-string-permutations",
       [&](proxel_index* index, const std::string&) {
    const proxel_status status = proxel_index_save(index, path.c_str());
    return status == PROXEL_INPUT_OUTPUT ? PROXEL_OK : status;
  }},
      {"add", changing,
       [&](proxel_index* index, const std::string& kind) {
    return proxel_index_add(index, kinds.objects_of(kind), nullptr, nullptr, nullptr);
  }},
      {"remove", changing,
       [&](proxel_index* index, const std::string&) {
    const std::uint32_t number = 0;
    return proxel_index_remove(index, &number, 1, nullptr);
  }},
      {"compact", "vectors sharded-vectors",
       [&](proxel_index* index, const std::string&) {
    return proxel_index_compact(index, nullptr, nullptr, nullptr, 0);
  }},
  };
  for (const auto& [kind, index] : kinds.made)
    for (const Function& function : functions) {
      CAPTURE(kind);
      CAPTURE(function.name);
      const bool has =
          function.of_kinds == "all" || (" " + function.of_kinds + " ").find(" " + kind + " ") != std::string::npos;
      const proxel_status status = function.call(index, kind);
      INFO(std::string(proxel_last_error()));
      if (has)
        CHECK(status == PROXEL_OK);
      else
        CHECK(lacks(kind, status));
    }
  for (const auto& [kind, index] : kinds.made) {
    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(index, &info));
    CHECK(info.kind == kind);
    CHECK(info.build_milliseconds >= 0);
    CHECK((info.dimensions == 0) == is_of_strings(kind));
    CHECK((info.units == nullptr) == !is_of_strings(kind));
  }
}

TEST_CASE("a plan that its index refuses ends no other plans") {
  const Kinds kinds;
  proxel_index* const signatures = kinds.made.at("signatures");
  PlanHandle plan;
  CHECK_OK(proxel_index_plan(signatures, 1, k, plan_up_to(9), &plan));
  const std::uint32_t number = 0;
  CHECK(proxel_index_remove(signatures, &number, 1, nullptr) == PROXEL_UNSUPPORTED);
  RecordingHandle recording;
  CHECK_OK(proxel_recording_create(kinds.device, nullptr, &recording));
  CHECK_OK(proxel_recording_begin(recording));
  const proxel_search_buffers none = PROXEL_SEARCH_BUFFERS_INIT;
  CHECK_FAILS(proxel_plan_record(plan, recording, &none), PROXEL_INVALID_ARGUMENT, "queries buffer");
}

TEST_CASE("an option that a kind does not know is refused by name where it is set") {
  const Kinds kinds;
  const std::uint32_t words[] = {~0u};
  const std::vector<std::uint32_t> self(count, 0);
  AnswerHandle page, answer;
  CHECK_OK(proxel_index_search(kinds.made.at("vectors"), of(kinds.c_rows), k, nullptr, &page));
  struct Member {
    const char* name;
    std::string of_kinds;
    std::function<void(proxel_search_options&)> set;
  };
  const Member members[] = {
      {"metric", "vectors sharded-vectors", [](auto& options) { options.metric = "l1"; }},
      {"fraction", permutations, [](auto& options) { options.fraction = 0.5; }},
      {"raw", "vectors sharded-vectors", [](auto& options) { options.raw = 1; }},
      {"filter", "vectors sharded-vectors",
       [&](auto& options) {
    options.filter = words;
    options.filter_rows = options.filter_words = 1;
  }},
      {"after", "vectors sharded-vectors", [&](auto& options) { options.after = page; }},
      {"self", "vectors sharded-vectors",
       [&](auto& options) {
    options.self = self.data();
    options.self_count = self.size();
  }},
      {"ordered",
       "vectors sharded-vectors strings sharded-strings signatures sharded-signatures string-permutations "
       "sharded-string-permutations signature-permutations sharded-signature-permutations krulis",
       [](auto& options) { options.ordered = 1; }},
  };
  for (const auto& [kind, index] : kinds.made)
    for (const Member& member : members) {
      CAPTURE(kind);
      CAPTURE(member.name);
      auto options = usual(kind);
      member.set(options);
      const proxel_status status = proxel_index_search(index, kinds.objects_of(kind), k, &options, &answer);
      INFO(std::string(proxel_last_error()));
      if ((" " + member.of_kinds + " ").find(" " + kind + " ") == std::string::npos) {
        CHECK(status == PROXEL_UNSUPPORTED);
        CHECK(std::string(proxel_last_error()) ==
              std::string(member.name) + ": is not known to searches of kind " + kind);
        CHECK(proxel_index_supports(index, k, &options) == PROXEL_UNSUPPORTED);
      } else if (std::string(member.name) == "raw") {
        CHECK(status == PROXEL_UNSUPPORTED);  // of the method that answers
      } else {
        CHECK(status == PROXEL_OK);
        CHECK_OK(proxel_index_supports(index, k, &options));
      }
    }
  for (const auto& [kind, index] : kinds.made) {
    CAPTURE(kind);
    auto options = usual(kind);
    options.ordered = 1;
    CHECK_FAILS(proxel_index_range_search(index, kinds.objects_of(kind), 1, &options, &answer), PROXEL_UNSUPPORTED,
                "ordered");
    CHECK(proxel_index_supports(index, 0, usual(kind)) == PROXEL_UNSUPPORTED);
    CHECK(proxel_index_supports(index, std::uint64_t{1} << 32, usual(kind)) == PROXEL_UNSUPPORTED);
    CHECK_OK(proxel_index_supports(index, 0xFFFFFFFE, usual(kind)));
  }
}

TEST_CASE("objects of another kind, of two kinds or of none are refused") {
  const Kinds kinds;
  AnswerHandle answer;
  IndexHandle index;
  for (const auto& [kind, searched] : kinds.made)
    for (const auto& [other, unused] : kinds.made) {
      CAPTURE(kind);
      CAPTURE(other);
      const auto asked = kinds.objects_of(other);
      const bool fits = std::memcmp(&asked, kinds.objects_of(kind), sizeof(proxel_objects)) == 0;
      const proxel_status status = proxel_index_search(searched, &asked, k, usual(kind), &answer);
      if (fits)
        CHECK(status == PROXEL_OK);
      else
        CHECK_FAILS(status, PROXEL_INVALID_ARGUMENT, "queries");
    }
  CHECK_FAILS(proxel_index_search(kinds.made.at("vectors"), of(kinds.c_words), k, nullptr, &answer),
              PROXEL_INVALID_ARGUMENT, "queries");
  CHECK(std::string(proxel_last_error()) == "queries: has strings; rows are expected");
  proxel_objects both = of(kinds.c_rows);
  both.strings = &kinds.c_words;
  CHECK_FAILS(proxel_index_search(kinds.made.at("vectors"), &both, k, nullptr, &answer), PROXEL_INVALID_ARGUMENT,
              "queries");
  CHECK(std::string(proxel_last_error()) == "queries: has rows and strings; objects are of one kind");
  const proxel_objects none = PROXEL_OBJECTS_INIT;
  CHECK_FAILS(proxel_index_search(kinds.made.at("vectors"), &none, k, nullptr, &answer), PROXEL_INVALID_ARGUMENT,
              "queries");
  const proxel_stored_rows stored = PROXEL_STORED_ROWS_INIT;
  CHECK_FAILS(proxel_index_search(kinds.made.at("vectors"), of(stored), k, nullptr, &answer), PROXEL_INVALID_ARGUMENT,
              "queries");
  const proxel_own_rows own = PROXEL_OWN_ROWS_INIT;
  for (const auto& [kind, searched] : kinds.made) {
    CAPTURE(kind);
    if (kind == "vectors" || kind == "sharded-vectors") continue;
    CHECK_FAILS(proxel_index_search(searched, of(own), k, usual(kind), &answer), PROXEL_INVALID_ARGUMENT, "queries");
  }
  CHECK_FAILS(proxel_index_create(kinds.device, of(own), nullptr, &index), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_index_create(kinds.device, of(kinds.c_words), nullptr, &index), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_string_index_create(kinds.device, of(kinds.c_rows), nullptr, &index), PROXEL_INVALID_ARGUMENT,
              "strings");
  CHECK_FAILS(proxel_signature_index_create(kinds.device, of(kinds.c_rows), nullptr, &index), PROXEL_INVALID_ARGUMENT,
              "signatures");
  CHECK_FAILS(proxel_permutation_index_create(kinds.device, of(own), nullptr, &index), PROXEL_INVALID_ARGUMENT,
              "objects");
  CHECK_FAILS(proxel_index_add(kinds.made.at("strings"), of(kinds.c_rows), nullptr, nullptr, nullptr),
              PROXEL_INVALID_ARGUMENT, "objects");
  CHECK(index == nullptr);
}
