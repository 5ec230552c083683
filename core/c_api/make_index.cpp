// How an index of each kind is made.
#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/held_index.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

template <typename Own>
void give(proxel_index** index, const Devices& devices, Own made, const char* method = nullptr) {
  std::vector<Device*> used;
  for (const auto& device : devices) used.push_back(device.get());
  *index = make_handle<proxel_index>(used, std::make_shared<HeldIndex>(HeldIndex{devices, std::move(made), method}));
}

// Makes an index on one device. @param make  with the device, what is indexed and the options
template <typename Options, typename Make>
proxel_status make_index(proxel_device* device, const proxel_objects* objects, const char* argument,
                         const Options* options, proxel_index** index, const Make& make) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    const Options given = read_struct(options, "options");
    make(Devices{on}, Objects(objects, argument), given);
  });
}

PaperOptions papers_of(const proxel_paper_options& given) {
  PaperOptions papers;
  if (given.dimensions_per_pass != 0) papers.bustos.dimensions_per_pass = given.dimensions_per_pass;
  papers.bustos.reductions_per_pass = given.reductions_per_pass;
  papers.bustos.block_rows = limit_or(given.block_rows, papers.bustos.block_rows);
  papers.komarov.selection = selection_named(given.row_selection, "row_selection");
  papers.garcia.distances_only = is_set(given.distances_only, "distances_only");
  return papers;
}

// @param storage  of the rows as they are given; a name that the caller gives instead is followed
IndexOptions options_of(const proxel_index_options& given, ElementType storage = ElementType::float32) {
  IndexOptions options;
  if (given.method) options.method = method_from_string(given.method);
  options.papers = papers_of(read_struct(given.papers, "papers"));
  options.scratch_limit = limit_or(given.scratch_limit, options.scratch_limit);
  options.memory_limit = given.memory_limit;
  options.pinned = is_set(given.pinned, "pinned");
  options.storage = given.storage ? element_named(given.storage, "storage") : storage;
  options.timing = timing_named(given.timing);
  return options;
}

StringIndexOptions options_of(const proxel_string_options& given) {
  StringIndexOptions options;
  options.memory_limit = given.memory_limit;
  options.distance = string_distance_named(given.distance, "distance");
  options.scratch_limit = limit_or(given.scratch_limit, options.scratch_limit);
  options.timing = timing_named(given.timing);
  return options;
}

// @tparam Given  options that say how alike centroids are
template <typename Given>
SimilarityFunction similarity_of(const Given& given) {
  SimilarityFunction similarity;
  if (given.similarity) similarity.kind = similarity_from_string(given.similarity);
  if (given.alpha != 0) similarity.alpha = static_cast<float>(given.alpha);
  return similarity;
}

SignatureIndexOptions options_of(const proxel_signature_options& given) {
  SignatureIndexOptions options;
  options.similarity = similarity_of(given);
  if (given.method) options.method = signature_method_from_string(given.method);
  options.scratch_limit = limit_or(given.scratch_limit, options.scratch_limit);
  options.timing = timing_named(given.timing);
  return options;
}

PermutationOptions options_of(const proxel_permutation_options& given) {
  PermutationOptions options;
  if (given.permutants != 0) options.permutants = given.permutants;
  options.prefix = given.prefix;
  options.seed = limit_or(given.seed, options.seed);
  const auto chosen = numbers_of(given.chosen, given.chosen_count, "chosen");
  options.chosen.assign(chosen.begin(), chosen.end());
  if (given.distance) options.distance = permutation_distance_from_string(given.distance);
  options.selection = selection_named(given.selection, "selection");
  options.string_distance = string_distance_named(given.string_distance, "string_distance");
  options.scratch_limit = limit_or(given.scratch_limit, options.scratch_limit);
  options.timing = timing_named(given.timing);
  return options;
}

