"""What there is a choice of."""
from __future__ import annotations

from typing import Any, List

from ._abi import ffi
from ._arrays import name, whole
from ._errors import check, text
from ._library import lib


def _all(get: Any) -> List[str]:
    names: List[str] = []
    while get(len(names)):
        names.append(text(get(len(names))))
    return names


def metrics() -> List[str]:
    """The names of the metrics.

    >>> "cosine" in metrics()
    True
    """
    return _all(lib.proxel_metric_name)


def methods() -> List[str]:
    """The names of the methods, "auto" first."""
    return _all(lib.proxel_method_name)


def error_bound(metric: str, dimensions: int) -> float:
    """How far a distance of the metric may lie from its definition; 0 for the exact ones.

    >>> error_bound("l2sq", 64)
    0.0
    """
    bound = ffi.new("double *")
    check(lib.proxel_error_bound(name(metric, "metric"), whole(dimensions, "dimensions", 0xFFFFFFFF), bound))
    return float(bound[0])
