#include "proxel/graph.hpp"

#ifdef PROXEL_WITH_LIBZIP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <span>

#include <fmt/format.h>
#include <zip.h>

#include "data/npy_header.hpp"
#include "data/staged_file.hpp"

namespace proxel {
namespace {

constexpr char byte_order = std::endian::native == std::endian::little ? '<' : '>';
// Files of the same graph are the same bytes: every member bears this time, the
// earliest that zip knows, give or take a time zone.
constexpr std::time_t member_time = 315'619'200;

// One array of an archive: read by libzip in pieces, when the archive is closed.
class Member {
 public:
  template <typename T>
  Member(std::string_view type, const std::string& shape, const std::vector<T>& values)
      : header_(data::npy_header(type, shape)), values_(std::as_bytes(std::span(values))) {}

  // What libzip asks of a source (zip_source_function(3)).
  static zip_int64_t serve(void* member, void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    auto& self = *static_cast<Member*>(member);
    switch (command) {
      case ZIP_SOURCE_OPEN:
        self.position_ = 0;
        return 0;
      case ZIP_SOURCE_READ:
        return self.read(static_cast<char*>(data), bytes);
      case ZIP_SOURCE_STAT:
        return self.describe(static_cast<zip_stat_t*>(data));
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_ERROR:
      case ZIP_SOURCE_FREE:
        return 0;
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
      default:
        return -1;
    }
  }

 private:
  zip_int64_t read(char* to, std::uint64_t bytes) {
    const std::uint64_t from = position_;
    const auto take = [&](const char* part, std::uint64_t first, std::uint64_t size) {
      if (position_ < first || position_ >= first + size || bytes == 0) return;
      const std::uint64_t count = std::min(bytes, first + size - position_);
      std::memcpy(to, part + (position_ - first), count);
      to += count;
      bytes -= count;
      position_ += count;
    };
    take(header_.data(), 0, header_.size());
    take(reinterpret_cast<const char*>(values_.data()), header_.size(), values_.size());
    return static_cast<zip_int64_t>(position_ - from);
  }

  zip_int64_t describe(zip_stat_t* description) const {
    zip_stat_init(description);
    description->size = header_.size() + values_.size();
    description->mtime = member_time;
    description->valid = ZIP_STAT_SIZE | ZIP_STAT_MTIME;
    return sizeof *description;
  }

  std::string header_;
  std::span<const std::byte> values_;
  std::uint64_t position_ = 0;
};

// An archive that appears under its name when it is closed, or not at all.
class Archive {
 public:
  explicit Archive(const std::string& path) : staged_(path) {
    int code = 0;
    archive_ = zip_open(staged_.beside().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive_) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Error(ErrorCode::input_output, path, text);
  }
  ~Archive() {
    if (archive_) zip_discard(archive_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// @param member  lives until close()
  void add(const char* name, Member& member) {
    zip_source_t* source = zip_source_function(archive_, &Member::serve, &member);
    const zip_int64_t index = source ? zip_file_add(archive_, name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      if (source) zip_source_free(source);
      fail();
    }
    // numpy.savez does the same; distances hardly compress.
    if (zip_set_file_compression(archive_, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0) != 0) fail();
  }

  void close() {
    if (zip_close(archive_) != 0) fail();
    archive_ = nullptr;
    staged_.appear();
  }

 private:
  [[noreturn]] void fail() { throw Error(ErrorCode::input_output, staged_.path(), zip_strerror(archive_)); }

  data::StagedFile staged_;
  zip_t* archive_ = nullptr;
};

template <typename Index>
void write_with(const std::string& path, const CsrGraph& graph) {
  const std::string integers = fmt::format("{}i{}", byte_order, sizeof(Index));
  const std::string edges = fmt::format("({},)", graph.indices.size());
  const std::vector<Index> first(graph.first.begin(), graph.first.end());
  const std::vector<Index> indices(graph.indices.begin(), graph.indices.end());
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(graph.rows),
                                           static_cast<std::int64_t>(graph.columns)};
  const std::vector<char> format = {'c', 's', 'r'};

  Member first_member(integers, fmt::format("({},)", first.size()), first);
  Member indices_member(integers, edges, indices);
  Member distances_member(fmt::format("{}f4", byte_order), edges, graph.distances);
  Member shape_member(fmt::format("{}i8", byte_order), "(2,)", shape);
  Member format_member("|S3", "()", format);
  Archive archive(path);
  archive.add("indices.npy", indices_member);
  archive.add("indptr.npy", first_member);
  archive.add("format.npy", format_member);
  archive.add("shape.npy", shape_member);
  archive.add("data.npy", distances_member);
  archive.close();
}

}  // namespace

Support npz_support() { return Support::yes(); }

void write_npz(const std::string& path, const CsrGraph& graph) {
  const std::uint64_t largest = std::max<std::uint64_t>(graph.columns, graph.indices.size());
  if (largest <= INT32_MAX)
    write_with<std::int32_t>(path, graph);
  else
    write_with<std::int64_t>(path, graph);
}

}  // namespace proxel

#else

namespace proxel {

Support npz_support() { return Support::no(Limit::build, "this build of proxel was made without libzip"); }

void write_npz(const std::string& path, const CsrGraph&) {
  throw Error(ErrorCode::unsupported, path, npz_support().reason);
}

}  // namespace proxel

#endif
