// fill_words: the same word, over and over. On a GPU a fill is a pass like those around it: behind a small fill of the driver's own, later
// passes find their code and data cold (docs/lab/few-queries.md).
// Grid: x strides over the words.
#ifndef PROXEL_PASSES_FILL_WORDS_H
#define PROXEL_PASSES_FILL_WORDS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct FillWordsParameters {
  PROXEL_ADDRESS to;  // out: 32-bit [words]
  PROXEL_UINT words;
  PROXEL_UINT word;
};
#ifdef __cplusplus
extern const PassKindOf<FillWordsParameters> fill_words;
Pass make_fill_words(const FillWordsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
