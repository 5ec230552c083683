"""FAISS's flat indexes over an exact index on any device: change `import faiss` to this.

>>> import numpy as np
>>> import proxel.faiss as faiss
>>> index = faiss.IndexFlatL2(2, device="cpu")
>>> index.add(np.array([[0, 0], [3, 4]], "float32"))
>>> index.search(np.array([[0, 0]], "float32"), 1)
(array([[0.]], dtype=float32), array([[0]]))

What differs:

- Equal distances are ordered by the lower number; FAISS leaves their order open.
- Distances are exact, evaluated dimension by dimension in float32, whatever the number of queries. FAISS computes those of 20
  and more queries as |q|² + |x|² - 2 q·x, which loses what is close (faiss issues 297, 563, 3245), so that they may differ in
  the last digits; equal vectors have the distance 0 here.
- Vectors of NaN are found last, and queries of NaN find any; FAISS finds -1.
- range_search has what it found of each query ordered by distance.
- There is no limit of k, and every device gives the same bits.
- Metrics are METRIC_L2, METRIC_INNER_PRODUCT, METRIC_L1 and METRIC_Linf. Training, compression, IVF and graph indexes, GPU
  resources and FAISS's files are not here; `proxel.Index.save` has a file of its own.
- Vectors are kept in host memory as well, for `reconstruct`.
"""
from ._flat import (
    IndexFlat,
    IndexFlatIP,
    IndexFlatL2,
    METRIC_INNER_PRODUCT,
    METRIC_L1,
    METRIC_L2,
    METRIC_Linf,
    knn,
    range_search,
)
from ._selectors import (
    IDSelector,
    IDSelectorAll,
    IDSelectorArray,
    IDSelectorBatch,
    IDSelectorBitmap,
    IDSelectorNot,
    IDSelectorRange,
    SearchParameters,
)

__all__ = [
    "IDSelector",
    "IDSelectorAll",
    "IDSelectorArray",
    "IDSelectorBatch",
    "IDSelectorBitmap",
    "IDSelectorNot",
    "IDSelectorRange",
    "IndexFlat",
    "IndexFlatIP",
    "IndexFlatL2",
    "METRIC_INNER_PRODUCT",
    "METRIC_L1",
    "METRIC_L2",
    "METRIC_Linf",
    "SearchParameters",
    "knn",
    "range_search",
]