KrulisOptions options_of(const proxel_krulis_options& given) {
  KrulisOptions options;
  if (given.alpha != 0) options.alpha = given.alpha;
  if (find_name(given.precision, "precision", {"float", "double"}) == 1) options.precision = SqfdPrecision::float64;
  if (given.filter) options.filter = signature_filter_from_string(given.filter);
  if (given.pivot_count != 0) options.pivot_count = given.pivot_count;
  if (given.pivots) options.pivots.assign(given.pivots, given.pivots + given.pivot_count);
  options.seed = limit_or(given.seed, options.seed);
  options.scan_block = given.scan_block;
  if (given.range_block != 0) options.range_block = given.range_block;
  if (given.knn_block != 0) options.knn_block = given.knn_block;
  options.pending = narrow(given.pending, "pending");
  options.memory_limit = given.memory_limit;
  options.group = narrow(given.group, "group");
  return options;
}

// Devices of an index that has several.
struct Several {
  Devices held;
  std::vector<Device*> used;

  Several(proxel_device* const* devices, std::uint64_t count) {
    constexpr std::uint64_t most_devices = 64;
    if (count == 0 || count > most_devices)
      refuse("devices", fmt::format("{} were given, 1 to {} are allowed", count, most_devices));
    require_given(devices, "devices");
    for (std::uint64_t i = 0; i < count; ++i) {
      held.push_back(handled(devices[i], "devices").device);
      used.push_back(held.back().get());
    }
  }
};

// What permutations of other objects are told.
void check_permuted(const Objects& given, const proxel_permutation_options& with) {
  const auto refuse_for = [](const char* member, const char* what) {
    throw Error(ErrorCode::unsupported, member, std::string("was given for permutations of ") + what);
  };
  const char* const of = given.has_strings() ? "strings" : given.has_signatures() ? "signatures" : "rows";
  if (with.metric && (given.has_strings() || given.has_signatures())) refuse_for("metric", of);
  if (with.string_distance && !given.has_strings()) refuse_for("string_distance", of);
  if (given.has_signatures()) return;
  if (with.similarity) refuse_for("similarity", of);
  if (with.alpha != 0) refuse_for("alpha", of);
}

// Refuses a storage for an index that was saved: its file says it.
void check_no_storage(const proxel_index_options& given) {
  if (given.storage) refuse("storage", "is what the file says, and is not given");
}

template <typename Options>
Progress progress_of_options(const Options& given) {
  return progress_of(given.progress, given.progress_user);
}

// @tparam With  options of C++, for what they say of devices
template <typename With>
void divide_as(const proxel_sharded_options& given, With& with) {
  if (given.division) with.division = division_from_string(given.division);
  if (given.share_count != 0) require_given(given.shares, "shares");
  with.shares.assign(given.shares, given.shares + given.share_count);
}

// Makes an index on several devices, but for that of vectors.
// @param make  with the devices, what is indexed, the options of C++ and those given
template <typename With, typename Options, typename Make>
proxel_status make_sharded(proxel_device* const* devices, std::uint64_t device_count, const proxel_objects* objects,
                           const char* argument, const proxel_sharded_options* division, const Options* options,
                           proxel_index** index, const Make& make) {
  return guarded([&] {
    required(index, "index");
    const Several on(devices, device_count);
    const proxel_sharded_options divided = read_struct(division, "division");
    if (divided.index)
      throw Error(ErrorCode::unsupported, "index", "was given, which says how an index of vectors is made");
    const Options given = read_struct(options, "options");
    With with;
    divide_as(divided, with);
    with.index = options_of(given);
    make(on, Objects(objects, argument), with, given);
  });
}

}  // namespace

proxel_status proxel_index_create(proxel_device* device, const proxel_objects* rows,
                                  const proxel_index_options* options, proxel_index** index) {
  return make_index(device, rows, "rows", options, index,
                    [&](const Devices& on, const Objects& given, const proxel_index_options& with) {
    const auto make = [&](const auto& database, const IndexOptions& how) {
      give(index, on, Index(*on[0], database, how, progress_of_options(with)), to_string(how.method).data());
    };
    if (!given.has_stored_rows()) return make(given.as<MatrixView<float>>(), options_of(with));
    const auto elements = given.as<ElementsView>();
    make(elements, options_of(with, elements.type));
  });
}

