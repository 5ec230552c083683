// The layout of ann-benchmarks: data sets "neighbors" and "distances", and what the distances are as an attribute.

#include <cstddef>
#include <vector>

#include "data/ground_truth_layout.hpp"
#include "data/output_file.hpp"
#include "proxel/error.hpp"

#ifdef PROXEL_WITH_HDF5
#include "data/hdf5_file.hpp"
#endif

namespace proxel::data {

#ifdef PROXEL_WITH_HDF5

namespace {

// The file is made in memory: HDF5 does not recover from a disk that is full, and crashes when the program ends.
class TruthWriter {
 public:
  explicit TruthWriter(const std::string& path) : path_(path), file_(create(path)) { require(file_.valid()); }

  template <typename T>
  void data_set(const char* name, hid_t stored, hid_t given, const Matrix<T>& values) {
    const hsize_t shape[] = {values.rows(), values.columns()};
    const Hdf5Handle space(H5Screate_simple(2, shape, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);  // the same answer is the same bytes
    const Hdf5Handle set(H5Dcreate2(file_.get(), name, stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                         H5Dclose);
    require(set.valid());
    if (values.rows() != 0) require(H5Dwrite(set.get(), given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  }

  void attribute(const char* name, const std::string& text) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    require(type.valid() && H5Tset_size(type.get(), text.size()) >= 0);
    const Hdf5Handle made(H5Acreate2(file_.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(made.valid() && H5Awrite(made.get(), type.get(), text.data()) >= 0);
  }

  std::vector<std::byte> bytes() const {
    require(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
    require(size > 0);
    std::vector<std::byte> image(static_cast<std::size_t>(size));
    require(H5Fget_file_image(file_.get(), image.data(), image.size()) == size);
    return image;
  }

 private:
  static Hdf5Handle create(const std::string& path) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.get(), std::size_t{1} << 24, false);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
  }

  void require(bool done) const {
    if (!done) throw Error(ErrorCode::input_output, path_, "cannot be written: " + hdf5_reason());
  }

  std::string path_;
  Hdf5Handle file_;
};

std::string name_of_distance(Metric metric) {
  if (metric == Metric::l2) return "euclidean";
  if (metric == Metric::cosine) return "angular";
  return std::string(to_string(metric));
}

}  // namespace

void require_hdf5(const std::string&) {}

void write_ground_truth_hdf5(const std::string& path, const GroundTruth& truth, Metric metric) {
  std::vector<std::byte> bytes;
  {
    const Hdf5Session session;
    TruthWriter made(path);
    made.data_set("neighbors", has_long_ids(truth) ? H5T_STD_I64LE : H5T_STD_I32LE, H5T_NATIVE_INT64, truth.ids);
    if (truth.distances.columns() != 0) made.data_set("distances", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, truth.distances);
    made.attribute("distance", name_of_distance(metric));
    bytes = made.bytes();
  }
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

#else

void require_hdf5(const std::string& path) {
  throw Error(ErrorCode::unsupported, path, "this build has no HDF5; .ibin, .ivecs and .npy can be written");
}

void write_ground_truth_hdf5(const std::string& path, const GroundTruth&, Metric) { require_hdf5(path); }

#endif

}  // namespace proxel::data
