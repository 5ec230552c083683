// What is expected of metrics that no matrix units serve is held against what searches by them took.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"
#include "measured_search.hpp"

namespace proxel::index {
namespace {

// A hundred queries of 65,536 rows by l1, k = 10, on an H200: codes and what they leave undecided, and the scan.
struct MeasuredL1 {
  BackendKind backend;
  std::uint32_t dimensions;
  double scan, codes;
};
constexpr MeasuredL1 measured_l1[] = {
    {cuda, 64, 0.102, 0.0651},   {cuda, 128, 0.147, 0.0963}, {cuda, 256, 0.234, 0.138},   {cuda, 449, 0.366, 0.254},
    {cuda, 450, 0.366, 0.235},   {vulkan, 64, 0.101, 0.103}, {vulkan, 128, 0.152, 0.167}, {vulkan, 256, 0.255, 0.299},
    {vulkan, 279, 0.273, 0.503}, {vulkan, 449, 0.41, 0.713},
};

// Metrics that no matrix units serve, mostly with more neighbours than are sorted: the scan, codes, and canonical thresholds, on an H200.
struct MeasuredMagnitudes {
  BackendKind backend;
  Metric metric;
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  double scan, codes, distances;  // 0: not measured
};
constexpr MeasuredMagnitudes measured_magnitudes[] = {
    {cuda, Metric::l1, 65536, 64, 1000, 15, 0.588, 0.214, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 32, 0.612, 0.24, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 64, 0.647, 0.254, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 128, 0.738, 0.313, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 171, 0.797, 0.32, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 173, 0.799, 0.345, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 199, 0.819, 0.362, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 256, 0.896, 0.414, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 512, 1.24, 0.512, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 2048, 3.77, 0.853, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 15, 0.62, 0.374, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 32, 0.644, 0.396, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 64, 0.682, 0.416, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 86, 0.712, 0.439, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 128, 0.771, 0.465, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 149, 0.811, 0.478, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 199, 0.852, 0.494, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 256, 0.934, 0.53, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 512, 1.27, 0.715, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 2048, 3.86, 1.22, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 15, 0.607, 0.434, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 32, 0.622, 0.461, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 64, 0.649, 0.475, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 128, 0.724, 0.567, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 171, 0.825, 0.587, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 173, 0.823, 0.727, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 199, 0.845, 0.757, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 256, 0.927, 0.847, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 512, 1.28, 0.883, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 2048, 4.04, 1.34, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 15, 0.652, 0.422, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 32, 0.668, 0.444, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 64, 0.696, 0.48, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 86, 0.719, 0.49, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 128, 0.772, 0.505, 0},
    {cuda, Metric::l1, 16384, 64, 20, 300, 0.0665, 0.0555, 0.076},
    {cuda, Metric::l1, 16384, 64, 20, 1000, 0.11, 0.0824, 0.0908},
    {cuda, Metric::l1, 16384, 128, 20, 300, 0.0739, 0.0819, 0.121},
    {cuda, Metric::l1, 16384, 128, 20, 1000, 0.118, 0.122, 0.145},
    {cuda, Metric::l1, 16384, 64, 100, 1000, 0.177, 0.0852, 0.103},
    {cuda, Metric::l1, 16384, 128, 100, 1000, 0.19, 0.127, 0.166},
    {cuda, Metric::l1, 16384, 64, 1000, 300, 0.447, 0.225, 0.385},
    {cuda, Metric::l1, 16384, 64, 1000, 1000, 0.969, 0.363, 0.522},
    {cuda, Metric::l1, 16384, 128, 1000, 300, 0.534, 0.36, 0.664},
    {cuda, Metric::l1, 16384, 128, 1000, 1000, 1.08, 0.594, 0.909},
    {cuda, Metric::l1, 65536, 16, 20, 300, 0.11, 0.0526, 0.072},
    {cuda, Metric::l1, 65536, 16, 20, 1000, 0.148, 0.0782, 0.0843},
    {cuda, Metric::l1, 65536, 16, 20, 4096, 0.732, 0.171, 0.128},
    {cuda, Metric::l1, 65536, 128, 20, 300, 0.151, 0.141, 0.259},
    {cuda, Metric::l1, 65536, 128, 20, 1000, 0.188, 0.225, 0.315},
    {cuda, Metric::l1, 65536, 128, 20, 4096, 0.894, 0.449, 0.422},
    {cuda, Metric::l1, 65536, 16, 100, 1000, 0.42, 0.0861, 0.0934},
    {cuda, Metric::l1, 65536, 16, 100, 4096, 1.67, 0.198, 0.147},
    {cuda, Metric::l1, 65536, 128, 100, 1000, 0.498, 0.239, 0.326},
    {cuda, Metric::l1, 65536, 128, 100, 4096, 1.98, 0.484, 0.489},
    {cuda, Metric::l1, 65536, 16, 1000, 300, 0.748, 0.264, 0.433},
    {cuda, Metric::l1, 65536, 16, 1000, 1000, 1.53, 0.359, 0.509},
    {cuda, Metric::l1, 65536, 16, 1000, 4096, 6.6, 0.832, 0.777},
    {cuda, Metric::l1, 65536, 128, 1000, 300, 1.34, 0.858, 1.92},
    {cuda, Metric::l1, 65536, 128, 1000, 1000, 2.15, 1.3, 2.45},
    {cuda, Metric::l1, 65536, 128, 1000, 4096, 9.05, 3.37, 3.57},
    {cuda, Metric::l1, 262144, 64, 20, 300, 0.274, 0.156, 0.371},
    {cuda, Metric::l1, 262144, 64, 20, 1000, 0.498, 0.244, 0.546},
    {cuda, Metric::l1, 262144, 64, 20, 4096, 1.99, 0.433, 0.717},
    {cuda, Metric::l1, 262144, 128, 20, 300, 0.364, 0.298, 0.668},
    {cuda, Metric::l1, 262144, 128, 20, 1000, 0.592, 0.435, 0.986},
    {cuda, Metric::l1, 262144, 128, 20, 4096, 2.34, 0.749, 1.29},
    {cuda, Metric::l1, 262144, 64, 100, 1000, 0.866, 0.27, 0.569},
    {cuda, Metric::l1, 262144, 64, 100, 4096, 3.45, 0.467, 0.706},
    {cuda, Metric::l1, 262144, 128, 100, 1000, 1.04, 0.457, 0.992},
    {cuda, Metric::l1, 262144, 128, 100, 4096, 4.14, 0.803, 1.27},
    {cuda, Metric::l1, 262144, 64, 1000, 300, 2.77, 1.04, 2.88},
    {cuda, Metric::l1, 262144, 64, 1000, 1000, 4.62, 1.55, 4.07},
    {cuda, Metric::l1, 262144, 64, 1000, 4096, 19.1, 2.69, 5.25},
    {cuda, Metric::l1, 262144, 128, 1000, 300, 4.13, 1.85, 5.25},
    {cuda, Metric::l1, 262144, 128, 1000, 1000, 6.01, 2.88, 7.5},
    {cuda, Metric::l1, 262144, 128, 1000, 4096, 24.7, 5.45, 10.7},
    {cuda, Metric::linf, 16384, 64, 20, 300, 0.0671, 0.0727, 0.0794},
    {cuda, Metric::linf, 16384, 64, 20, 1000, 0.111, 0.0949, 0.0943},
    {cuda, Metric::linf, 16384, 128, 20, 300, 0.0753, 0.109, 0.127},
    {cuda, Metric::linf, 16384, 128, 20, 1000, 0.119, 0.148, 0.15},
    {cuda, Metric::linf, 16384, 64, 100, 1000, 0.179, 0.0973, 0.107},
    {cuda, Metric::linf, 16384, 128, 100, 1000, 0.192, 0.147, 0.175},
    {cuda, Metric::linf, 16384, 64, 1000, 300, 0.456, 0.279, 0.399},
    {cuda, Metric::linf, 16384, 64, 1000, 1000, 0.988, 0.383, 0.537},
    {cuda, Metric::linf, 16384, 128, 1000, 300, 0.551, 0.424, 0.701},
    {cuda, Metric::linf, 16384, 128, 1000, 1000, 1.1, 0.575, 0.958},
    {cuda, Metric::linf, 65536, 16, 20, 300, 0.11, 0.0663, 0.0746},
    {cuda, Metric::linf, 65536, 16, 20, 1000, 0.148, 0.0913, 0.0866},
    {cuda, Metric::linf, 65536, 16, 20, 4096, 0.735, 0.208, 0.13},
    {cuda, Metric::linf, 65536, 128, 20, 300, 0.154, 0.179, 0.278},
    {cuda, Metric::linf, 65536, 128, 20, 1000, 0.192, 0.235, 0.334},
    {cuda, Metric::linf, 65536, 128, 20, 4096, 0.909, 0.424, 0.439},
    {cuda, Metric::linf, 65536, 16, 100, 1000, 0.421, 0.0988, 0.0969},
    {cuda, Metric::linf, 65536, 16, 100, 4096, 1.67, 0.23, 0.149},
    {cuda, Metric::linf, 65536, 128, 100, 1000, 0.507, 0.252, 0.342},
    {cuda, Metric::linf, 65536, 128, 100, 4096, 2.01, 0.463, 0.511},
    {cuda, Metric::linf, 65536, 16, 1000, 300, 0.745, 0.345, 0.449},
    {cuda, Metric::linf, 65536, 16, 1000, 1000, 1.53, 0.476, 0.525},
    {cuda, Metric::linf, 65536, 16, 1000, 4096, 6.54, 1.16, 0.795},
    {cuda, Metric::linf, 65536, 128, 1000, 300, 1.41, 1.17, 2.05},
    {cuda, Metric::linf, 65536, 128, 1000, 1000, 2.21, 1.46, 2.57},
    {cuda, Metric::linf, 65536, 128, 1000, 4096, 9.23, 2.64, 3.7},
    {cuda, Metric::linf, 262144, 64, 20, 300, 0.28, 0.248, 0.394},
    {cuda, Metric::linf, 262144, 64, 20, 1000, 0.504, 0.35, 0.583},
    {cuda, Metric::linf, 262144, 64, 20, 4096, 2, 0.541, 0.752},
    {cuda, Metric::linf, 262144, 128, 20, 300, 0.374, 0.443, 0.714},
    {cuda, Metric::linf, 262144, 128, 20, 1000, 0.597, 0.626, 1.06},
    {cuda, Metric::linf, 262144, 128, 20, 4096, 2.38, 0.879, 1.36},
    {cuda, Metric::linf, 262144, 64, 100, 1000, 0.883, 0.376, 0.603},
    {cuda, Metric::linf, 262144, 64, 100, 4096, 3.53, 0.58, 0.739},
    {cuda, Metric::linf, 262144, 128, 100, 1000, 1.07, 0.644, 1.06},
    {cuda, Metric::linf, 262144, 128, 100, 4096, 4.29, 0.916, 1.33},
    {cuda, Metric::linf, 262144, 64, 1000, 300, 2.91, 1.73, 3.06},
    {cuda, Metric::linf, 262144, 64, 1000, 1000, 4.76, 2.48, 4.32},
    {cuda, Metric::linf, 262144, 64, 1000, 4096, 19.7, 4.67, 5.52},
    {cuda, Metric::linf, 262144, 128, 1000, 300, 4.39, 3.12, 5.64},
    {cuda, Metric::linf, 262144, 128, 1000, 1000, 6.26, 4.44, 8},
    {cuda, Metric::linf, 262144, 128, 1000, 4096, 25.7, 7.47, 11.4},
    {vulkan, Metric::l1, 16384, 64, 20, 300, 0.0668, 0.09, 0.0913},
    {vulkan, Metric::l1, 16384, 64, 20, 1000, 0.0986, 0.119, 0.107},
    {vulkan, Metric::l1, 16384, 128, 20, 300, 0.0754, 0.144, 0.142},
    {vulkan, Metric::l1, 16384, 128, 20, 1000, 0.108, 0.193, 0.165},
    {vulkan, Metric::l1, 16384, 64, 100, 1000, 0.17, 0.128, 0.122},
    {vulkan, Metric::l1, 16384, 128, 100, 1000, 0.186, 0.206, 0.195},
    {vulkan, Metric::l1, 16384, 64, 1000, 300, 0.453, 0.338, 0.453},
    {vulkan, Metric::l1, 16384, 64, 1000, 1000, 0.861, 0.504, 0.62},
    {vulkan, Metric::l1, 16384, 128, 1000, 300, 0.552, 0.622, 0.799},
    {vulkan, Metric::l1, 16384, 128, 1000, 1000, 0.969, 0.95, 1.08},
    {vulkan, Metric::l1, 65536, 16, 20, 300, 0.115, 0.0667, 0.0814},
    {vulkan, Metric::l1, 65536, 16, 20, 1000, 0.142, 0.0834, 0.0936},
    {vulkan, Metric::l1, 65536, 16, 20, 4096, 0.643, 0.148, 0.14},
    {vulkan, Metric::l1, 65536, 128, 20, 300, 0.168, 0.235, 0.315},
    {vulkan, Metric::l1, 65536, 128, 20, 1000, 0.195, 0.327, 0.359},
    {vulkan, Metric::l1, 65536, 128, 20, 4096, 0.853, 0.576, 0.467},
    {vulkan, Metric::l1, 65536, 16, 100, 1000, 0.417, 0.0903, 0.101},
    {vulkan, Metric::l1, 65536, 16, 100, 4096, 1.66, 0.178, 0.161},
    {vulkan, Metric::l1, 65536, 128, 100, 1000, 0.505, 0.352, 0.418},
    {vulkan, Metric::l1, 65536, 128, 100, 4096, 2.01, 0.635, 0.577},
    {vulkan, Metric::l1, 65536, 16, 1000, 300, 0.77, 0.35, 0.494},
    {vulkan, Metric::l1, 65536, 16, 1000, 1000, 1.59, 0.444, 0.597},
    {vulkan, Metric::l1, 65536, 16, 1000, 4096, 6.68, 0.852, 0.949},
    {vulkan, Metric::l1, 65536, 128, 1000, 300, 1.46, 1.67, 2.65},
    {vulkan, Metric::l1, 65536, 128, 1000, 1000, 2.28, 2.33, 3.09},
    {vulkan, Metric::l1, 65536, 128, 1000, 4096, 9.49, 4.85, 4.35},
    {vulkan, Metric::l1, 262144, 64, 20, 300, 0.288, 0.281, 0.451},
    {vulkan, Metric::l1, 262144, 64, 20, 1000, 0.523, 0.401, 0.644},
    {vulkan, Metric::l1, 262144, 64, 20, 4096, 2.1, 0.565, 0.738},
    {vulkan, Metric::l1, 262144, 128, 20, 300, 0.405, 0.535, 0.811},
    {vulkan, Metric::l1, 262144, 128, 20, 1000, 0.642, 0.76, 1.18},
    {vulkan, Metric::l1, 262144, 128, 20, 4096, 2.56, 1.1, 1.36},
    {vulkan, Metric::l1, 262144, 64, 100, 1000, 0.883, 0.425, 0.77},
    {vulkan, Metric::l1, 262144, 64, 100, 4096, 3.52, 0.623, 0.887},
    {vulkan, Metric::l1, 262144, 128, 100, 1000, 1.09, 0.803, 1.43},
    {vulkan, Metric::l1, 262144, 128, 100, 4096, 4.32, 1.21, 1.65},
    {vulkan, Metric::l1, 262144, 64, 1000, 300, 3.35, 2.07, 3.71},
    {vulkan, Metric::l1, 262144, 64, 1000, 1000, 5.9, 2.93, 5.6},
    {vulkan, Metric::l1, 262144, 64, 1000, 4096, 24.2, 4.57, 6.79},
    {vulkan, Metric::l1, 262144, 128, 1000, 300, 4.9, 4.11, 7},
    {vulkan, Metric::l1, 262144, 128, 1000, 1000, 7.48, 5.9, 10.7},
    {vulkan, Metric::l1, 262144, 128, 1000, 4096, 30.4, 9.48, 13.8},
    {vulkan, Metric::linf, 16384, 64, 20, 300, 0.0672, 0.096, 0},
    {vulkan, Metric::linf, 16384, 64, 20, 1000, 0.0993, 0.107, 0},
    {vulkan, Metric::linf, 16384, 128, 20, 300, 0.0757, 0.129, 0},
    {vulkan, Metric::linf, 16384, 128, 20, 1000, 0.108, 0.171, 0},
    {vulkan, Metric::linf, 16384, 64, 100, 1000, 0.17, 0.115, 0},
    {vulkan, Metric::linf, 16384, 128, 100, 1000, 0.185, 0.179, 0},
    {vulkan, Metric::linf, 16384, 64, 1000, 300, 0.466, 0.306, 0},
    {vulkan, Metric::linf, 16384, 64, 1000, 1000, 0.881, 0.428, 0},
    {vulkan, Metric::linf, 16384, 128, 1000, 300, 0.576, 0.494, 0},
    {vulkan, Metric::linf, 16384, 128, 1000, 1000, 0.992, 0.711, 0},
    {vulkan, Metric::linf, 65536, 16, 20, 300, 0.114, 0.0676, 0.0838},
    {vulkan, Metric::linf, 65536, 16, 20, 1000, 0.142, 0.083, 0.0956},
    {vulkan, Metric::linf, 65536, 16, 20, 4096, 0.641, 0.153, 0.142},
    {vulkan, Metric::linf, 65536, 128, 20, 300, 0.166, 0.195, 0},
    {vulkan, Metric::linf, 65536, 128, 20, 1000, 0.194, 0.252, 0},
    {vulkan, Metric::linf, 65536, 128, 20, 4096, 0.848, 0.42, 0},
    {vulkan, Metric::linf, 65536, 16, 100, 1000, 0.42, 0.0876, 0.102},
    {vulkan, Metric::linf, 65536, 16, 100, 4096, 1.67, 0.18, 0.16},
    {vulkan, Metric::linf, 65536, 128, 100, 1000, 0.523, 0.267, 0},
    {vulkan, Metric::linf, 65536, 128, 100, 4096, 2.08, 0.476, 0},
    {vulkan, Metric::linf, 65536, 16, 1000, 300, 0.789, 0.338, 0.51},
    {vulkan, Metric::linf, 65536, 16, 1000, 1000, 1.61, 0.475, 0.607},
    {vulkan, Metric::linf, 65536, 16, 1000, 4096, 6.74, 1.06, 0.944},
    {vulkan, Metric::linf, 65536, 128, 1000, 300, 1.56, 1.35, 0},
    {vulkan, Metric::linf, 65536, 128, 1000, 1000, 2.38, 1.76, 0},
    {vulkan, Metric::linf, 65536, 128, 1000, 4096, 9.9, 3.21, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 300, 0.283, 0.264, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 1000, 0.521, 0.363, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 4096, 2.08, 0.498, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 300, 0.398, 0.466, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 1000, 0.637, 0.656, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 4096, 2.55, 0.879, 0},
    {vulkan, Metric::linf, 262144, 64, 100, 1000, 0.913, 0.381, 0},
    {vulkan, Metric::linf, 262144, 64, 100, 4096, 3.65, 0.552, 0},
    {vulkan, Metric::linf, 262144, 128, 100, 1000, 1.13, 0.686, 0},
    {vulkan, Metric::linf, 262144, 128, 100, 4096, 4.52, 0.946, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 300, 3.52, 1.9, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 1000, 6.09, 2.7, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 4096, 25, 4.46, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 300, 5.25, 3.61, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 1000, 7.83, 5.09, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 4096, 32, 7.7, 0},
};

}  // namespace

TEST_CASE("many queries by l1 are answered by codes where these are sooner than the scan, or nearly so") {
  for (MeasuredL1 m : measured_l1) {
    m.codes -= spared(m.backend);
    SearchDescription description;
    description.rows = 65536;
    description.dimensions = m.dimensions;
    description.queries = 100;
    description.k = 10;
    description.metric = Metric::l1;
    const bool codes =
        codes_before_distances(description, m.backend) &&
        expected_codes_milliseconds(description, m.backend) < expected_scan_milliseconds(description, m.backend);
    INFO(text(description, m.backend));
    CHECK((codes ? m.codes : m.scan) <= 1.25 * std::min(m.codes, m.scan) + slack_of_few_milliseconds);
  }
}

TEST_CASE("many neighbours by l1 and linf are found as soon as they can be, or nearly so") {
  for (const MeasuredMagnitudes& m : measured_magnitudes) {
    SearchDescription description = described(m);
    description.metric = m.metric;
    const bool by_codes = codes_before_distances(description, m.backend);
    const double fused = by_codes ? m.codes : m.distances, other = by_codes ? m.distances : m.codes;
    if (fused == 0) continue;
    const double expected = by_codes ? expected_codes_milliseconds(description, m.backend)
                                     : expected_fused_milliseconds(description, m.backend, false);
    const double chosen = expected < expected_scan_milliseconds(description, m.backend) ? fused : m.scan;
    INFO(text(description, m.backend));
    CHECK(chosen <= 1.25 * std::min({m.scan, fused, other != 0 ? other : fused}) + slack_milliseconds);
  }
}

}  // namespace proxel::index
