// Indexes of every kind: what they are, and how what they hold changes.
#include <algorithm>

#include <fmt/format.h>

#include "c_api/answer.hpp"
#include "c_api/arguments.hpp"
#include "c_api/held_index.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "search/check.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

template <typename Own>
proxel_index_info info_of(const Own& own) {
  proxel_index_info told{};
  told.kind = KindOf<Own>::name;
  told.build_milliseconds = own.build_milliseconds();
  if constexpr (OfVectors<Own>) {
    told.size = own.rows() - own.removed_rows();
    told.removed = own.removed_rows();
    told.storage = to_string(own.storage()).data();  // of a literal
  } else {
    told.size = own.size();
  }
  if constexpr (requires { own.block_rows(); }) told.block_rows = own.block_rows();
  if constexpr (requires { own.dimensions(); }) told.dimensions = own.dimensions();
  if constexpr (requires { own.units(); }) told.units = name_of(own.units());
  if constexpr (requires { own.alphabet(); }) told.alphabet = own.alphabet();
  if constexpr (requires { own.metric(); }) told.metric = name_of(own.metric());
  if constexpr (requires { own.similarity(); }) {
    told.similarity = to_string(own.similarity().kind).data();  // of a literal
    told.alpha = own.similarity().alpha;
  }
  const auto tell_pivots = [&](const auto& pivots) {
    told.pivots = pivots.data();
    told.pivot_count = pivots.size();
  };
  if constexpr (requires { own.permutants(); }) tell_pivots(own.permutants());
  if constexpr (requires { own.pivots(); }) tell_pivots(own.pivots());
  if constexpr (requires { own.build_compute_milliseconds(); })
    told.build_compute_milliseconds = own.build_compute_milliseconds();
  return told;
}

// What was planned before is not recorded any more.
void end_plans(proxel_index* index) { ++handled(index, "index")->changes; }

}  // namespace

void proxel_index_destroy(proxel_index* index) { destroy(index); }

proxel_status proxel_index_get_info(const proxel_index* index, proxel_index_info* info) {
  return use_index(index, "", [&](auto& own) {
    proxel_index_info told = info_of(own);
    told.method = handled(index, "index")->method;
    write_struct(info, told, "info");
  });
}

proxel_status proxel_index_supports(const proxel_index* index, uint64_t k, const proxel_search_options* options) {
  return use_index(index, "", [&](auto& own) {
    const SearchRequest with(options, known_to(own, "searches"));
    if constexpr (requires { own.supports(with.metric, k); })
      require(own.supports(with.metric, with.reach(k)), "index");
    else if (k == 0 || k >= search::most_k)
      require({false, fmt::format("k of {} was given, 1 to {} is served", k, search::most_k - 1)}, "index");
  });
}

proxel_status proxel_index_method_for(const proxel_index* index, uint32_t queries, uint64_t k,
                                      const proxel_search_options* options, const char** method) {
  return use_index(index, "choice of methods", [&](ChoosingMethods auto& own) {
    const SearchRequest with(options, known_to(own, "searches"));
    required(method, "method") = to_string(own.method(with.metric, with.reach(k), queries)).data();  // of a literal
  });
}

proxel_status proxel_sharded_index_get_shard(const proxel_index* index, uint64_t number, proxel_shard_info* info) {
  return use_index(index, "parts", [&](const OnSeveral auto& own) {
    const std::vector<ShardInfo> shards = own.shards();
    if (number >= shards.size())
      refuse("number", fmt::format("{} was given, there are {} devices", number, shards.size()));
    write_struct(info, {.struct_size = 0, .share = shards[number].share, .rows = shards[number].rows}, "info");
  });
}

proxel_status proxel_index_add(proxel_index* index, const proxel_objects* objects, proxel_progress progress,
                               void* progress_user, uint64_t* first) {
  return use_index(index, "adding", [&]<Changing Own>(Own& own) {
    const auto added = Objects(objects, "objects").as<QueriesOf<Own>>();
    end_plans(index);
    if constexpr (OfVectors<Own>)
      tell(first, own.add(added, progress_of(progress, progress_user)));
    else
      tell(first, own.add(added));
  });
}

proxel_status proxel_index_remove(proxel_index* index, const uint32_t* numbers, uint64_t count, uint64_t* removed) {
  return use_index(index, "removing", [&]<Changing Own>(Own& own) {
    const auto chosen = numbers_of(numbers, count, "numbers");
    end_plans(index);
    tell(removed, own.remove(chosen));
  });
}

proxel_status proxel_index_compact(proxel_index* index, proxel_progress progress, void* progress_user,
                                   uint32_t* numbers, uint64_t slots) {
  return use_index(index, "compacting", [&](OfVectors auto& own) {
    if (numbers && slots < own.rows()) refuse("slots", fmt::format("{} were given, {} are needed", slots, own.rows()));
    end_plans(index);
    const auto now = own.compact(progress_of(progress, progress_user));
    if (numbers) std::copy(now.begin(), now.end(), numbers);
  });
}

proxel_status proxel_index_get_text(const proxel_index* index, uint32_t number, char* text, uint64_t capacity,
                                    uint64_t* bytes) {
  return use_index(index, "texts",
                   [&]<WithTexts Own>(Own& own) { copy_text(own.text(number), text, capacity, bytes); });
}

proxel_status proxel_index_save(proxel_index* index, const char* path) {
  return use_index(index, "files", [&]<WithFiles Own>(Own& own) { own.save(text_of(path, "path")); });
}

proxel_status proxel_index_candidates(const proxel_index* index, uint64_t k, double fraction, uint64_t* candidates) {
  return use_index(index, "candidates",
                   [&](OfPermutations auto& own) { required(candidates, "candidates") = own.candidates(k, fraction); });
}
