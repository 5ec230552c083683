"""What the estimators have in common: rows go to an index of proxel's, and neighbours come from it."""
from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Dict, List, Optional, Tuple, Union, cast

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse  # type: ignore
from sklearn.utils.validation import check_is_fitted  # type: ignore

from .. import Device, ForkedError, Index

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, X: Any, **how: Any) -> Any:
        """The data as the estimator takes it."""
        return estimator._validate_data(X, **how)


#: scikit-learn's names of metrics, and proxel's.
served_metrics = {
    "euclidean": "l2",
    "l2": "l2",
    "sqeuclidean": "l2sq",
    "manhattan": "l1",
    "cityblock": "l1",
    "l1": "l1",
    "chebyshev": "linf",
    "infinity": "linf",
    "cosine": "cosine",
    "correlation": "pearson",
}
#: What the parameter that the estimators have besides scikit-learn's may be.
own_constraints: Dict[str, List[Any]] = {"device": [str, Device]}

Found = Union[npt.NDArray[Any], Tuple[npt.NDArray[Any], npt.NDArray[Any]]]


def _refuse_sparse(X: Any) -> None:
    if issparse(X):
        raise TypeError("sparse data was given; proxel takes dense rows: X.toarray()")


def _split(values: npt.NDArray[Any], offsets: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """An array of arrays, one for each query."""
    parts = np.empty(len(offsets) - 1, object)
    for i in range(len(parts)):
        parts[i] = values[offsets[i] : offsets[i + 1]]
    return parts


class ProxelNeighbors:
    """Stands before one of scikit-learn's classes, and finds its neighbours."""

    device: Union[str, Device]

    def _check_algorithm_metric(self: Any) -> None:
        """Called by scikit-learn's _fit()."""
        if self._is_precomputed():
            return
        p = (self.metric_params or {}).get("p", self.p)
        if self.metric_params and "p" in self.metric_params and self.p is not None:
            warnings.warn("p is found in metric_params, and the parameter p is ignored", SyntaxWarning, stacklevel=3)
        if set(self.metric_params or {}) - {"p"}:
            raise ValueError(f"metric_params={self.metric_params!r} is not served: proxel's metrics have no weights")
        if self.metric == "minkowski" and p not in (1, 2, np.inf):
            raise ValueError(f"minkowski with p={p} is not served; p of 1, 2 and infinity are")
        if callable(self.metric) or self.metric not in ("minkowski", *served_metrics):
            raise ValueError(
                f"Metric {self.metric!r} is not served; {', '.join(sorted(served_metrics))}, minkowski and "
                "precomputed are"
            )

    def _is_precomputed(self: Any) -> bool:
        """Whether distances or a graph are given, in which scikit-learn looks for itself."""
        return not callable(self.metric) and bool(self.metric == "precomputed")

    def _fit(self: Any, X: Any, y: Any = None) -> Any:
        if self._is_precomputed():
            return super()._fit(X, y)  # type: ignore[misc]
        _refuse_sparse(X)
        # scikit-learn checks the data and makes a tree, unless it is to compare all with all.
        asked = self.algorithm
        try:
            self.algorithm = "brute"
            super()._fit(X, y)  # type: ignore[misc]
        finally:
            self.algorithm = asked
        self._fit_method = "proxel"
        self._fit_X = np.asarray(self._fit_X)
        self._index = self._new_index()
        return self

    def _new_index(self: Any) -> Index:
        return Index(
            self._fit_X,
            metric=served_metrics[self.effective_metric_],
            device=self.device,
            storage="float32",
            convert=True,
        )

    def _searched(self: Any) -> Index:
        """The index; a new one where this estimator was pickled, copied, or forked with its process."""
        check_is_fitted(self)
        try:
            found: Index = self._index
            found.pointer
        except (AttributeError, ForkedError):
            found = self._index = self._new_index()
        return found

    def _queries(self: Any, X: Any) -> npt.NDArray[Any]:
        _refuse_sparse(X)
        checked: npt.NDArray[Any] = validate_data(self, X, reset=False, order="C")
        return checked

    def _as_fitted(self: Any, distances: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
        """Distances of the type that the fitted rows have."""
        return distances.astype(np.float32 if self._fit_X.dtype == np.float32 else np.float64, copy=False)

    def kneighbors(self: Any, X: Any = None, n_neighbors: Optional[int] = None, return_distance: bool = True) -> Found:
        """The nearest of the fitted rows, in the order (distance, index).

        Args:
            X: [queries x features]; None: the fitted rows, none of which is then its own neighbour
            n_neighbors: None: that of the constructor
            return_distance: whether distances are returned as well

        Returns:
            distances [queries x n_neighbors], float32 where the fitted rows are and float64 otherwise, and indices of the same
            shape, or the indices alone

        Raises:
            ValueError: fewer rows were fitted; X has values that float32 has not, or another number of features
        """
        if self._is_precomputed():
            return super().kneighbors(X, n_neighbors, return_distance)  # type: ignore[misc,no-any-return]
        index = self._searched()
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        if not isinstance(count, Integral):
            raise TypeError(f"n_neighbors does not take {type(count)} value, enter integer value")
        if count <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {count}")
        asked = count + (X is None)
        if asked > self.n_samples_fit_:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {asked}, n_samples_fit = "
                f"{self.n_samples_fit_}, n_samples = {self.n_samples_fit_}"
            )
        distances, indices = index.knn_graph(count) if X is None else index.search(self._queries(X), count)
        indices = indices.astype(np.intp, copy=False)
        return (self._as_fitted(distances), indices) if return_distance else indices

    def radius_neighbors(
        self: Any,
        X: Any = None,
        radius: Optional[float] = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Found:
        """The fitted rows within a radius: distances are at most this.

        Args:
            X: as of `kneighbors`
            radius: None: that of the constructor
            sort_results: True: in the order (distance, index); False: by index, as scikit-learn's brute force has them

        Returns:
            distances, an array of one array for each query, and indices in the same shape, or the indices alone
        """
        if self._is_precomputed():
            return super().radius_neighbors(X, radius, return_distance, sort_results)  # type: ignore[misc,no-any-return]
        index = self._searched()
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        within = self.radius if radius is None else radius
        offsets, distances, indices = index.range_search(self._fit_X if X is None else self._queries(X), within)
        queries = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        if not sort_results:
            by_index = np.lexsort((indices, queries))
            distances, indices = distances[by_index], indices[by_index]
        if X is None:
            others = queries != indices
            offsets = np.concatenate([[0], np.cumsum(others)])[offsets]
            distances, indices = distances[others], indices[others]
        split = _split(indices.astype(np.intp, copy=False), offsets)
        return (_split(self._as_fitted(distances), offsets), split) if return_distance else split

    def __sklearn_tags__(self: Any) -> Any:
        """What scikit-learn from 1.6 on asks of estimators."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = self._is_precomputed()
        return tags

    def __getstate__(self: Any) -> Dict[str, Any]:
        """All but the index, which is of this process."""
        state: Dict[str, Any] = dict(cast(Any, super()).__getstate__())
        state.pop("_index", None)
        return state
