// What is expected of methods is held against what they took, so that `auto` takes none that is
// much slower than the best.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"

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

constexpr BackendKind cuda = BackendKind::cuda, vulkan = BackendKind::vulkan;
// What is measured here of `fused`, codes and halves is of a time when searches copied what they counted; they take so much less since, in the median
// of 567 and of 474 searches (docs/lab/few-queries.md).
double spared(BackendKind backend) { return backend == cuda ? 0.012 : 0.0075; }
// What a cliff may be beside a factor.
constexpr double slack_milliseconds = 0.02;

// Where many queries are scanned through Vulkan some are older than sums that stay in registers, which take a third to a seventh.
constexpr Measured measured[] = {
    {cuda, 1024, 3, 1024, 20, 0.0596, 0.0601, 0.0165},   {cuda, 4096, 6, 4096, 20, 0.183, 0.105, 0.0655},
    {cuda, 16384, 8, 16384, 20, 1.63, 0.399, 0.556},     {cuda, 65536, 3, 32, 1, 0.0157, 0.042, 0.0172},
    {cuda, 65536, 3, 100, 1024, 0.601, 0.114, 0.382},    {cuda, 65536, 6, 100, 100, 0.118, 0.0808, 0.202},
    {cuda, 65536, 8, 32, 100, 0.0745, 0.0685, 0.457},    {cuda, 65536, 6, 10000, 10, 2.64, 0.443, 0.241},
    {cuda, 1000000, 3, 10000, 1, 11.9, 3.78, 0.0609},    {cuda, 1000000, 6, 32, 1024, 0.902, 0.21, 1.25},
    {cuda, 1000000, 8, 100, 100, 0.561, 0.187, 0.852},   {cuda, 1000000, 8, 100, 1024, 1.69, 0.252, 3.02},
    {cuda, 1000000, 8, 10000, 10, 36.1, 4.21, 1.22},     {cuda, 1000000, 8, 10000, 1024, 152, 9.76, 15.2},

    {vulkan, 4096, 3, 4096, 20, 0.167, 0.118, 0.039},    {vulkan, 65536, 3, 100, 1024, 0.437, 0.107, 0.513},
    {vulkan, 65536, 6, 100, 100, 0.101, 0.0733, 0.332},  {vulkan, 65536, 6, 10000, 10, 13.2, 2.4, 1.25},
    {vulkan, 1000000, 3, 1000, 10, 3.85, 0.755, 0.0639}, {vulkan, 1000000, 8, 100, 100, 0.549, 0.224, 1.49},
    {vulkan, 1000000, 8, 10000, 10, 54.6, 7.34, 2.16},   {cuda, 262144, 3, 1000, 188, 1.29, 0.297, 0.176},
    {cuda, 262144, 3, 1000, 63, 1, 0.156, 0.0758},       {vulkan, 262144, 3, 1000, 188, 1.62, 0.463, 0.237},
    {cuda, 4000, 64, 100, 1000, 0.0794, 0.0709, 0},      {cuda, 4096, 128, 100, 10, 0.046, 0.0652, 0},
    {cuda, 65536, 64, 64, 10, 0.0808, 0.0588, 0},        {vulkan, 65536, 64, 64, 10, 0.083, 0.0738, 0},
    {vulkan, 65536, 64, 100, 32, 0.132, 0.134, 0},       {vulkan, 65536, 128, 16, 10, 0.061, 0.058, 0},
    {vulkan, 65536, 9, 100, 100, 0.103, 0.0616, 0},      {cuda, 65536, 128, 65, 10, 0.171, 0.0464, 0},
    {cuda, 65536, 64, 257, 10, 0.253, 0.0893, 0},        {vulkan, 65536, 64, 1000, 10, 0.726, 0.117, 0},
    {cuda, 65536, 64, 100, 513, 0.485, 0.114, 0},        {cuda, 4096, 3, 4096, 20, 0.177, 0.101, 0.0292},
    {cuda, 1000000, 3, 1000, 10, 2.86, 0.477, 0.041},    {cuda, 65536, 8, 65536, 20, 24.1, 2.31, 3.05},
    {cuda, 65536, 7, 65536, 20, 24, 2.29, 1.97},         {cuda, 262144, 8, 16384, 100, 22.7, 2.02, 2.84},
    {cuda, 262144, 6, 1000, 188, 1.38, 0.314, 0.606},    {cuda, 65536, 5, 1000, 256, 0.616, 0.232, 0.304},
    {cuda, 16384, 6, 1000, 500, 0.551, 0.148, 0.496},    {vulkan, 1024, 3, 1024, 20, 0.0428, 0.0703, 0.0251},
    {vulkan, 4096, 6, 4096, 20, 0.167, 0.121, 0.111},    {vulkan, 16384, 8, 16384, 20, 2.15, 0.565, 1.39},
    {vulkan, 65536, 3, 32, 1, 0.0243, 0.0626, 0.0311},   {vulkan, 65536, 8, 32, 100, 0.0824, 0.1, 0.985},
    {vulkan, 1000000, 3, 10000, 1, 26.2, 8.05, 0.109},   {vulkan, 1000000, 6, 32, 1024, 0.81, 0.205, 1.87},
    {vulkan, 1000000, 8, 100, 1024, 1.64, 0.285, 4.81},  {vulkan, 1000000, 8, 10000, 1024, 271, 14.9, 40.5},
    {vulkan, 262144, 3, 1000, 63, 1.13, 0.215, 0.103},   {vulkan, 65536, 7, 65536, 20, 51.5, 3.6, 3.27},
    {vulkan, 262144, 8, 16384, 100, 37.6, 2.83, 4.75},   {vulkan, 262144, 6, 1000, 188, 1.62, 0.477, 0.943},
    {vulkan, 65536, 5, 1000, 256, 0.649, 0.285, 0.444},  {vulkan, 16384, 6, 1000, 500, 0.487, 0.172, 0.666},
    {cuda, 262144, 8, 7, 100, 0.119, 0.0483, 0.458},     {cuda, 262144, 8, 44, 100, 0.142, 0.0923, 0.668},
    {cuda, 18732, 128, 100, 10, 0.106, 0.0658, 0},       {cuda, 65536, 128, 16, 10, 0.0942, 0.0396, 0},
    {cuda, 65536, 8, 100, 129, 0.158, 0.0548, 0.498},    {vulkan, 65536, 129, 100, 100, 0.23, 0.0826, 0},
    {vulkan, 216726, 8, 100, 10, 0.143, 0.0874, 0.524},  {vulkan, 65536, 64, 100, 8, 0.113, 0.0703, 0},
    {vulkan, 65536, 64, 100, 64, 0.134, 0.0839, 0},      {vulkan, 65536, 64, 100, 200, 0.19, 0.135, 0},
    {vulkan, 100000, 128, 8, 10, 0.0632, 0.0827, 0},     {vulkan, 100000, 128, 12, 10, 0.171, 0.0834, 0},
    {vulkan, 100000, 128, 32, 10, 0.177, 0.085, 0},      {vulkan, 300000, 128, 5, 10, 0.166, 0.117, 0},
    {vulkan, 300000, 128, 8, 10, 0.409, 0.118, 0},       {vulkan, 300000, 128, 17, 10, 0.418, 0.119, 0},
    {vulkan, 1000000, 128, 5, 10, 0.567, 0.209, 0},      {vulkan, 1000000, 128, 10, 10, 1.24, 0.18, 0},
    {vulkan, 1000000, 128, 16, 10, 1.24, 0.211, 0},      {vulkan, 3000000, 128, 5, 10, 2.92, 1.05, 0},
    {vulkan, 3000000, 128, 12, 10, 3.59, 0.8, 0},        {vulkan, 1000000, 32, 5, 10, 0.23, 0.241, 0},
    {vulkan, 1000000, 32, 8, 10, 0.38, 0.13, 0},         {vulkan, 1000000, 32, 10, 10, 0.386, 0.131, 0},
    {vulkan, 1000000, 32, 16, 10, 0.391, 0.13, 0},       {vulkan, 1000000, 64, 5, 10, 0.305, 0.158, 0},
    {vulkan, 1000000, 64, 8, 10, 0.668, 0.158, 0},       {vulkan, 1000000, 64, 10, 10, 0.674, 0.158, 0},
    {vulkan, 1000000, 64, 16, 10, 0.679, 0.161, 0},      {vulkan, 1000000, 256, 5, 10, 1.11, 0.324, 0},
    {vulkan, 1000000, 256, 8, 10, 2.34, 0.325, 0},       {vulkan, 1000000, 256, 10, 10, 2.34, 0.326, 0},
    {vulkan, 1000000, 256, 16, 10, 2.35, 0.326, 0},      {vulkan, 1000000, 512, 16, 10, 4.58, 0.991, 0},
    {vulkan, 1000000, 128, 5, 1, 0.838, 0.346, 0},       {vulkan, 1000000, 128, 8, 1, 1.21, 0.349, 0},
    {vulkan, 1000000, 128, 16, 1, 1.22, 0.355, 0},       {vulkan, 1000000, 128, 5, 32, 0.8, 0.531, 0},
    {vulkan, 1000000, 128, 8, 32, 1.24, 0.438, 0},       {vulkan, 1000000, 128, 16, 32, 1.26, 0.442, 0},
    {vulkan, 1000000, 128, 5, 100, 0.697, 0.338, 0},     {vulkan, 1000000, 128, 8, 100, 1.26, 0.343, 0},
    {vulkan, 1000000, 128, 16, 100, 1.28, 0.337, 0},     {cuda, 100000, 128, 8, 10, 0.0926, 0.0594, 0},
    {cuda, 100000, 128, 12, 10, 0.134, 0.061, 0},        {cuda, 100000, 128, 32, 10, 0.142, 0.0677, 0},
    {cuda, 300000, 128, 5, 10, 0.2, 0.0653, 0},          {cuda, 300000, 128, 8, 10, 0.324, 0.0891, 0},
    {cuda, 300000, 128, 17, 10, 0.334, 0.0892, 0},       {cuda, 1000000, 128, 5, 10, 0.628, 0.107, 0},
    {cuda, 1000000, 128, 10, 10, 0.996, 0.107, 0},       {cuda, 1000000, 128, 16, 10, 1, 0.151, 0},
    {cuda, 3000000, 128, 5, 10, 1.84, 0.223, 0},         {cuda, 3000000, 128, 12, 10, 2.88, 0.358, 0},
    {cuda, 1000000, 32, 5, 10, 0.197, 0.0839, 0},        {cuda, 1000000, 32, 8, 10, 0.303, 0.135, 0},
    {cuda, 1000000, 32, 10, 10, 0.311, 0.136, 0},        {cuda, 1000000, 32, 16, 10, 0.325, 0.139, 0},
    {cuda, 1000000, 64, 5, 10, 0.336, 0.143, 0},         {cuda, 1000000, 64, 8, 10, 0.529, 0.141, 0},
    {cuda, 1000000, 64, 10, 10, 0.536, 0.142, 0},        {cuda, 1000000, 64, 16, 10, 0.55, 0.145, 0},
    {cuda, 1000000, 256, 5, 10, 1.21, 0.208, 0},         {cuda, 1000000, 256, 8, 10, 1.89, 0.283, 0},
    {cuda, 1000000, 256, 10, 10, 1.89, 0.283, 0},        {cuda, 1000000, 256, 16, 10, 1.91, 0.289, 0},
    {cuda, 1000000, 512, 16, 10, 3.72, 0.394, 0},        {cuda, 65536, 3, 100, 100, 0.116, 0.0469, 0.0757},
    {cuda, 7813, 128, 100, 10, 0.0762, 0.0475, 0},       {cuda, 65536, 128, 3, 10, 0.0351, 0.0509, 0},
    {cuda, 262144, 8, 4, 100, 0.0765, 0.0467, 0},        {cuda, 262144, 3, 1000, 349, 1.71, 0.237, 0.316},
    {vulkan, 262144, 8, 7, 100, 0.0947, 0.0542, 0},      {vulkan, 262144, 3, 1000, 511, 2.64, 0.319, 0.451},
    {vulkan, 65536, 128, 17, 10, 0.113, 0.058, 0},       {vulkan, 65536, 8, 100, 10, 0.0607, 0.0559, 0.366},
};

