// counting_select: the columns of the k smallest whole numbers of each row, ascending; of
// equal numbers the lowest columns. A workgroup counts how often each number occurs, or,
// where there are more numbers than counters, each range of them and then again within the
// range that holds the k-th; then it reads the row once more for the columns.
// Constants: number_bytes, 2 or 4; counters.
// Grid: (x, y) is row y * grid.x + x.
#ifndef PROXEL_PASSES_COUNTING_SELECT_H
#define PROXEL_PASSES_COUNTING_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct CountingSelectParameters {
  PROXEL_ADDRESS numbers;  // [rows x columns], row_stride apart, rows 16-byte aligned
  PROXEL_ADDRESS columns_found;  // out: 32-bit [rows x k], found_stride apart
  PROXEL_UINT rows;
  PROXEL_UINT columns;
  PROXEL_UINT row_stride;    // numbers, a multiple of 16 bytes
  PROXEL_UINT found_stride;  // at least k
  PROXEL_UINT k;             // 1 … columns
  PROXEL_UINT largest;       // no number of a column is larger
};
#define PROXEL_COUNTING_SELECT_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, number_bytes, NUMBER_BYTES, 2u) \
  constant(1, PROXEL_UINT, counters, COUNTERS, 1024u)
PROXEL_CONSTANTS(CountingSelect, PROXEL_COUNTING_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<CountingSelectParameters, CountingSelectConstants> counting_select;
/// Shared memory of counting_select, bytes.
std::uint32_t counting_shared_bytes(std::uint32_t counters, std::uint32_t workgroup_size);
/// @param number_bytes    2 or 4
/// @param workgroup_size  a power of two, 32…1024 on CUDA
Pass make_counting_select(const CountingSelectParameters& parameters, std::uint32_t number_bytes,
                          std::uint32_t counters, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
