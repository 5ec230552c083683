"""Indexes of feature signatures."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._answers import Neighbors, RangeNeighbors, distances_of
from ._arrays import matrix_of, name, real, whole, widened
from ._base import AnyIndex
from ._devices import Device
from ._errors import InvalidArgumentError, InvalidTypeError
from ._library import CONTIGUOUS, lib
from ._progress import Progress
from ._structs import new


class Signatures(NamedTuple):
    """Signatures one behind the other. Those of signature i are centroids offsets[i] … offsets[i + 1] - 1, at least
    one."""

    offsets: Any  #: whole numbers [n + 1], ascending from 0
    centroids: Any  #: float32 [centroids of all x d]
    weights: Any  #: float32 [centroids of all]


#: Signatures, or a list with the centroids, [m x d], and the weights, [m], of each.
Given = Union[Signatures, Sequence[Tuple[Any, Any]]]


def are_signatures(values: Any) -> bool:
    """Whether these are meant as signatures rather than as rows."""
    if isinstance(values, Signatures):
        return True
    first = values[0] if isinstance(values, (list, tuple)) and len(values) > 0 else None
    return isinstance(first, tuple) and len(first) == 2 and np.ndim(first[0]) == 2


def _joined(given: Any, argument: str) -> Signatures:
    if isinstance(given, Signatures):
        return given
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise InvalidTypeError(
            f"{argument}: {type(given).__name__} was given; Signatures or a list of (centroids, weights) is expected",
            argument,
        )
    offsets, centroids, weights = [0], [], []
    for i, one in enumerate(given):
        if not isinstance(one, (tuple, list)) or len(one) != 2:
            raise InvalidTypeError(f"{argument}: item {i} is no pair of centroids and weights", argument)
        centroids.append(widened(matrix_of(one[0], argument, False)))
        weights.append(widened(matrix_of(np.asarray(one[1])[None], argument, False))[0])
        if centroids[-1].shape[0] != weights[-1].shape[0] or centroids[-1].shape[1] != centroids[0].shape[1]:
            raise InvalidArgumentError(
                f"{argument}: item {i} has centroids {centroids[-1].shape} and weights {weights[-1].shape}", argument
            )
        offsets.append(offsets[-1] + len(weights[-1]))
    if not centroids:
        return Signatures(np.zeros(1, np.uint64), np.empty((0, 0), np.float32), np.empty(0, np.float32))
    return Signatures(np.array(offsets, np.uint64), np.concatenate(centroids), np.concatenate(weights))


def signatures_of(given: Any, argument: str, dimensions: int = 0) -> Tuple[Any, Any]:
    """proxel_objects of signatures, and what keeps their memory. dimensions: where none are given."""
    joined = _joined(given, argument)
    centroids = np.ascontiguousarray(widened(matrix_of(joined.centroids, argument, False)))
    weights = np.ascontiguousarray(widened(matrix_of(np.asarray(joined.weights)[None], argument, False))[0])
    ends = np.asarray(joined.offsets)
    if ends.dtype.kind not in "iu" or ends.ndim != 1 or ends.size == 0:
        raise InvalidTypeError(
            f"{argument}: offsets are {ends.dtype} of {ends.ndim} dimensions; whole numbers are expected", argument
        )
    # The library trusts the offsets for how much there is to read.
    if (
        int(ends[0]) != 0
        or np.any(ends[1:] < ends[:-1])
        or int(ends[-1]) != len(centroids)
        or len(weights) != len(centroids)
    ):
        raise InvalidArgumentError(
            f"{argument}: offsets ascend from 0 to the number of centroids and of weights", argument
        )
    offsets = np.ascontiguousarray(ends, np.uint64)
    struct = new(
        "signatures",
        offsets=ffi.from_buffer("uint64_t[]", offsets),
        centroids=ffi.from_buffer("float[]", centroids),
        weights=ffi.from_buffer("float[]", weights),
        count=len(offsets) - 1,
        dimensions=centroids.shape[1] or dimensions,
    )
    return new("objects", signatures=struct), (struct, offsets, centroids, weights)


class SignatureIndex(AnyIndex):
    """Exact nearest feature signatures, by the signature quadratic form distance.

    Args:
        signatures: `Signatures`, or a list of (centroids [m x d], weights [m]) in float32; at least one
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `Device`
        similarity: of centroids: "gaussian", "minus" or "heuristic"
        alpha: its parameter, 1e-15 to 1e15, rounded to float32
        method: "auto", "canonical", "screened", "filtered", all of which answer alike
        scratch_limit, timing, progress: as of `Index`

    >>> import numpy as np
    >>> one = np.array([[0], [1]], np.float32), np.ones(2, np.float32)
    >>> other = np.array([[5]], np.float32), np.ones(1, np.float32)
    >>> SignatureIndex([one, other], "cpu").search([other], 1).indices
    array([[1]])
    """

    def __init__(
        self,
        signatures: Given,
        device: Union[str, Device] = "auto",
        *,
        similarity: str = "gaussian",
        alpha: float = 0.2,
        method: str = "auto",
        scratch_limit: int = 0,
        timing: str = "whole",
        progress: Progress = None,
    ) -> None:
        objects, kept = signatures_of(signatures, "signatures")
        names = dict(
            similarity=name(similarity, "similarity"), method=name(method, "method"), timing=name(timing, "timing")
        )
        parameter = real(alpha, "alpha")
        if parameter == 0:
            raise InvalidArgumentError("alpha: 0 was given, 1e-15 to 1e15 is allowed", "alpha")
        limit = whole(scratch_limit, "scratch_limit")

        def options(told: Any, user: Any) -> Any:
            return new(
                "signature_options", alpha=parameter, scratch_limit=limit, progress=told, progress_user=user, **names
            )

        self._make("signature", device, objects, options, progress)

    @property
    def dimensions(self) -> int:
        """Elements of a centroid."""
        return int(self._info().dimensions)

    def search(self, queries: Given, k: int, *, report: bool = False, progress: Progress = None) -> Neighbors:
        """The k nearest signatures of each query: distances, float32 [q x k], and indices, int64 [q x k]."""
        objects, kept = signatures_of(queries, "queries", self.dimensions)
        return self._search(objects, k, dict(filter_stride=CONTIGUOUS), progress, report)

    def range_search(
        self, queries: Given, radius: float, *, report: bool = False, progress: Progress = None
    ) -> RangeNeighbors:
        """Every signature within a radius of each query."""
        objects, kept = signatures_of(queries, "queries", self.dimensions)
        return self._range_search(objects, radius, dict(filter_stride=CONTIGUOUS), progress, report)

    def distances(self, queries: Given, *, progress: Progress = None) -> npt.NDArray[np.float32]:
        """Every distance: float32 [q x n]."""
        objects, kept = signatures_of(queries, "queries", self.dimensions)
        pointer = self.pointer

        def search(told: Any, user: Any, answer: Any) -> int:
            options = new("search_options", progress=told, progress_user=user, filter_stride=CONTIGUOUS)
            return int(lib.proxel_index_distances(pointer, objects, options, answer))

        return distances_of(self._answer(search, progress, "distances")[0])