constexpr double slack_of_few_milliseconds = 0.01;
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

template <typename Sizes>
SearchDescription described(const Sizes& m) {
  SearchDescription description;
  description.rows = m.rows;
  description.dimensions = m.dimensions;
  description.queries = m.queries;
  description.k = m.k;
  return description;
}

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
    CAPTURE(to_string(m.backend));
    CAPTURE(m.rows);
    CAPTURE(m.dimensions);
    CAPTURE(m.queries);
    CAPTURE(m.k);
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
    CAPTURE(to_string(m.backend));
    CAPTURE(to_string(m.metric));
    CAPTURE(m.rows);
    CAPTURE(m.dimensions);
    CAPTURE(m.queries);
    CAPTURE(m.k);
    CHECK(chosen <= 1.5 * best + slack_of_few_milliseconds);
  }
}

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

TEST_CASE("many queries by l1 are answered by codes where these are sooner than the scan, or nearly so") {
  for (MeasuredL1 m : measured_l1) {
    m.codes -= spared(m.backend);
    SearchDescription description =
        described(Measured{.rows = 65536, .dimensions = m.dimensions, .queries = 100, .k = 10});
    description.metric = Metric::l1;
    const bool codes =
        codes_before_distances(description, m.backend) &&
        expected_codes_milliseconds(description, m.backend) < expected_scan_milliseconds(description, m.backend);
    CAPTURE(to_string(m.backend));
    CAPTURE(m.dimensions);
    CHECK((codes ? m.codes : m.scan) <= 1.25 * std::min(m.codes, m.scan) + slack_of_few_milliseconds);
  }
}

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
    CAPTURE(to_string(m.backend));
    CAPTURE(to_string(m.metric));
    CAPTURE(m.rows);
    CAPTURE(m.dimensions);
    CAPTURE(m.queries);
    CAPTURE(m.k);
    CHECK(chosen <= 1.25 * std::min({m.scan, fused, other != 0 ? other : fused}) + slack_milliseconds);
  }
}

TEST_CASE("boxes are not taken for a hundred queries in eight dimensions, whatever the rows that a device searches") {
  for (const std::uint64_t rows : {65536, 262144, 400000, 1000000, 4000000})
    for (const std::uint64_t k : {10, 100, 1024}) {
      CAPTURE(rows);
      CAPTURE(k);
      const SearchDescription description = described(Measured{.rows = rows, .dimensions = 8, .queries = 100, .k = k});
      for (const BackendKind backend : {cuda, vulkan})
        CHECK(expected_bvh_milliseconds(description, backend) >
              std::min(expected_fused_milliseconds(description, backend, true),
                       expected_scan_milliseconds(description, backend)));
    }
}

}  // namespace proxel::index
