// sqfd_block_double: sqfd_block with intermediates of binary64, as section 5.1 of Krulis et al.
// 2011 compares them. Takes SqfdBlockParameters; constants and grid are those of sqfd_block.
#ifndef PROXEL_PASSES_SQFD_BLOCK_DOUBLE_H
#define PROXEL_PASSES_SQFD_BLOCK_DOUBLE_H
#include "sqfd_block.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const PassKindOf<SqfdBlockParameters> sqfd_block_double;
#endif
PROXEL_PASS_END
#endif
