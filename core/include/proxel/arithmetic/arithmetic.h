// Float-float numbers and similarities, of numbers one at a time.
#ifndef PROXEL_ARITHMETIC_ARITHMETIC_H
#define PROXEL_ARITHMETIC_ARITHMETIC_H
#include "exponential_table.h"
#include "scalar.h"
#include "similarity_kind.h"
PROXEL_ARITHMETIC_BEGIN
#include "float_float.h"
#include "similarity.h"
#include "signature_square.h"
PROXEL_ARITHMETIC_END
#endif
