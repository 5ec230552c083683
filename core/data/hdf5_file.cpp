#ifdef PROXEL_WITH_HDF5

#include "data/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/elements.hpp"

namespace proxel::data {
namespace {

std::mutex library_mutex;

herr_t keep_description(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

[[noreturn]] void unsupported(const ByteSource& source, const std::string& part, const std::string& reason) {
  throw Error(ErrorCode::unsupported, source.name(), fmt::format("data set \"{}\": {}", part, reason));
}

// Only plain IEEE and integer types are taken, compared as a whole: the file
// can describe number formats of any layout, which nobody stores vectors in.
void read_type(const ByteSource& source, const std::string& part, Hdf5DataSet& set) {
  const Hdf5Handle stored(H5Dget_type(set.handle.get()), H5Tclose);
  const std::pair<hid_t, ElementType> types[] = {
      {H5T_IEEE_F32LE, ElementType::float32}, {H5T_IEEE_F32BE, ElementType::float32},
      {H5T_IEEE_F64LE, ElementType::float64}, {H5T_IEEE_F64BE, ElementType::float64},
      {H5T_STD_I8LE, ElementType::int8},      {H5T_STD_I8BE, ElementType::int8},
      {H5T_STD_U8LE, ElementType::uint8},     {H5T_STD_U8BE, ElementType::uint8},
      {H5T_STD_I16LE, ElementType::int16},    {H5T_STD_I16BE, ElementType::int16},
      {H5T_STD_U16LE, ElementType::uint16},   {H5T_STD_U16BE, ElementType::uint16},
      {H5T_STD_I32LE, ElementType::int32},    {H5T_STD_I32BE, ElementType::int32},
      {H5T_STD_U32LE, ElementType::uint32},   {H5T_STD_U32BE, ElementType::uint32},
      {H5T_STD_I64LE, ElementType::int64},    {H5T_STD_I64BE, ElementType::int64},
      {H5T_STD_U64LE, ElementType::uint64},   {H5T_STD_U64BE, ElementType::uint64}};
  if (stored.valid())
    for (const auto& [candidate, type] : types)
      if (H5Tequal(stored.get(), candidate) > 0) {
        set.type = type;
        set.big_endian = H5Tget_order(stored.get()) == H5T_ORDER_BE;
        return;
      }
  unsupported(source, part, "its elements are not integers of 8 to 64 bits or floats of 32 or 64 bits");
}

void read_filters(const ByteSource& source, const std::string& part, hid_t creation, Hdf5DataSet& set) {
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      unsupported(
          source, part,
          fmt::format("filter {}; deflate (1), shuffle (2) and fletcher32 (3) can be read", static_cast<int>(filter)));
    set.filters.push_back(filter);
  }
}

void read_shape(const ByteSource& source, const std::string& part, Hdf5DataSet& set) {
  const Hdf5Handle space(H5Dget_space(set.handle.get()), H5Sclose);
  set.dimensions = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (set.dimensions != 1 && set.dimensions != 2)
    unsupported(source, part, fmt::format("it has {} dimensions; a matrix has two", set.dimensions));
  set.shape[1] = 1;
  H5Sget_simple_extent_dims(space.get(), set.shape.data(), nullptr);
  if (set.shape[1] == 0) source.fail(fmt::format("data set \"{}\": its rows have no columns", part));
}

// The header's sizes against what is really stored.
void require_storage(const ByteSource& source, const std::string& part, Hdf5DataSet& set, std::uint64_t memory_limit) {
  const Hdf5Handle creation(H5Dget_create_plist(set.handle.get()), H5Pclose);
  if (!creation.valid()) source.fail(fmt::format("data set \"{}\": {}", part, hdf5_reason()));
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT)
    unsupported(source, part, "virtual data sets cannot be read");
  if (H5Pget_external_count(creation.get()) != 0) unsupported(source, part, "its values lie in another file");
  if (layout == H5D_CHUNKED) read_filters(source, part, creation.get(), set);

  const std::uint64_t present = std::min<std::uint64_t>(H5Dget_storage_size(set.handle.get()), source.size());
  // Only chunks pass through filters; HDF5 itself does not look at the length
  // of what lies in one piece.
  const std::uint64_t ratio = set.filters.empty() ? 1 : largest_deflate_ratio;
  const std::uint64_t most = product(present, ratio).value_or(UINT64_MAX);
  const auto elements = product(set.shape[0], set.shape[1]);
  const auto bytes = elements ? product(*elements, element_bytes(set.type)) : std::nullopt;
  if (set.shape[0] != 0 && (!bytes || *bytes > most))
    source.fail(fmt::format("data set \"{}\": {} x {} values of {} are promised, only {} bytes are stored", part,
                            set.shape[0], set.shape[1], to_string(set.type), present));

