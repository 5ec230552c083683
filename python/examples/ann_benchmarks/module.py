"""proxel for ann-benchmarks (github.com/erikbern/ann-benchmarks): this folder goes to ann_benchmarks/algorithms/proxel there."""
import numpy as np

import proxel

from ..base.module import BaseANN

METRICS = {"euclidean": "l2", "angular": "cosine"}


class Proxel(BaseANN):
    """An exact search: its recall is 1, and its time is what there is to compare.

    Args:
        metric: "euclidean" or "angular", of the data set
        device: "auto", "cpu", "vulkan:0", "cuda:0"
    """

    def __init__(self, metric, device="auto"):
        if metric not in METRICS:
            raise NotImplementedError(f"proxel searches by {' and '.join(METRICS)} here, not by {metric}")
        self._metric, self._device, self._index = METRICS[metric], device, None

    def fit(self, X):
        self._index = proxel.Index(np.ascontiguousarray(X, np.float32), metric=self._metric, device=self._device)

    def query(self, v, n):
        return self._index.search(np.asarray(v, np.float32)[None], n).indices[0]

    def batch_query(self, X, n):
        self._found = self._index.search(np.ascontiguousarray(X, np.float32), n).indices

    def get_batch_results(self):
        return self._found

    def done(self):
        self._index.close()

    def __str__(self):
        return f"Proxel(device={self._device})"
