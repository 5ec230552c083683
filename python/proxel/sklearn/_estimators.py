"""scikit-learn's estimators of neighbours over proxel's index."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

import sklearn.neighbors as theirs  # type: ignore

from .. import Device
from ._base import ProxelNeighbors, own_constraints


def _constraints(of: Any) -> Dict[str, List[Any]]:
    return {**of._parameter_constraints, **own_constraints}


class NearestNeighbors(ProxelNeighbors, theirs.NearestNeighbors):  # type: ignore[misc]
    """Unsupervised searches for neighbours: `kneighbors`, `radius_neighbors`, `kneighbors_graph`, `radius_neighbors_graph`.

    Args:
        n_neighbors, radius, metric, p, metric_params: as of sklearn.neighbors.NearestNeighbors
        algorithm, leaf_size, n_jobs: accepted, and without effect
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `proxel.Device`

    >>> model = NearestNeighbors(n_neighbors=1, device="cpu").fit([[0, 0, 2], [1, 0, 0], [0, 0, 1]])
    >>> model.kneighbors([[0, 0, 1.3]], return_distance=False)
    array([[2]])
    """

    _parameter_constraints = _constraints(theirs.NearestNeighbors)

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        metric_params: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        device: Union[str, Device] = "auto",
    ) -> None:
        super().__init__(
            n_neighbors=n_neighbors,
            radius=radius,
            algorithm=algorithm,
            leaf_size=leaf_size,
            metric=metric,
            p=p,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.device = device


class KNeighborsTransformer(ProxelNeighbors, theirs.KNeighborsTransformer):  # type: ignore[misc]
    """Rows to the sparse graph of their nearest neighbours, for Isomap, TSNE, DBSCAN and others with metric="precomputed".

    Args:
        mode: "distance" or "connectivity"
        others: as of `NearestNeighbors`

    >>> graph = KNeighborsTransformer(n_neighbors=1, device="cpu").fit_transform([[0.0], [1.0], [3.0]])
    >>> graph.indices, graph.data
    (array([0, 1, 1, 0, 2, 1]...), array([0., 1., 0., 1., 0., 2.]))
    """

    _parameter_constraints = _constraints(theirs.KNeighborsTransformer)

    def __init__(
        self,
        *,
        mode: str = "distance",
        n_neighbors: int = 5,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        metric_params: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        device: Union[str, Device] = "auto",
    ) -> None:
        super().__init__(
            mode=mode,
            n_neighbors=n_neighbors,
            algorithm=algorithm,
            leaf_size=leaf_size,
            metric=metric,
            p=p,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.device = device


class RadiusNeighborsTransformer(ProxelNeighbors, theirs.RadiusNeighborsTransformer):  # type: ignore[misc]
    """Rows to the sparse graph of what is within a radius of them.

    Args:
        mode: "distance" or "connectivity"
        others: as of `NearestNeighbors`

    >>> RadiusNeighborsTransformer(radius=1, device="cpu").fit_transform([[0.0], [1.0], [3.0]]).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """

    _parameter_constraints = _constraints(theirs.RadiusNeighborsTransformer)

    def __init__(
        self,
        *,
        mode: str = "distance",
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        metric_params: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        device: Union[str, Device] = "auto",
    ) -> None:
        super().__init__(
            mode=mode,
            radius=radius,
            algorithm=algorithm,
            leaf_size=leaf_size,
            metric=metric,
            p=p,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.device = device


class KNeighborsClassifier(ProxelNeighbors, theirs.KNeighborsClassifier):  # type: ignore[misc]
    """Classes by the vote of the nearest rows.

    Args:
        weights: "uniform", "distance", or a function of distances
        others: as of `NearestNeighbors`

    >>> KNeighborsClassifier(n_neighbors=3, device="cpu").fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[1.1]])
    array([0])
    """

    _parameter_constraints = _constraints(theirs.KNeighborsClassifier)

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str = "minkowski",
        metric_params: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        device: Union[str, Device] = "auto",
    ) -> None:
        super().__init__(
            n_neighbors,
            weights=weights,
            algorithm=algorithm,
            leaf_size=leaf_size,
            p=p,
            metric=metric,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.device = device


class KNeighborsRegressor(ProxelNeighbors, theirs.KNeighborsRegressor):  # type: ignore[misc]
    """Values as the mean of those of the nearest rows.

    Args:
        weights: "uniform", "distance", or a function of distances
        others: as of `NearestNeighbors`

    >>> KNeighborsRegressor(n_neighbors=2, device="cpu").fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[1.5]])
    array([0.5])
    """

    _parameter_constraints = _constraints(theirs.KNeighborsRegressor)

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str = "minkowski",
        metric_params: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        device: Union[str, Device] = "auto",
    ) -> None:
        super().__init__(
            n_neighbors,
            weights=weights,
            algorithm=algorithm,
            leaf_size=leaf_size,
            p=p,
            metric=metric,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.device = device
