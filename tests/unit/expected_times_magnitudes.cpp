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
    {cuda, Metric::l1, 65536, 64, 1000, 128, 0.666, 0.313, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 171, 0.625, 0.32, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 173, 0.625, 0.345, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 199, 0.624, 0.362, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 256, 0.632, 0.414, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 512, 0.636, 0.512, 0},
    {cuda, Metric::l1, 65536, 64, 1000, 2048, 0.663, 0.853, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 15, 0.62, 0.374, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 32, 0.644, 0.396, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 64, 0.682, 0.416, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 86, 0.694, 0.439, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 128, 0.699, 0.465, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 149, 0.657, 0.478, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 199, 0.661, 0.494, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 256, 0.663, 0.53, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 512, 0.673, 0.715, 0},
    {cuda, Metric::linf, 65536, 64, 1000, 2048, 0.695, 1.22, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 15, 0.607, 0.434, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 32, 0.622, 0.461, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 64, 0.649, 0.475, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 128, 0.731, 0.567, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 171, 0.712, 0.587, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 173, 0.712, 0.727, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 199, 0.714, 0.757, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 256, 0.718, 0.847, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 512, 0.719, 0.883, 0},
    {vulkan, Metric::l1, 65536, 64, 1000, 2048, 0.752, 1.34, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 15, 0.652, 0.422, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 32, 0.668, 0.444, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 64, 0.696, 0.48, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 86, 0.782, 0.49, 0},
    {vulkan, Metric::linf, 65536, 64, 1000, 128, 0.799, 0.505, 0},
    {cuda, Metric::l1, 16384, 64, 20, 300, 0.0316, 0.0555, 0.076},
    {cuda, Metric::l1, 16384, 64, 20, 1000, 0.0349, 0.0824, 0.0908},
    {cuda, Metric::l1, 16384, 128, 20, 300, 0.0396, 0.0819, 0.121},
    {cuda, Metric::l1, 16384, 128, 20, 1000, 0.0425, 0.122, 0.145},
    {cuda, Metric::l1, 16384, 64, 100, 1000, 0.0419, 0.0852, 0.103},
    {cuda, Metric::l1, 16384, 128, 100, 1000, 0.0545, 0.127, 0.166},
    {cuda, Metric::l1, 16384, 64, 1000, 300, 0.182, 0.225, 0.385},
    {cuda, Metric::l1, 16384, 64, 1000, 1000, 0.192, 0.363, 0.522},
    {cuda, Metric::l1, 16384, 128, 1000, 300, 0.268, 0.36, 0.664},
    {cuda, Metric::l1, 16384, 128, 1000, 1000, 0.28, 0.594, 0.909},
    {cuda, Metric::l1, 65536, 16, 20, 300, 0.0361, 0.0526, 0.072},
    {cuda, Metric::l1, 65536, 16, 20, 1000, 0.0392, 0.0782, 0.0843},
    {cuda, Metric::l1, 65536, 16, 20, 4096, 0.041, 0.171, 0.128},
    {cuda, Metric::l1, 65536, 128, 20, 300, 0.0758, 0.141, 0.259},
    {cuda, Metric::l1, 65536, 128, 20, 1000, 0.0791, 0.225, 0.315},
    {cuda, Metric::l1, 65536, 128, 20, 4096, 0.0824, 0.449, 0.422},
    {cuda, Metric::l1, 65536, 16, 100, 1000, 0.0636, 0.0861, 0.0934},
    {cuda, Metric::l1, 65536, 16, 100, 4096, 0.0806, 0.198, 0.147},
    {cuda, Metric::l1, 65536, 128, 100, 1000, 0.143, 0.239, 0.326},
    {cuda, Metric::l1, 65536, 128, 100, 4096, 0.16, 0.484, 0.489},
    {cuda, Metric::l1, 65536, 16, 1000, 300, 0.389, 0.264, 0.433},
    {cuda, Metric::l1, 65536, 16, 1000, 1000, 0.416, 0.359, 0.509},
    {cuda, Metric::l1, 65536, 16, 1000, 4096, 0.663, 0.832, 0.777},
    {cuda, Metric::l1, 65536, 128, 1000, 300, 0.972, 0.858, 1.92},
    {cuda, Metric::l1, 65536, 128, 1000, 1000, 1, 1.3, 2.45},
    {cuda, Metric::l1, 65536, 128, 1000, 4096, 1.24, 3.37, 3.57},
    {cuda, Metric::l1, 262144, 64, 20, 300, 0.142, 0.156, 0.371},
    {cuda, Metric::l1, 262144, 64, 20, 1000, 0.144, 0.244, 0.546},
    {cuda, Metric::l1, 262144, 64, 20, 4096, 0.145, 0.433, 0.717},
    {cuda, Metric::l1, 262144, 128, 20, 300, 0.232, 0.298, 0.668},
    {cuda, Metric::l1, 262144, 128, 20, 1000, 0.234, 0.435, 0.986},
    {cuda, Metric::l1, 262144, 128, 20, 4096, 0.236, 0.749, 1.29},
    {cuda, Metric::l1, 262144, 64, 100, 1000, 0.305, 0.27, 0.569},
    {cuda, Metric::l1, 262144, 64, 100, 4096, 0.323, 0.467, 0.706},
    {cuda, Metric::l1, 262144, 128, 100, 1000, 0.479, 0.457, 0.992},
    {cuda, Metric::l1, 262144, 128, 100, 4096, 0.497, 0.803, 1.27},
    {cuda, Metric::l1, 262144, 64, 1000, 300, 2.55, 1.04, 2.88},
    {cuda, Metric::l1, 262144, 64, 1000, 1000, 2.59, 1.55, 4.07},
    {cuda, Metric::l1, 262144, 64, 1000, 4096, 2.79, 2.69, 5.25},
    {cuda, Metric::l1, 262144, 128, 1000, 300, 3.93, 1.85, 5.25},
    {cuda, Metric::l1, 262144, 128, 1000, 1000, 3.97, 2.88, 7.5},
    {cuda, Metric::l1, 262144, 128, 1000, 4096, 4.17, 5.45, 10.7},
    {cuda, Metric::linf, 16384, 64, 20, 300, 0.0322, 0.0727, 0.0794},
    {cuda, Metric::linf, 16384, 64, 20, 1000, 0.0352, 0.0949, 0.0943},
    {cuda, Metric::linf, 16384, 128, 20, 300, 0.0401, 0.109, 0.127},
    {cuda, Metric::linf, 16384, 128, 20, 1000, 0.0434, 0.148, 0.15},
    {cuda, Metric::linf, 16384, 64, 100, 1000, 0.0428, 0.0973, 0.107},
    {cuda, Metric::linf, 16384, 128, 100, 1000, 0.0558, 0.147, 0.175},
    {cuda, Metric::linf, 16384, 64, 1000, 300, 0.19, 0.279, 0.399},
    {cuda, Metric::linf, 16384, 64, 1000, 1000, 0.21, 0.383, 0.537},
    {cuda, Metric::linf, 16384, 128, 1000, 300, 0.285, 0.424, 0.701},
    {cuda, Metric::linf, 16384, 128, 1000, 1000, 0.296, 0.575, 0.958},
    {cuda, Metric::linf, 65536, 16, 20, 300, 0.0362, 0.0663, 0.0746},
    {cuda, Metric::linf, 65536, 16, 20, 1000, 0.0396, 0.0913, 0.0866},
    {cuda, Metric::linf, 65536, 16, 20, 4096, 0.0411, 0.208, 0.13},
    {cuda, Metric::linf, 65536, 128, 20, 300, 0.0805, 0.179, 0.278},
    {cuda, Metric::linf, 65536, 128, 20, 1000, 0.083, 0.235, 0.334},
    {cuda, Metric::linf, 65536, 128, 20, 4096, 0.0854, 0.424, 0.439},
    {cuda, Metric::linf, 65536, 16, 100, 1000, 0.065, 0.0988, 0.0969},
    {cuda, Metric::linf, 65536, 16, 100, 4096, 0.0809, 0.23, 0.149},
    {cuda, Metric::linf, 65536, 128, 100, 1000, 0.153, 0.252, 0.342},
    {cuda, Metric::linf, 65536, 128, 100, 4096, 0.169, 0.463, 0.511},
    {cuda, Metric::linf, 65536, 16, 1000, 300, 0.376, 0.345, 0.449},
    {cuda, Metric::linf, 65536, 16, 1000, 1000, 0.403, 0.476, 0.525},
    {cuda, Metric::linf, 65536, 16, 1000, 4096, 0.654, 1.16, 0.795},
    {cuda, Metric::linf, 65536, 128, 1000, 300, 1.04, 1.17, 2.05},
    {cuda, Metric::linf, 65536, 128, 1000, 1000, 1.06, 1.46, 2.57},
    {cuda, Metric::linf, 65536, 128, 1000, 4096, 1.31, 2.64, 3.7},
    {cuda, Metric::linf, 262144, 64, 20, 300, 0.146, 0.248, 0.394},
    {cuda, Metric::linf, 262144, 64, 20, 1000, 0.147, 0.35, 0.583},
    {cuda, Metric::linf, 262144, 64, 20, 4096, 0.149, 0.541, 0.752},
    {cuda, Metric::linf, 262144, 128, 20, 300, 0.24, 0.443, 0.714},
    {cuda, Metric::linf, 262144, 128, 20, 1000, 0.242, 0.626, 1.06},
    {cuda, Metric::linf, 262144, 128, 20, 4096, 0.244, 0.879, 1.36},
    {cuda, Metric::linf, 262144, 64, 100, 1000, 0.321, 0.376, 0.603},
    {cuda, Metric::linf, 262144, 64, 100, 4096, 0.341, 0.58, 0.739},
    {cuda, Metric::linf, 262144, 128, 100, 1000, 0.511, 0.644, 1.06},
    {cuda, Metric::linf, 262144, 128, 100, 4096, 0.529, 0.916, 1.33},
    {cuda, Metric::linf, 262144, 64, 1000, 300, 2.68, 1.73, 3.06},
    {cuda, Metric::linf, 262144, 64, 1000, 1000, 2.72, 2.48, 4.32},
    {cuda, Metric::linf, 262144, 64, 1000, 4096, 2.92, 4.67, 5.52},
    {cuda, Metric::linf, 262144, 128, 1000, 300, 4.19, 3.12, 5.64},
    {cuda, Metric::linf, 262144, 128, 1000, 1000, 4.23, 4.44, 8},
    {cuda, Metric::linf, 262144, 128, 1000, 4096, 4.42, 7.47, 11.4},
    {vulkan, Metric::l1, 16384, 64, 20, 300, 0.035, 0.09, 0.0913},
    {vulkan, Metric::l1, 16384, 64, 20, 1000, 0.0382, 0.119, 0.107},
    {vulkan, Metric::l1, 16384, 128, 20, 300, 0.0442, 0.144, 0.142},
    {vulkan, Metric::l1, 16384, 128, 20, 1000, 0.0465, 0.193, 0.165},
    {vulkan, Metric::l1, 16384, 64, 100, 1000, 0.0473, 0.128, 0.122},
    {vulkan, Metric::l1, 16384, 128, 100, 1000, 0.0628, 0.206, 0.195},
    {vulkan, Metric::l1, 16384, 64, 1000, 300, 0.198, 0.338, 0.453},
    {vulkan, Metric::l1, 16384, 64, 1000, 1000, 0.236, 0.504, 0.62},
    {vulkan, Metric::l1, 16384, 128, 1000, 300, 0.299, 0.622, 0.799},
    {vulkan, Metric::l1, 16384, 128, 1000, 1000, 0.336, 0.95, 1.08},
    {vulkan, Metric::l1, 65536, 16, 20, 300, 0.0442, 0.0667, 0.0814},
    {vulkan, Metric::l1, 65536, 16, 20, 1000, 0.058, 0.0834, 0.0936},
    {vulkan, Metric::l1, 65536, 16, 20, 4096, 0.0554, 0.148, 0.14},
    {vulkan, Metric::l1, 65536, 128, 20, 300, 0.0983, 0.235, 0.315},
    {vulkan, Metric::l1, 65536, 128, 20, 1000, 0.116, 0.327, 0.359},
    {vulkan, Metric::l1, 65536, 128, 20, 4096, 0.111, 0.576, 0.467},
    {vulkan, Metric::l1, 65536, 16, 100, 1000, 0.0763, 0.0903, 0.101},
    {vulkan, Metric::l1, 65536, 16, 100, 4096, 0.0888, 0.178, 0.161},
    {vulkan, Metric::l1, 65536, 128, 100, 1000, 0.167, 0.352, 0.418},
    {vulkan, Metric::l1, 65536, 128, 100, 4096, 0.177, 0.635, 0.577},
    {vulkan, Metric::l1, 65536, 16, 1000, 300, 0.419, 0.35, 0.494},
    {vulkan, Metric::l1, 65536, 16, 1000, 1000, 0.503, 0.444, 0.597},
    {vulkan, Metric::l1, 65536, 16, 1000, 4096, 0.685, 0.852, 0.949},
    {vulkan, Metric::l1, 65536, 128, 1000, 300, 1.11, 1.67, 2.65},
    {vulkan, Metric::l1, 65536, 128, 1000, 1000, 1.2, 2.33, 3.09},
    {vulkan, Metric::l1, 65536, 128, 1000, 4096, 1.38, 4.85, 4.35},
    {vulkan, Metric::l1, 262144, 64, 20, 300, 0.171, 0.281, 0.451},
    {vulkan, Metric::l1, 262144, 64, 20, 1000, 0.193, 0.401, 0.644},
    {vulkan, Metric::l1, 262144, 64, 20, 4096, 0.196, 0.565, 0.738},
    {vulkan, Metric::l1, 262144, 128, 20, 300, 0.291, 0.535, 0.811},
    {vulkan, Metric::l1, 262144, 128, 20, 1000, 0.311, 0.76, 1.18},
    {vulkan, Metric::l1, 262144, 128, 20, 4096, 0.314, 1.1, 1.36},
    {vulkan, Metric::l1, 262144, 64, 100, 1000, 0.36, 0.425, 0.77},
    {vulkan, Metric::l1, 262144, 64, 100, 4096, 0.385, 0.623, 0.887},
    {vulkan, Metric::l1, 262144, 128, 100, 1000, 0.558, 0.803, 1.43},
    {vulkan, Metric::l1, 262144, 128, 100, 4096, 0.585, 1.21, 1.65},
    {vulkan, Metric::l1, 262144, 64, 1000, 300, 2.84, 2.07, 3.71},
    {vulkan, Metric::l1, 262144, 64, 1000, 1000, 2.99, 2.93, 5.6},
    {vulkan, Metric::l1, 262144, 64, 1000, 4096, 3.29, 4.57, 6.79},
    {vulkan, Metric::l1, 262144, 128, 1000, 300, 4.42, 4.11, 7},
    {vulkan, Metric::l1, 262144, 128, 1000, 1000, 4.58, 5.9, 10.7},
    {vulkan, Metric::l1, 262144, 128, 1000, 4096, 4.89, 9.48, 13.8},
    {vulkan, Metric::linf, 16384, 64, 20, 300, 0.0361, 0.096, 0},
    {vulkan, Metric::linf, 16384, 64, 20, 1000, 0.0388, 0.107, 0},
    {vulkan, Metric::linf, 16384, 128, 20, 300, 0.0449, 0.129, 0},
    {vulkan, Metric::linf, 16384, 128, 20, 1000, 0.0474, 0.171, 0},
    {vulkan, Metric::linf, 16384, 64, 100, 1000, 0.0474, 0.115, 0},
    {vulkan, Metric::linf, 16384, 128, 100, 1000, 0.0629, 0.179, 0},
    {vulkan, Metric::linf, 16384, 64, 1000, 300, 0.212, 0.306, 0},
    {vulkan, Metric::linf, 16384, 64, 1000, 1000, 0.25, 0.428, 0},
    {vulkan, Metric::linf, 16384, 128, 1000, 300, 0.322, 0.494, 0},
    {vulkan, Metric::linf, 16384, 128, 1000, 1000, 0.36, 0.711, 0},
    {vulkan, Metric::linf, 65536, 16, 20, 300, 0.0444, 0.0676, 0.0838},
    {vulkan, Metric::linf, 65536, 16, 20, 1000, 0.061, 0.083, 0.0956},
    {vulkan, Metric::linf, 65536, 16, 20, 4096, 0.0552, 0.153, 0.142},
    {vulkan, Metric::linf, 65536, 128, 20, 300, 0.0963, 0.195, 0},
    {vulkan, Metric::linf, 65536, 128, 20, 1000, 0.114, 0.252, 0},
    {vulkan, Metric::linf, 65536, 128, 20, 4096, 0.11, 0.42, 0},
    {vulkan, Metric::linf, 65536, 16, 100, 1000, 0.078, 0.0876, 0.102},
    {vulkan, Metric::linf, 65536, 16, 100, 4096, 0.0906, 0.18, 0.16},
    {vulkan, Metric::linf, 65536, 128, 100, 1000, 0.182, 0.267, 0},
    {vulkan, Metric::linf, 65536, 128, 100, 4096, 0.193, 0.476, 0},
    {vulkan, Metric::linf, 65536, 16, 1000, 300, 0.438, 0.338, 0.51},
    {vulkan, Metric::linf, 65536, 16, 1000, 1000, 0.522, 0.475, 0.607},
    {vulkan, Metric::linf, 65536, 16, 1000, 4096, 0.702, 1.06, 0.944},
    {vulkan, Metric::linf, 65536, 128, 1000, 300, 1.22, 1.35, 0},
    {vulkan, Metric::linf, 65536, 128, 1000, 1000, 1.31, 1.76, 0},
    {vulkan, Metric::linf, 65536, 128, 1000, 4096, 1.49, 3.21, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 300, 0.164, 0.264, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 1000, 0.188, 0.363, 0},
    {vulkan, Metric::linf, 262144, 64, 20, 4096, 0.191, 0.498, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 300, 0.281, 0.466, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 1000, 0.304, 0.656, 0},
    {vulkan, Metric::linf, 262144, 128, 20, 4096, 0.307, 0.879, 0},
    {vulkan, Metric::linf, 262144, 64, 100, 1000, 0.392, 0.381, 0},
    {vulkan, Metric::linf, 262144, 64, 100, 4096, 0.418, 0.552, 0},
    {vulkan, Metric::linf, 262144, 128, 100, 1000, 0.612, 0.686, 0},
    {vulkan, Metric::linf, 262144, 128, 100, 4096, 0.64, 0.946, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 300, 3.11, 1.9, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 1000, 3.24, 2.7, 0},
    {vulkan, Metric::linf, 262144, 64, 1000, 4096, 3.56, 4.46, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 300, 4.86, 3.61, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 1000, 5, 5.09, 0},
    {vulkan, Metric::linf, 262144, 128, 1000, 4096, 5.33, 7.7, 0},
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
    const double expected = expected_magnitudes_milliseconds(description, m.backend);
    const double chosen = expected < expected_scan_milliseconds(description, m.backend) ? fused : m.scan;
    INFO(text(description, m.backend));
    CHECK(chosen <= 1.25 * std::min({m.scan, fused, other != 0 ? other : fused}) + slack_milliseconds);
  }
}

}  // namespace proxel::index
