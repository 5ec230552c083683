"""FAISS's flat indexes over proxel's index."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from .. import Device, Index
from ._selectors import IDSelector, IDSelectorBatch, SearchParameters

METRIC_INNER_PRODUCT, METRIC_L2, METRIC_L1, METRIC_Linf = 0, 1, 2, 3
_metrics = {METRIC_INNER_PRODUCT: "ip", METRIC_L2: "l2sq", METRIC_L1: "l1", METRIC_Linf: "linf"}
_largest = np.finfo(np.float32).max

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


def _vectors(x: Any, d: int) -> Floats:
    array = np.ascontiguousarray(x, np.float32)
    if array.ndim != 2 or array.shape[1] != d:
        raise AssertionError(f"vectors are {array.shape}; [n, {d}] is expected")
    return array


def _metric_of(metric: int) -> str:
    if metric not in _metrics:
        raise RuntimeError(
            f"metric {metric} is not served; METRIC_INNER_PRODUCT, METRIC_L2, METRIC_L1 and METRIC_Linf are"
        )
    return _metrics[metric]


def _given(target: Optional[npt.NDArray[Any]], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if target is None:
        return values
    if target.shape != values.shape:
        raise AssertionError(f"room of {target.shape} was given for results of {values.shape}")
    target[...] = values
    return target


class IndexFlat:
    """Vectors that are compared with every query.

    Args:
        d: dimensions
        metric: METRIC_L2 (squared), METRIC_INNER_PRODUCT, METRIC_L1 or METRIC_Linf
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `proxel.Device`

    Attributes:
        ntotal: vectors that are there
        is_trained: True
        metric_type: the metric

    >>> import numpy as np
    >>> index = IndexFlat(2, device="cpu")
    >>> index.add(np.array([[0, 0], [3, 4]], "float32"))
    >>> index.search(np.array([[0, 1]], "float32"), 2)
    (array([[ 1., 18.]], dtype=float32), array([[0, 1]]))
    """

    is_trained = True

    def __init__(self, d: int, metric: int = METRIC_L2, device: Union[str, Device] = "auto") -> None:
        self.d, self.metric_type, self.verbose = int(d), metric, False
        self._metric, self._device = _metric_of(metric), device
        if self.d < 1:
            raise RuntimeError(f"d is {d}; at least 1 is expected")
        self._index: Optional[Index] = None
        self._x: Floats = np.empty((0, self.d), np.float32)  # room for vectors, of which ntotal are there
        self.ntotal = 0

    def train(self, x: Any) -> None:
        """Does nothing."""
        _vectors(x, self.d)

    def add(self, x: Any) -> None:
        """Adds vectors, [n x d], behind those that are there."""
        rows = _vectors(x, self.d)
        if not len(rows):
            return
        if self._index is None:
            # A copy, as rows that do not fit the device are searched where they lie.
            self._x = rows.copy()
            self._index = Index(self._x, metric=self._metric, device=self._device)
        else:
            self._index.add(rows)
        total = self.ntotal + len(rows)
        if total > len(self._x):
            room = np.empty((max(total, len(self._x) * 3 // 2), self.d), np.float32)
            room[: self.ntotal] = self._x[: self.ntotal]
            self._x = room
        self._x[self.ntotal : total] = rows
        self.ntotal = total

    def add_with_ids(self, x: Any, ids: Any) -> None:
        """Is refused, as by FAISS's flat indexes: numbers are those in which vectors were added."""
        raise RuntimeError("add_with_ids not implemented for this type of index")

    def reset(self) -> None:
        """Removes all vectors."""
        if self._index is not None:
            self._index.close()
        self._index, self._x, self.ntotal = None, np.empty((0, self.d), np.float32), 0

    def remove_ids(self, x: Any) -> int:
        """Removes vectors; those behind them move up and get lower numbers.

        Args:
            x: numbers, or an IDSelector

        Returns:
            how many were removed
        """
        selector = x if isinstance(x, IDSelector) else IDSelectorBatch(x)
        gone = np.flatnonzero(selector.chosen(self.ntotal))
        kept = self._x[: self.ntotal][~selector.chosen(self.ntotal)]
        if len(gone) == self.ntotal:
            self.reset()
        elif len(gone) and self._index is not None:
            self._index.remove(gone)
            self._index.compact()
            self._x, self.ntotal = kept, len(kept)
        return len(gone)

    def _filter(self, params: Optional[SearchParameters]) -> Optional[npt.NDArray[np.bool_]]:
        return params.sel.chosen(self.ntotal) if params is not None and params.sel is not None else None

    def search(
        self,
        x: Any,
        k: int,
        *,
        params: Optional[SearchParameters] = None,
        D: Optional[Floats] = None,
        I: Optional[Numbers] = None,
    ) -> Tuple[Floats, Numbers]:
        """The k nearest vectors of each query.

        Args:
            x: [n x d], converted to float32
            k: at least 1
            params: which vectors may be found
            D, I: where results go; None: to new arrays

        Returns:
            distances, float32 [n x k], and numbers, int64 [n x k]; where there are no more vectors the largest float32 (the
            lowest for METRIC_INNER_PRODUCT) and -1
        """
        queries = _vectors(x, self.d)
        if k < 1:
            raise AssertionError(f"k is {k}; at least 1 is expected")
        if self._index is None:
            distances, numbers = np.empty((len(queries), k), np.float32), np.full((len(queries), k), -1)
        else:
            distances, numbers = self._index.search(queries, k, filter=self._filter(params))
        distances[numbers == -1] = -_largest if self.metric_type == METRIC_INNER_PRODUCT else _largest
        return _given(D, distances), _given(I, numbers)

    def range_search(
        self, x: Any, thresh: float, *, params: Optional[SearchParameters] = None
    ) -> Tuple[npt.NDArray[np.uint64], Floats, Numbers]:
        """The vectors within a radius of each query: distances are below it (above it, for METRIC_INNER_PRODUCT).

        Returns:
            limits, uint64 [n + 1], distances and numbers: query i has limits[i] … limits[i + 1] - 1, the nearest first
        """
        queries = _vectors(x, self.d)
        if self._index is None:
            return np.zeros(len(queries) + 1, np.uint64), np.empty(0, np.float32), np.empty(0, np.int64)
        # proxel finds what is at the radius, too: the next number is the last that is not.
        inner = self.metric_type == METRIC_INNER_PRODUCT
        within = np.nextafter(np.float32(thresh), np.float32(np.inf if inner else -np.inf))
        offsets, distances, numbers = self._index.range_search(queries, float(within), filter=self._filter(params))
        return offsets.astype(np.uint64), distances, numbers

    def assign(self, x: Any, k: int, labels: Optional[Numbers] = None) -> Numbers:
        """The numbers that `search` finds."""
        return self.search(x, k, I=labels)[1]

    def reconstruct(self, key: int, x: Optional[Floats] = None) -> Floats:
        """A vector by its number: float32 [d]."""
        if not 0 <= key < self.ntotal:
            raise RuntimeError(f"{key} is not the number of one of {self.ntotal} vectors")
        return _given(x, self._x[key].copy())

    def reconstruct_n(self, n0: int = 0, ni: int = -1, x: Optional[Floats] = None) -> Floats:
        """Vectors n0 … n0 + ni - 1, by default all from n0 on: float32 [ni x d]."""
        count = self.ntotal - n0 if ni == -1 else ni
        if n0 < 0 or count < 0 or n0 + count > self.ntotal:
            raise RuntimeError(f"{n0} … {n0 + count - 1} are not numbers of {self.ntotal} vectors")
        return _given(x, self._x[n0 : n0 + count].copy())

    def reconstruct_batch(self, key: Any, x: Optional[Floats] = None) -> Floats:
        """Vectors by their numbers: float32 [n x d]."""
        numbers = np.asarray(key, np.int64)
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= self.ntotal):
            raise RuntimeError(f"there are {self.ntotal} vectors, and other numbers were given")
        return _given(x, self._x[numbers])

    def search_and_reconstruct(
        self,
        x: Any,
        k: int,
        *,
        params: Optional[SearchParameters] = None,
        D: Optional[Floats] = None,
        I: Optional[Numbers] = None,
        R: Optional[Floats] = None,
    ) -> Tuple[Floats, Numbers, Floats]:
        """What `search` finds, and the vectors: float32 [n x k x d], of NaN where there are none."""
        distances, numbers = self.search(x, k, params=params, D=D, I=I)
        found = np.full((*numbers.shape, self.d), np.nan, np.float32)
        found[numbers >= 0] = self._x[numbers[numbers >= 0]]
        return distances, numbers, _given(R, found)


