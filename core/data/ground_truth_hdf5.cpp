// The layout of ann-benchmarks: data sets "neighbors" and "distances", and what the distances are as an attribute.

#include "data/ground_truth_layout.hpp"
#include "data/staged_file.hpp"
#include "proxel/error.hpp"

#ifdef PROXEL_WITH_HDF5
#include "data/hdf5_file.hpp"
#endif

namespace proxel::data {

#ifdef PROXEL_WITH_HDF5

namespace {

class Writer {
 public:
  Writer(const std::string& path, const std::string& place)
      : path_(path), file_(H5Fcreate(place.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    require(file_.valid());
  }

  template <typename T>
  void data_set(const char* name, hid_t stored, hid_t given, const Matrix<T>& values) {
    const hsize_t shape[] = {values.rows(), values.columns()};
    const Hdf5Handle space(H5Screate_simple(2, shape, nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(file_.get(), name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
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

  /// What a full disk refuses is told by the last flush.
  void finish() { require(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0); }

 private:
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
  StagedFile staged(path);
  {
    const Hdf5Session session;
    Writer file(path, staged.beside());
    file.data_set("neighbors", has_long_ids(truth) ? H5T_STD_I64LE : H5T_STD_I32LE, H5T_NATIVE_INT64, truth.ids);
    if (truth.distances.columns() != 0) file.data_set("distances", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, truth.distances);
    file.attribute("distance", name_of_distance(metric));
    file.finish();
  }
  staged.appear();
}

#else

void require_hdf5(const std::string& path) {
  throw Error(ErrorCode::unsupported, path, "this build has no HDF5; .ibin, .ivecs and .npy can be written");
}

void write_ground_truth_hdf5(const std::string& path, const GroundTruth&, Metric) { require_hdf5(path); }

#endif

}  // namespace proxel::data
