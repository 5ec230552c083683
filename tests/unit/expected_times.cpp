// What is expected of methods is held against what they took, so that `auto` takes none that is
// much slower than the best.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"
#include "measured_search.hpp"

namespace proxel::index {
namespace {

struct Measured {
  BackendKind backend;
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  double scan, fused,
      bvh;  // milliseconds by `proxel-bench cliffs`, on an H200 or H100; 0: is not for that
};

// Where many queries are scanned through Vulkan some are older than sums that stay in registers, which take a third to a seventh.
constexpr Measured measured[] = {
    {cuda, 1024, 3, 1024, 20, 0.0596, 0.0601, 0.0165},   {cuda, 4096, 6, 4096, 20, 0.183, 0.105, 0.0655},
    {cuda, 16384, 8, 16384, 20, 1.63, 0.399, 0.556},     {cuda, 65536, 3, 32, 1, 0.0157, 0.042, 0.0172},
    {cuda, 65536, 3, 100, 1024, 0.0564, 0.114, 0.382},   {cuda, 65536, 6, 100, 100, 0.0463, 0.0808, 0.202},
    {cuda, 65536, 8, 32, 100, 0.0285, 0.0685, 0.457},    {cuda, 65536, 6, 10000, 10, 2.64, 0.443, 0.241},
    {cuda, 1000000, 3, 10000, 1, 11.9, 3.78, 0.0609},    {cuda, 1000000, 6, 32, 1024, 0.203, 0.21, 1.25},
    {cuda, 1000000, 8, 100, 100, 0.563, 0.187, 0.852},   {cuda, 1000000, 8, 100, 1024, 0.557, 0.252, 3.02},
    {cuda, 1000000, 8, 10000, 10, 36.1, 4.21, 1.22},     {cuda, 1000000, 8, 10000, 1024, 55.4, 9.76, 15.2},

    {vulkan, 4096, 3, 4096, 20, 0.167, 0.118, 0.039},    {vulkan, 65536, 3, 100, 1024, 0.07, 0.107, 0.513},
    {vulkan, 65536, 6, 100, 100, 0.058, 0.0733, 0.332},  {vulkan, 65536, 6, 10000, 10, 13.2, 2.4, 1.25},
    {vulkan, 1000000, 3, 1000, 10, 3.85, 0.755, 0.0639}, {vulkan, 1000000, 8, 100, 100, 0.533, 0.224, 1.49},
    {vulkan, 1000000, 8, 10000, 10, 54.6, 7.34, 2.16},   {cuda, 262144, 3, 1000, 188, 1.37, 0.297, 0.176},
    {cuda, 262144, 3, 1000, 63, 1, 0.156, 0.0758},       {vulkan, 262144, 3, 1000, 188, 1.58, 0.463, 0.237},
    {cuda, 4000, 64, 100, 1000, 0.045, 0.0709, 0},       {cuda, 4096, 128, 100, 10, 0.046, 0.0652, 0},
    {cuda, 65536, 64, 64, 10, 0.0808, 0.0588, 0},        {vulkan, 65536, 64, 64, 10, 0.083, 0.0738, 0},
    {vulkan, 65536, 64, 100, 32, 0.132, 0.134, 0},       {vulkan, 65536, 128, 16, 10, 0.061, 0.058, 0},
    {vulkan, 65536, 9, 100, 100, 0.066, 0.0616, 0},      {cuda, 65536, 128, 65, 10, 0.171, 0.0464, 0},
    {cuda, 65536, 64, 257, 10, 0.253, 0.0893, 0},        {vulkan, 65536, 64, 1000, 10, 0.726, 0.117, 0},
    {cuda, 65536, 64, 100, 513, 0.113, 0.114, 0},        {cuda, 4096, 3, 4096, 20, 0.177, 0.101, 0.0292},
    {cuda, 1000000, 3, 1000, 10, 2.86, 0.477, 0.041},    {cuda, 65536, 8, 65536, 20, 24.1, 2.31, 3.05},
    {cuda, 65536, 7, 65536, 20, 24, 2.29, 1.97},         {cuda, 262144, 8, 16384, 100, 24.5, 2.02, 2.84},
    {cuda, 262144, 6, 1000, 188, 1.48, 0.314, 0.606},    {cuda, 65536, 5, 1000, 256, 0.351, 0.232, 0.304},
    {cuda, 16384, 6, 1000, 500, 0.114, 0.148, 0.496},    {vulkan, 1024, 3, 1024, 20, 0.0428, 0.0703, 0.0251},
    {vulkan, 4096, 6, 4096, 20, 0.167, 0.121, 0.111},    {vulkan, 16384, 8, 16384, 20, 2.15, 0.565, 1.39},
    {vulkan, 65536, 3, 32, 1, 0.0243, 0.0626, 0.0311},   {vulkan, 1000000, 3, 10000, 1, 26.2, 8.05, 0.109},
    {vulkan, 1000000, 6, 32, 1024, 0.244, 0.205, 1.87},  {vulkan, 1000000, 8, 100, 1024, 0.632, 0.285, 4.81},
    {vulkan, 1000000, 8, 10000, 1024, 63, 14.9, 40.5},   {vulkan, 262144, 3, 1000, 63, 1.13, 0.215, 0.103},
    {vulkan, 65536, 7, 65536, 20, 51.5, 3.6, 3.27},      {vulkan, 262144, 8, 16384, 100, 25.4, 2.83, 4.75},
    {vulkan, 262144, 6, 1000, 188, 1.58, 0.477, 0.943},  {vulkan, 65536, 5, 1000, 256, 0.401, 0.285, 0.444},
    {vulkan, 16384, 6, 1000, 500, 0.12, 0.172, 0.666},   {cuda, 262144, 8, 7, 100, 0.119, 0.0483, 0.458},
    {cuda, 262144, 8, 44, 100, 0.074, 0.0923, 0.668},    {cuda, 18732, 128, 100, 10, 0.106, 0.0658, 0},
    {cuda, 65536, 128, 16, 10, 0.0942, 0.0396, 0},       {cuda, 65536, 8, 100, 129, 0.0485, 0.0548, 0.498},
    {vulkan, 65536, 129, 100, 100, 0.194, 0.0826, 0},    {vulkan, 216726, 8, 100, 10, 0.143, 0.0874, 0.524},
    {vulkan, 65536, 64, 100, 8, 0.113, 0.0703, 0},       {vulkan, 65536, 64, 100, 64, 0.134, 0.0839, 0},
    {vulkan, 65536, 64, 100, 200, 0.122, 0.135, 0},      {vulkan, 100000, 128, 8, 10, 0.0632, 0.0827, 0},
    {vulkan, 100000, 128, 12, 10, 0.171, 0.0834, 0},     {vulkan, 100000, 128, 32, 10, 0.177, 0.085, 0},
    {vulkan, 300000, 128, 5, 10, 0.166, 0.117, 0},       {vulkan, 300000, 128, 8, 10, 0.409, 0.118, 0},
    {vulkan, 300000, 128, 17, 10, 0.418, 0.119, 0},      {vulkan, 1000000, 128, 5, 10, 0.567, 0.209, 0},
    {vulkan, 1000000, 128, 10, 10, 1.24, 0.18, 0},       {vulkan, 1000000, 128, 16, 10, 1.24, 0.211, 0},
    {vulkan, 3000000, 128, 5, 10, 2.92, 1.05, 0},        {vulkan, 3000000, 128, 12, 10, 3.59, 0.8, 0},
    {vulkan, 1000000, 32, 5, 10, 0.23, 0.241, 0},        {vulkan, 1000000, 32, 8, 10, 0.38, 0.13, 0},
    {vulkan, 1000000, 32, 10, 10, 0.386, 0.131, 0},      {vulkan, 1000000, 32, 16, 10, 0.391, 0.13, 0},
    {vulkan, 1000000, 64, 5, 10, 0.305, 0.158, 0},       {vulkan, 1000000, 64, 8, 10, 0.668, 0.158, 0},
    {vulkan, 1000000, 64, 10, 10, 0.674, 0.158, 0},      {vulkan, 1000000, 64, 16, 10, 0.679, 0.161, 0},
    {vulkan, 1000000, 256, 5, 10, 1.11, 0.324, 0},       {vulkan, 1000000, 256, 8, 10, 2.34, 0.325, 0},
    {vulkan, 1000000, 256, 10, 10, 2.34, 0.326, 0},      {vulkan, 1000000, 256, 16, 10, 2.35, 0.326, 0},
    {vulkan, 1000000, 512, 16, 10, 4.58, 0.991, 0},      {vulkan, 1000000, 128, 5, 1, 0.838, 0.346, 0},
    {vulkan, 1000000, 128, 8, 1, 1.21, 0.349, 0},        {vulkan, 1000000, 128, 16, 1, 1.22, 0.355, 0},
    {vulkan, 1000000, 128, 5, 32, 0.8, 0.531, 0},        {vulkan, 1000000, 128, 8, 32, 1.24, 0.438, 0},
    {vulkan, 1000000, 128, 16, 32, 1.26, 0.442, 0},      {vulkan, 1000000, 128, 5, 100, 0.697, 0.338, 0},
    {vulkan, 1000000, 128, 8, 100, 1.19, 0.343, 0},      {vulkan, 1000000, 128, 16, 100, 1.22, 0.337, 0},
    {cuda, 100000, 128, 8, 10, 0.0926, 0.0594, 0},       {cuda, 100000, 128, 12, 10, 0.134, 0.061, 0},
    {cuda, 100000, 128, 32, 10, 0.142, 0.0677, 0},       {cuda, 300000, 128, 5, 10, 0.2, 0.0653, 0},
    {cuda, 300000, 128, 8, 10, 0.324, 0.0891, 0},        {cuda, 300000, 128, 17, 10, 0.334, 0.0892, 0},
    {cuda, 1000000, 128, 5, 10, 0.628, 0.107, 0},        {cuda, 1000000, 128, 10, 10, 0.996, 0.107, 0},
    {cuda, 1000000, 128, 16, 10, 1, 0.151, 0},           {cuda, 3000000, 128, 5, 10, 1.84, 0.223, 0},
    {cuda, 3000000, 128, 12, 10, 2.88, 0.358, 0},        {cuda, 1000000, 32, 5, 10, 0.197, 0.0839, 0},
    {cuda, 1000000, 32, 8, 10, 0.303, 0.135, 0},         {cuda, 1000000, 32, 10, 10, 0.311, 0.136, 0},
    {cuda, 1000000, 32, 16, 10, 0.325, 0.139, 0},        {cuda, 1000000, 64, 5, 10, 0.336, 0.143, 0},
    {cuda, 1000000, 64, 8, 10, 0.529, 0.141, 0},         {cuda, 1000000, 64, 10, 10, 0.536, 0.142, 0},
    {cuda, 1000000, 64, 16, 10, 0.55, 0.145, 0},         {cuda, 1000000, 256, 5, 10, 1.21, 0.208, 0},
    {cuda, 1000000, 256, 8, 10, 1.89, 0.283, 0},         {cuda, 1000000, 256, 10, 10, 1.89, 0.283, 0},
    {cuda, 1000000, 256, 16, 10, 1.91, 0.289, 0},        {cuda, 1000000, 512, 16, 10, 3.72, 0.394, 0},
    {cuda, 65536, 3, 100, 100, 0.0428, 0.0469, 0.0757},  {cuda, 7813, 128, 100, 10, 0.0762, 0.0475, 0},
    {cuda, 65536, 128, 3, 10, 0.0351, 0.0509, 0},        {cuda, 262144, 8, 4, 100, 0.0765, 0.0467, 0},
    {cuda, 262144, 3, 1000, 349, 1.39, 0.237, 0.316},    {vulkan, 262144, 8, 7, 100, 0.0947, 0.0542, 0},
    {vulkan, 262144, 3, 1000, 511, 1.65, 0.319, 0.451},  {vulkan, 65536, 128, 17, 10, 0.113, 0.058, 0},
    {vulkan, 65536, 8, 100, 10, 0.0607, 0.0559, 0.366},
};

// Few queries, which 8-bit codes serve as well; on an H100, beside the scan and halves, which do not serve l1.
struct MeasuredFew {
  BackendKind backend;
  Metric metric;
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  double scan, codes, halves;
};
constexpr MeasuredFew measured_few[] = {
    {cuda, Metric::l1, 262144, 64, 1, 1, 0.026, 0.0328, 0},
    {cuda, Metric::l1, 262144, 128, 1, 1, 0.0492, 0.0418, 0},
    {cuda, Metric::l1, 262144, 256, 1, 1, 0.0926, 0.0757, 0},
    {cuda, Metric::l1, 1000000, 16, 1, 1, 0.0256, 0.0331, 0},
    {cuda, Metric::l1, 1000000, 64, 1, 1, 0.09, 0.0605, 0},
    {cuda, Metric::l1, 1000000, 128, 1, 1, 0.173, 0.0822, 0},
    {cuda, Metric::l1, 1000000, 256, 1, 1, 0.335, 0.13, 0},
    {cuda, Metric::l1, 4000000, 16, 1, 1, 0.0873, 0.0512, 0},
    {cuda, Metric::l1, 4000000, 64, 1, 1, 0.349, 0.114, 0},
    {cuda, Metric::l2sq, 262144, 64, 1, 1, 0.0263, 0.0335, 0.0559},
    {cuda, Metric::l2sq, 262144, 64, 1, 128, 0.0573, 0.0632, 0.0727},
    {cuda, Metric::l2sq, 262144, 128, 1, 64, 0.0711, 0.0751, 0.077},
    {cuda, Metric::l2sq, 262144, 256, 1, 10, 0.11, 0.085, 0.106},
    {cuda, Metric::l2sq, 1000000, 16, 1, 1, 0.0253, 0.0404, 0.0975},
    {cuda, Metric::l2sq, 1000000, 16, 1, 128, 0.0826, 0.0632, 0.114},
    {cuda, Metric::l2sq, 1000000, 64, 1, 64, 0.121, 0.073, 0.114},
    {cuda, Metric::l2sq, 1000000, 128, 1, 10, 0.191, 0.0872, 0.135},
    {cuda, Metric::l2sq, 1000000, 256, 1, 1, 0.335, 0.134, 0.239},
    {cuda, Metric::l2sq, 1000000, 256, 1, 128, 0.38, 0.833, 0.271},
    {cuda, Metric::l2sq, 4000000, 16, 1, 64, 0.122, 0.0772, 0.232},
    {cuda, Metric::l2sq, 4000000, 64, 1, 10, 0.359, 0.135, 0.23},
    {cuda, Metric::l2sq, 4000000, 128, 1, 1, 0.668, 0.213, 0.381},
    {cuda, Metric::l2sq, 4000000, 128, 1, 128, 0.704, 1.5, 0.413},
    {cuda, Metric::l2sq, 65536, 64, 2, 10, 0.0264, 0.0481, 0.0466},
    {cuda, Metric::l2sq, 65536, 128, 2, 100, 0.0396, 0.0898, 0.0545},
    {cuda, Metric::l2sq, 300000, 16, 2, 10, 0.0487, 0.049, 0.0595},
    {cuda, Metric::l2sq, 300000, 64, 2, 100, 0.0942, 0.0723, 0.074},
    {cuda, Metric::l2sq, 300000, 256, 2, 10, 0.18, 0.102, 0.114},
    {cuda, Metric::l2sq, 1000000, 16, 2, 100, 0.11, 0.0637, 0.106},
    {cuda, Metric::l2sq, 1000000, 128, 2, 10, 0.369, 0.104, 0.137},
    {cuda, Metric::l2sq, 1000000, 256, 2, 100, 0.698, 1.01, 0.261},
    {cuda, Metric::l2sq, 3000000, 64, 2, 10, 0.555, 0.13, 0.188},
    {cuda, Metric::l2sq, 3000000, 128, 2, 100, 1.03, 0.318, 0.32},
    {cuda, Metric::l2sq, 65536, 64, 4, 10, 0.0314, 0.0476, 0.0468},
    {cuda, Metric::l2sq, 65536, 128, 4, 100, 0.0428, 0.0981, 0.0547},
    {cuda, Metric::l2sq, 300000, 16, 4, 10, 0.0668, 0.0487, 0.0594},
    {cuda, Metric::l2sq, 300000, 64, 4, 100, 0.146, 0.0744, 0.0657},
    {cuda, Metric::l2sq, 300000, 256, 4, 10, 0.378, 0.114, 0.112},
    {cuda, Metric::l2sq, 1000000, 16, 4, 100, 0.181, 0.0651, 0.112},
    {cuda, Metric::l2sq, 1000000, 128, 4, 10, 0.685, 0.111, 0.137},
    {cuda, Metric::l2sq, 1000000, 256, 4, 100, 1.36, 1.04, 0.263},
    {cuda, Metric::l2sq, 3000000, 64, 4, 10, 1.02, 0.14, 0.191},
    {cuda, Metric::l2sq, 3000000, 128, 4, 100, 2.02, 0.325, 0.322},
    {vulkan, Metric::l1, 262144, 64, 1, 128, 0.0663, 0.0874, 0},
    {vulkan, Metric::l1, 262144, 128, 1, 128, 0.0885, 0.168, 0},
    {vulkan, Metric::l1, 262144, 256, 1, 128, 0.131, 0.236, 0},
    {vulkan, Metric::l1, 1000000, 16, 1, 128, 0.0906, 0.0603, 0},
    {vulkan, Metric::l1, 1000000, 64, 1, 128, 0.149, 0.241, 0},
    {vulkan, Metric::l1, 1000000, 128, 1, 128, 0.231, 0.339, 0},
    {vulkan, Metric::l1, 1000000, 256, 1, 128, 0.39, 0.61, 0},
    {vulkan, Metric::l1, 4000000, 16, 1, 128, 0.148, 0.109, 0},
    {vulkan, Metric::l1, 4000000, 64, 1, 128, 0.389, 0.595, 0},
    {vulkan, Metric::l2sq, 262144, 64, 1, 64, 0.0579, 0.0631, 0.0872},
    {vulkan, Metric::l2sq, 262144, 128, 1, 10, 0.0709, 0.0665, 0.132},
    {vulkan, Metric::l2sq, 262144, 256, 1, 1, 0.098, 0.0932, 0.148},
    {vulkan, Metric::l2sq, 262144, 256, 1, 128, 0.131, 0.23, 0.258},
    {vulkan, Metric::l2sq, 1000000, 16, 1, 64, 0.0806, 0.059, 0.154},
    {vulkan, Metric::l2sq, 1000000, 64, 1, 10, 0.117, 0.098, 0.227},
    {vulkan, Metric::l2sq, 1000000, 128, 1, 1, 0.179, 0.11, 0.193},
    {vulkan, Metric::l2sq, 1000000, 128, 1, 128, 0.231, 0.185, 0.213},
    {vulkan, Metric::l2sq, 1000000, 256, 1, 64, 0.378, 0.308, 0.313},
    {vulkan, Metric::l2sq, 4000000, 16, 1, 10, 0.122, 0.09, 0.297},
    {vulkan, Metric::l2sq, 4000000, 64, 1, 1, 0.342, 0.149, 0.298},
    {vulkan, Metric::l2sq, 4000000, 64, 1, 128, 0.39, 0.214, 0.319},
    {vulkan, Metric::l2sq, 65536, 64, 2, 10, 0.0241, 0.0553, 0.0573},
    {vulkan, Metric::l2sq, 65536, 128, 2, 100, 0.0344, 0.116, 0.069},
    {vulkan, Metric::l2sq, 300000, 16, 2, 10, 0.04, 0.0538, 0.0869},
    {vulkan, Metric::l2sq, 300000, 64, 2, 100, 0.0805, 0.0968, 0.0963},
    {vulkan, Metric::l2sq, 300000, 256, 2, 10, 0.151, 0.217, 0.148},
    {vulkan, Metric::l2sq, 1000000, 16, 2, 100, 0.114, 0.0823, 0.146},
    {vulkan, Metric::l2sq, 1000000, 128, 2, 10, 0.286, 0.255, 0.188},
    {vulkan, Metric::l2sq, 1000000, 256, 2, 100, 0.587, 0.972, 0.351},
    {vulkan, Metric::l2sq, 3000000, 64, 2, 10, 0.434, 0.348, 0.248},
    {vulkan, Metric::l2sq, 65536, 16, 4, 100, 0.0287, 0.0554, 0.0624},
    {vulkan, Metric::l2sq, 65536, 128, 4, 10, 0.0371, 0.0784, 0.063},
    {vulkan, Metric::l2sq, 65536, 256, 4, 100, 0.0653, 0.258, 0.0971},
    {vulkan, Metric::l2sq, 300000, 64, 4, 10, 0.105, 0.0782, 0.0869},
    {vulkan, Metric::l2sq, 300000, 128, 4, 100, 0.192, 0.201, 0.114},
    {vulkan, Metric::l2sq, 1000000, 16, 4, 10, 0.12, 0.0742, 0.136},
    {vulkan, Metric::l2sq, 1000000, 64, 4, 100, 0.366, 0.203, 0.143},
    {vulkan, Metric::l2sq, 1000000, 256, 4, 10, 1.22, 0.481, 0.34},
    {vulkan, Metric::l2sq, 3000000, 16, 4, 100, 0.298, 0.158, 0.252},
};

}  // namespace

TEST_CASE("the method that is expected to be the fastest takes at most 1.6 times what the fastest takes") {
  for (Measured m : measured) {
    m.fused -= spared(m.backend);
    const SearchDescription description = described(m);
    const double scan = expected_scan_milliseconds(description, m.backend);
    const double fused = expected_fused_milliseconds(description, m.backend, true);
    const bool boxes = m.bvh != 0 && expected_bvh_milliseconds(description, m.backend) < std::min(fused, scan);
    const double chosen = boxes ? m.bvh : fused < scan ? m.fused : m.scan;
    const double best = std::min({m.scan, m.fused, m.bvh != 0 ? m.bvh : m.scan});
    INFO(text(description, m.backend));
    CHECK(chosen <= 1.6 * best + slack_milliseconds);
  }
}

TEST_CASE(
    "codes, halves or the scan: the one that is expected to be the fastest takes at most 1.5 times what the fastest "
    "takes") {
  for (MeasuredFew m : measured_few) {
    m.codes -= spared(m.backend);
    if (m.halves != 0) m.halves -= spared(m.backend);
    SearchDescription description = described(m);
    description.metric = m.metric;
    const bool by_codes = m.halves == 0 || codes_before_halves(description, m.backend);
    const double rough = by_codes ? expected_codes_milliseconds(description, m.backend)
                                  : expected_fused_milliseconds(description, m.backend, true);
    const bool scans = expected_scan_milliseconds(description, m.backend) <= rough;
    const double chosen = scans ? m.scan : by_codes ? m.codes : m.halves;
    const double best = std::min({m.scan, m.codes, m.halves != 0 ? m.halves : m.scan});
    INFO(text(description, m.backend));
    CHECK(chosen <= 1.5 * best + slack_of_few_milliseconds);
  }
}

TEST_CASE("boxes are not taken for a hundred queries in eight dimensions, whatever the rows that a device searches") {
  for (const std::uint64_t rows : {65536, 262144, 400000, 1000000, 4000000})
    for (const std::uint64_t k : {10, 100, 1024}) {
      const SearchDescription description = described(Measured{.rows = rows, .dimensions = 8, .queries = 100, .k = k});
      for (const BackendKind backend : {cuda, vulkan}) {
        INFO(text(description, backend));
        CHECK(expected_bvh_milliseconds(description, backend) >
              std::min(expected_fused_milliseconds(description, backend, true),
                       expected_scan_milliseconds(description, backend)));
      }
    }
}

}  // namespace proxel::index
