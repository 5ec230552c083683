#include <fmt/format.h>

#include "data/parsers.hpp"

#ifdef PROXEL_WITH_LIBZIP

#include <zip.h>

#include <algorithm>
#include <memory>

#include "data/elements.hpp"
#include "data/number_text.hpp"
#include "data/part.hpp"

namespace proxel::data {
namespace {

constexpr std::string_view array_ending = ".npy";

std::string text_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

class Archive {
 public:
  explicit Archive(const ByteSource& source) : source_(source) {
    int code = 0;
    if (const auto memory = source.in_memory(); !memory.empty()) {
      zip_error_t error;
      zip_error_init(&error);
      zip_source_t* bytes = zip_source_buffer_create(memory.data(), memory.size(), 0, &error);
      if (bytes) archive_ = zip_open_from_source(bytes, ZIP_RDONLY, &error);
      if (!archive_ && bytes) zip_source_free(bytes);
      code = zip_error_code_zip(&error);
      zip_error_fini(&error);
    } else if (source.size() != 0) {
      archive_ = zip_open(source.name().c_str(), ZIP_RDONLY, &code);
    } else {
      code = ZIP_ER_NOZIP;
    }
    if (!archive_) source.fail(fmt::format("not an .npz file: {}", text_of(code)));
  }
  ~Archive() { zip_discard(archive_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Names of the arrays, without their ending.
  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    const zip_int64_t count = zip_get_num_entries(archive_, 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const char* name = zip_get_name(archive_, static_cast<zip_uint64_t>(i), 0);
      const std::string_view text = name ? name : "";
      if (text.ends_with(array_ending)) names.emplace_back(text.substr(0, text.size() - array_ending.size()));
    }
    return names;
  }

  const ByteSource& source() const { return source_; }
  zip_t* get() const { return archive_; }

 private:
  const ByteSource& source_;
  zip_t* archive_ = nullptr;
};

// The file of an array: decompressed as it is read, which is forwards but for the header.
class ArrayFile : public ByteSource {
 public:
  ArrayFile(const Archive& archive, const std::string& part) : ByteSource(archive.source().name()), archive_(archive) {
    const std::string name = part + std::string(array_ending);
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat(archive.get(), name.c_str(), 0, &stat) != 0) fail(zip_strerror(archive.get()));
    constexpr zip_uint64_t needed = ZIP_STAT_INDEX | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if ((stat.valid & needed) != needed) fail("its size is not told");
    const bool deflated = stat.comp_method == ZIP_CM_DEFLATE;
    if (!deflated && stat.comp_method != ZIP_CM_STORE)
      throw Error(ErrorCode::unsupported, this->name(),
                  fmt::format("compressed by method {}; numpy stores (0) or deflates (8)", stat.comp_method));
    // A size that the stored bytes cannot become is not believed.
    const std::uint64_t most =
        product(std::min<std::uint64_t>(stat.comp_size, archive.source().size()), deflated ? largest_deflate_ratio : 1)
            .value_or(UINT64_MAX);
    if (stat.size > most) fail(fmt::format("{} bytes are promised, only {} are stored", stat.size, stat.comp_size));
    index_ = stat.index;
    size_ = stat.size;
  }

  std::uint64_t size() const override { return size_; }

 private:
  void read_checked(std::uint64_t offset, std::span<std::byte> into) const override {
    if (!file_ || offset < position_) {
      file_.reset(zip_fopen_index(archive_.get(), index_, 0));
      if (!file_) fail(zip_strerror(archive_.get()));
      position_ = 0;
    }
    std::vector<std::byte> skipped;
    while (position_ < offset) {
      skipped.resize(static_cast<std::size_t>(std::min<std::uint64_t>(offset - position_, ByteCursor::largest_take)));
      read_on(skipped);
    }
    read_on(into);
    // Only then is the checksum looked at.
    std::byte more{};
    if (position_ == size_ && take({&more, 1}) != 0) fail("it is longer than the archive says");
  }

  void read_on(std::span<std::byte> into) const {
    while (!into.empty()) {
      const std::size_t got = take(into);
      if (got == 0) fail("it is shorter than the archive says");
      position_ += got;
      into = into.subspan(got);
    }
  }

  std::size_t take(std::span<std::byte> into) const {
    const zip_int64_t got = zip_fread(file_.get(), into.data(), into.size());
    if (got < 0) fail(zip_file_strerror(file_.get()));
    return static_cast<std::size_t>(got);
  }

  struct Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
  };

  const Archive& archive_;
  zip_uint64_t index_ = 0;
  std::uint64_t size_ = 0;
  mutable std::unique_ptr<zip_file_t, Close> file_;
  mutable std::uint64_t position_ = 0;  // of the file, in bytes that were decompressed
};

// Runs an action. An error in the bytes of an array then names the array.
template <typename Action>
auto with_array(const ByteSource& source, const std::string& part, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    const std::string reason = std::string(error.what()).substr(error.subject().size() + 2);
    throw Error(error.code(), source.name(), fmt::format("array \"{}\": {}", printable(part), reason));
  }
}

}  // namespace

DataInfo inspect_npz(const ByteSource& source, const std::string& named) {
  const Archive archive(source);
  const std::vector<std::string> parts = archive.parts();
  const std::string part = chosen_part(source, parts, named);
  DataInfo result = with_array(source, part, [&] {
    const ArrayFile array(archive, part);
    return info(array, parse_npy(array));
  });
  result.format = "npz";
  result.file_bytes = source.size();
  result.parts = parts;
  return result;
}

template <typename T>
Matrix<T> read_npz(const ByteSource& source, const std::string& named, const ReadOptions& options,
                   bool& one_dimensional, RoundingCounts* rounding) {
  const Archive archive(source);
  const std::string part = chosen_part(source, archive.parts(), named);
  return with_array(source, part, [&] {
    const ArrayFile array(archive, part);
    const StoredMatrix stored = parse_npy(array);
    one_dimensional = stored.one_dimensional;
    return read_stored<T>(array, stored, options, rounding);
  });
}

}  // namespace proxel::data

#else

namespace proxel::data {
namespace {

[[noreturn]] void refuse(const ByteSource& source) {
  throw Error(ErrorCode::unsupported, source.name(),
              "this build of proxel was made without libzip, which .npz files need");
}

}  // namespace

DataInfo inspect_npz(const ByteSource& source, const std::string&) { refuse(source); }

template <typename T>
Matrix<T> read_npz(const ByteSource& source, const std::string&, const ReadOptions&, bool&, RoundingCounts*) {
  refuse(source);
}

}  // namespace proxel::data

#endif

namespace proxel::data {

template Matrix<float> read_npz(const ByteSource&, const std::string&, const ReadOptions&, bool&, RoundingCounts*);
template Matrix<std::int32_t> read_npz(const ByteSource&, const std::string&, const ReadOptions&, bool&,
                                       RoundingCounts*);

}  // namespace proxel::data