proxel_status proxel_index_load(proxel_device* device, const char* path, const proxel_index_options* options,
                                proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    const proxel_index_options given = read_struct(options, "options");
    check_no_storage(given);
    Index loaded = Index::load(*on, text_of(path, "path"), options_of(given), progress_of_options(given));
    const char* const method = to_string(loaded.method()).data();  // of a literal
    give(index, {on}, std::move(loaded), method);
  });
}

proxel_status proxel_index_is_saved(const char* path, int* saved) {
  return guarded([&] {
    int& told = required(saved, "saved");
    told = Index::is_saved(text_of(path, "path"));
  });
}

proxel_status proxel_index_fits(const proxel_device* device, uint64_t rows, uint64_t dimensions,
                                const proxel_index_options* options, int* fits) {
  return guarded([&] {
    required(fits, "fits");
    *fits =
        Index::fits(*handled(device, "device").device, rows, dimensions, options_of(read_struct(options, "options")));
  });
}

proxel_status proxel_string_index_create(proxel_device* device, const proxel_objects* strings,
                                         const proxel_string_options* options, proxel_index** index) {
  return make_index(device, strings, "strings", options, index,
                    [&](const Devices& on, const Objects& given, const proxel_string_options& with) {
    give(index, on, StringIndex(*on[0], given.as<Strings>(), options_of(with)));
  });
}

proxel_status proxel_signature_index_create(proxel_device* device, const proxel_objects* signatures,
                                            const proxel_signature_options* options, proxel_index** index) {
  return make_index(device, signatures, "signatures", options, index,
                    [&](const Devices& on, const Objects& given, const proxel_signature_options& with) {
    const SignatureIndexOptions how = options_of(with);
    give(index, on, SignatureIndex(*on[0], given.as<Signatures>(), how, progress_of_options(with)),
         to_string(how.method).data());
  });
}

proxel_status proxel_permutation_index_create(proxel_device* device, const proxel_objects* objects,
                                              const proxel_permutation_options* options, proxel_index** index) {
  return make_index(device, objects, "objects", options, index,
                    [&](const Devices& on, const Objects& given, const proxel_permutation_options& with) {
    check_permuted(given, with);
    const Progress told = progress_of_options(with);
    if (given.has_signatures())
      return give(
          index, on,
          SignaturePermutationIndex(*on[0], given.as<Signatures>(), similarity_of(with), options_of(with), told));
    if (given.has_strings())
      return give(index, on, PermutationIndex(*on[0], given.as<Strings>(), options_of(with), told));
    give(index, on,
         VectorPermutationIndex(*on[0], given.as<MatrixView<float>>(), metric_named(with.metric), options_of(with),
                                told));
  });
}

proxel_status proxel_permutation_index_load(proxel_device* device, const char* path,
                                            const proxel_string_options* options, proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const auto& on = handled(device, "device").device;
    give(index, {on}, PermutationIndex::load(*on, text_of(path, "path"), options_of(read_struct(options, "options"))));
  });
}

proxel_status proxel_permutation_index_is_saved(const char* path, int* saved) {
  return guarded([&] { required(saved, "saved") = PermutationIndex::is_saved(text_of(path, "path")); });
}

proxel_status proxel_krulis_index_create(proxel_device* const* devices, uint64_t device_count,
                                         const proxel_objects* signatures, const proxel_krulis_options* options,
                                         proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const Several on(devices, device_count);
    const proxel_krulis_options given = read_struct(options, "options");
    const auto known = Objects(signatures, "signatures").as<Signatures>();
    give(index, on.held, KrulisIndex(on.used, known, options_of(given), progress_of_options(given)));
  });
}