class IndexFlatL2(IndexFlat):
    """Squared Euclidean distances, as of `IndexFlat`."""

    def __init__(self, d: int, device: Union[str, Device] = "auto") -> None:
        super().__init__(d, METRIC_L2, device)


class IndexFlatIP(IndexFlat):
    """Inner products, the largest first, as of `IndexFlat`."""

    def __init__(self, d: int, device: Union[str, Device] = "auto") -> None:
        super().__init__(d, METRIC_INNER_PRODUCT, device)


def knn(
    xq: Any, xb: Any, k: int, metric: int = METRIC_L2, device: Union[str, Device] = "auto"
) -> Tuple[Floats, Numbers]:
    """The k nearest of the vectors xb, [n x d], for each of the queries xq, [q x d], without an index.

    Returns:
        distances and numbers, as of `IndexFlat.search`

    >>> import numpy as np
    >>> knn(np.array([[0.0]]), np.array([[2.0], [1.0]]), 1, device="cpu")
    (array([[1.]], dtype=float32), array([[1]]))
    """
    base = np.ascontiguousarray(xb, np.float32)
    if base.ndim != 2:
        raise AssertionError(f"vectors are {base.shape}; a matrix is expected")
    index = IndexFlat(base.shape[1], metric, device)
    index.add(base)
    return index.search(xq, k)


def range_search(
    xq: Any, xb: Any, thresh: float, metric: int = METRIC_L2, device: Union[str, Device] = "auto"
) -> Tuple[npt.NDArray[np.uint64], Floats, Numbers]:
    """The vectors of xb within a radius of each query of xq, as of `IndexFlat.range_search`."""
    base = np.ascontiguousarray(xb, np.float32)
    if base.ndim != 2:
        raise AssertionError(f"vectors are {base.shape}; a matrix is expected")
    index = IndexFlat(base.shape[1], metric, device)
    index.add(base)
    return index.range_search(xq, thresh)