  if (layout == H5D_CONTIGUOUS && set.shape[0] != 0) {
    const haddr_t address = H5Dget_offset(set.handle.get());
    if (address == HADDR_UNDEF || address > source.size() || *bytes > source.size() - address)
      source.fail_at(source.size(), fmt::format("the file ends inside data set \"{}\"", part));
    set.address = address;
  }
  if (layout != H5D_CHUNKED) return;
  std::array<hsize_t, 2> chunk = {0, 1};
  if (H5Pget_chunk(creation.get(), 2, chunk.data()) != set.dimensions || chunk[0] == 0 || chunk[1] == 0)
    source.fail(fmt::format("data set \"{}\": its chunks have no shape like its own", part));
  set.chunk = chunk;
  const auto chunk_elements = product(chunk[0], chunk[1]);
  const auto chunk_bytes = chunk_elements ? product(*chunk_elements, element_bytes(set.type)) : std::nullopt;
  if (set.shape[0] != 0 && (!chunk_bytes || *chunk_bytes > most))
    source.fail(fmt::format("data set \"{}\": a chunk of {} x {} values, only {} bytes are stored", part, chunk[0],
                            chunk[1], present));
  if (chunk_bytes && *chunk_bytes > memory_limit)
    throw Error(ErrorCode::out_of_memory, source.name(),
                fmt::format("data set \"{}\": a chunk needs {} bytes of memory, {} are allowed", part, *chunk_bytes,
                            memory_limit));
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(library_mutex) {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  // A damaged file leaves objects inside HDF5 that it cannot close; it would
  // complain of that on stderr when the process ends. So printing stays off.
  if (std::uncaught_exceptions() == exceptions_) H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

std::string hdf5_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, &text);
  return text.empty() ? "damaged HDF5 structure" : fmt::format("damaged HDF5 structure ({})", text);
}

Hdf5Handle open_hdf5(const ByteSource& source) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Everything is closed with the file, whatever a damaged file leaves open.
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  if (const auto memory = source.in_memory(); !memory.empty()) {
    H5Pset_fapl_core(access.get(), 1 << 16, false);
    // HDF5 copies the image and does not write to it.
    H5Pset_file_image(access.get(), const_cast<std::byte*>(memory.data()), memory.size());
  }
  Hdf5Handle file(H5Fopen(source.name().c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file.valid()) source.fail(fmt::format("not an HDF5 file: {}", hdf5_reason()));
  return file;
}

namespace {

// A file may link its groups in a circle.
constexpr std::size_t deepest = 32;
constexpr std::size_t most_links = 100'000;

// What the walk through a file's groups has found.
struct Walk {
  std::vector<std::string> parts;
  std::string group;  // "a/b/", of the links that are seen
  std::size_t depth = 0;
  std::size_t links = 0;
};

herr_t see_link(hid_t group, const char* name, const H5L_info_t* link, void* walk);

herr_t see_group(hid_t group, const char* name, Walk& walk) {
  if (walk.depth == deepest) return 0;
  const std::size_t before = walk.group.size();
  walk.group.append(name).append("/");
  ++walk.depth;
  const herr_t result = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, see_link, &walk);
  --walk.depth;
  walk.group.resize(before);
  // A group that is too damaged to be listed hides nothing but its own.
  return result > 0 ? result : 0;
}

herr_t see_link(hid_t group, const char* name, const H5L_info_t* link, void* state) {
  // Exceptions must not pass through the library, which is C.
  try {
    auto& walk = *static_cast<Walk*>(state);
    if (++walk.links > most_links) return 1;  // ends the walk
    if (link->type != H5L_TYPE_HARD) return 0;
    // What is too damaged to be opened is named too; whoever asks for it learns why.
    const Hdf5Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    const H5I_type_t type = object.valid() ? H5Iget_type(object.get()) : H5I_DATASET;
    if (type == H5I_DATASET) walk.parts.push_back(walk.group + name);
    return type == H5I_GROUP ? see_group(object.get(), name, walk) : 0;
  } catch (...) {
    return -1;
  }
}

}  // namespace

std::vector<std::string> hdf5_parts(const ByteSource& source, hid_t file) {
  Walk walk;
  if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, see_link, &walk) < 0) source.fail(hdf5_reason());
  return walk.parts;
}

Hdf5DataSet open_hdf5_part(const ByteSource& source, hid_t file, const std::string& part, std::uint64_t memory_limit) {
  Hdf5DataSet set{Hdf5Handle(H5Dopen2(file, part.c_str(), H5P_DEFAULT), H5Dclose)};
  if (!set.handle.valid()) source.fail(fmt::format("data set \"{}\": {}", part, hdf5_reason()));
  read_type(source, part, set);
  read_shape(source, part, set);
  require_storage(source, part, set, memory_limit);
  return set;
}

}  // namespace proxel::data

#endif
