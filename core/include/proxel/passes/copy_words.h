// copy_words: words as they are, from one place to another, either of which may be memory of the host's that kernels reach. It is for what is
// little, as fill_words says; more of it is the driver's to copy.
// Grid: x strides over the words.
#ifndef PROXEL_PASSES_COPY_WORDS_H
#define PROXEL_PASSES_COPY_WORDS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct CopyWordsParameters {
  PROXEL_ADDRESS from;  // 32-bit [words]
  PROXEL_ADDRESS to;    // out: the same; the two do not overlap
  PROXEL_UINT words;
};
#ifdef __cplusplus
extern const PassKindOf<CopyWordsParameters> copy_words;
Pass make_copy_words(const CopyWordsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
