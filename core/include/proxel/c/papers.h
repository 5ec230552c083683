/* What the methods of the papers can be told, beside what every index is (proxel::PaperOptions). */
#ifndef PROXEL_C_PAPERS_H
#define PROXEL_C_PAPERS_H

#include <stddef.h>
#include <stdint.h>

/* Each method looks at its own. */
typedef struct proxel_paper_options {
  size_t struct_size;
  uint32_t dimensions_per_pass; /* texel (Bustos 2006): 1…16; 0: the default, 8 */
  uint32_t reductions_per_pass; /* texel: 4:1 reductions per pass; 0: proxel chooses */
  uint64_t block_rows;          /* texel: rows per block of textures, up to 2^28; 0: the default, 2^20 */
  const char* row_selection;    /* komarov (2013): "auto" (the default), "quick-subgroup", "quick-workgroup" */
  uint64_t distances_only;      /* garcia-direct, and garcia-gemm where it is raw (2010): 1: every index of an answer is
                                   PROXEL_NO_NEIGHBOR, as the paper's program returns distances alone */
} proxel_paper_options;
#define PROXEL_PAPER_OPTIONS_INIT {sizeof(proxel_paper_options), 0, 0, 0, NULL, 0}

#endif
