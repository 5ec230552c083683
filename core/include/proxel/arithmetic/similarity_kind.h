#ifndef PROXEL_ARITHMETIC_SIMILARITY_KIND_H
#define PROXEL_ARITHMETIC_SIMILARITY_KIND_H
#include "scalar.h"
PROXEL_ARITHMETIC_BEGIN
// The functions of similarity.h, as kernels are told.
PROXEL_NUMBER similarity_gaussian = 0;
PROXEL_NUMBER similarity_minus = 1;
PROXEL_NUMBER similarity_heuristic = 2;
PROXEL_ARITHMETIC_END
#endif
