#pragma once

#ifdef PROXEL_WITH_HDF5

#include <hdf5.h>

#include <array>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "data/byte_source.hpp"
#include "proxel/data.hpp"

namespace proxel::data {

/// An HDF5 identifier that is closed with the function of its kind.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// Holds the library for one thread, as it is not safe for several, and keeps
/// it from printing its error stack; for good once it ended in an exception.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  int exceptions_ = std::uncaught_exceptions();
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// What the library says of its latest failure, for a message.
std::string hdf5_reason();

/// Opens for reading: a file by its name, memory as a file image.
Hdf5Handle open_hdf5(const ByteSource& source);

/// A data set whose shape, type and storage were found to be harmless.
struct Hdf5DataSet {
  Hdf5Handle handle;
  std::array<hsize_t, 2> shape{};  ///< rows, columns; 1-D is one column
  int dimensions = 2;              ///< as stored, 1 or 2
  ElementType type = ElementType::float32;
  bool big_endian = false;
  std::array<hsize_t, 2> chunk{};  ///< rows and columns of a chunk; 0: not in chunks
  hsize_t address = 0;             ///< byte of the file; 0: in chunks, or within the header
  /// What chunks went through when they were written, in that order.
  std::vector<H5Z_filter_t> filters{};
};

/// Names of the data sets in all groups, "group/name", those behind links of other
/// kinds (to other files, say) left out.
std::vector<std::string> hdf5_parts(const ByteSource& source, hid_t file);

/// Throws Error: malformed_file, unsupported, out_of_memory where a chunk alone exceeds
/// `memory_limit`.
/// @param part  one of hdf5_parts()
Hdf5DataSet open_hdf5_part(const ByteSource& source, hid_t file, const std::string& part, std::uint64_t memory_limit);

}  // namespace proxel::data

#endif