proxel_status proxel_sharded_index_create(proxel_device* const* devices, uint64_t device_count,
                                          const proxel_objects* rows, const proxel_sharded_options* options,
                                          proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const Several on(devices, device_count);
    const proxel_sharded_options given = read_struct(options, "options");
    const proxel_index_options of_each = read_struct(given.index, "index");
    const Objects database(rows, "rows");
    const auto make = [&](const auto& known, const IndexOptions& how) {
      ShardedOptions with;
      divide_as(given, with);
      with.index = how;
      give(index, on.held, ShardedIndex(on.used, known, with, progress_of_options(of_each)),
           to_string(how.method).data());
    };
    if (!database.has_stored_rows()) return make(database.as<MatrixView<float>>(), options_of(of_each));
    const auto elements = database.as<ElementsView>();
    make(elements, options_of(of_each, elements.type));
  });
}

proxel_status proxel_sharded_index_load(proxel_device* const* devices, uint64_t device_count, const char* path,
                                        const proxel_sharded_options* options, proxel_index** index) {
  return guarded([&] {
    required(index, "index");
    const Several on(devices, device_count);
    const proxel_sharded_options given = read_struct(options, "options");
    const proxel_index_options of_each = read_struct(given.index, "index");
    check_no_storage(of_each);
    ShardedOptions with;
    divide_as(given, with);
    with.index = options_of(of_each);
    ShardedIndex loaded = ShardedIndex::load(on.used, text_of(path, "path"), with, progress_of_options(of_each));
    const char* const method = to_string(loaded.method()).data();  // of a literal
    give(index, on.held, std::move(loaded), method);
  });
}

proxel_status proxel_sharded_string_index_create(proxel_device* const* devices, uint64_t device_count,
                                                 const proxel_objects* strings, const proxel_sharded_options* division,
                                                 const proxel_string_options* options, proxel_index** index) {
  return make_sharded<ShardedStringOptions>(
      devices, device_count, strings, "strings", division, options, index,
      [&](const Several& on, const Objects& given, const ShardedStringOptions& with, const proxel_string_options&) {
    give(index, on.held, ShardedStringIndex(on.used, given.as<Strings>(), with));
  });
}

proxel_status proxel_sharded_signature_index_create(proxel_device* const* devices, uint64_t device_count,
                                                    const proxel_objects* signatures,
                                                    const proxel_sharded_options* division,
                                                    const proxel_signature_options* options, proxel_index** index) {
  return make_sharded<ShardedSignatureOptions>(
      devices, device_count, signatures, "signatures", division, options, index,
      [&](const Several& on, const Objects& given, const ShardedSignatureOptions& with,
          const proxel_signature_options& told) {
    give(index, on.held, ShardedSignatureIndex(on.used, given.as<Signatures>(), with, progress_of_options(told)),
         to_string(with.index.method).data());
  });
}

proxel_status proxel_sharded_permutation_index_create(proxel_device* const* devices, uint64_t device_count,
                                                      const proxel_objects* objects,
                                                      const proxel_sharded_options* division,
                                                      const proxel_permutation_options* options, proxel_index** index) {
  return make_sharded<ShardedPermutationOptions>(
      devices, device_count, objects, "objects", division, options, index,
      [&](const Several& on, const Objects& given, const ShardedPermutationOptions& with,
          const proxel_permutation_options& told) {
    check_permuted(given, told);
    const Progress progress = progress_of_options(told);
    if (given.has_signatures())
      return give(
          index, on.held,
          ShardedSignaturePermutationIndex(on.used, given.as<Signatures>(), similarity_of(told), with, progress));
    if (given.has_strings())
      return give(index, on.held, ShardedPermutationIndex(on.used, given.as<Strings>(), with, progress));
    give(index, on.held,
         ShardedVectorPermutationIndex(on.used, given.as<MatrixView<float>>(), metric_named(told.metric), with,
                                       progress));
  });
}
