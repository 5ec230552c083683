"""What searches find, as numpy arrays."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._errors import InvalidArgumentError, InvalidTypeError, check, text
from ._library import lib
from ._reports import Report, report_of
from ._structs import new

# Up to this many objects 32 bits with a sign say what 32 without say, and all ones are -1.
_signed = 1 << 31


class _Nearest(NamedTuple):
    distances: Any
    indices: Any


class Neighbors(_Nearest):
    """The k nearest of each query, in the order (distance, index): `distances, indices = index.search(…)`.

    Attributes:
        distances: float32 [queries x k], the smallest first (the largest first for "ip"), NaN last; +infinity
            (-infinity for "ip") where there is nothing left
        indices: int64 [queries x k]; -1 where there is nothing left
        metric: the metric that rows were searched by; None for other objects
        ordered: whether these are answers of a part, which `merge` takes
        report: how the search went, where `report=True` asked for it
    """

    metric: Optional[str] = None
    ordered: bool = False
    report: Optional[Report] = None


class _Within(NamedTuple):
    offsets: Any
    distances: Any
    indices: Any


class RangeNeighbors(_Within):
    """What is within a radius of each query: `offsets, distances, indices = index.range_search(…)`.

    Query i has the matches offsets[i] … offsets[i + 1] - 1 of distances and indices, in the order (distance, index).

    Attributes:
        offsets: int64 [queries + 1]; the last is the number of all matches
        distances: float32 [matches]
        indices: int64 [matches]
        metric: as of `Neighbors`
        report: as of `Neighbors`
    """

    metric: Optional[str] = None
    report: Optional[Report] = None


def _copied(pointer: Any, count: int, dtype: Any, bytes_each: int, kept_as: Any) -> npt.NDArray[Any]:
    """A copy of the library's memory, in one pass over it."""
    if count == 0:
        return np.empty(0, kept_as)
    return np.frombuffer(ffi.buffer(pointer, count * bytes_each), dtype).astype(kept_as)


def _numbers(pointer: Any, count: int, size: int) -> npt.NDArray[np.int64]:
    """Numbers of objects, of `size`; -1 for none."""
    if size < _signed:
        return _copied(pointer, count, np.int32, 4, np.int64)
    numbers = _copied(pointer, count, np.uint32, 4, np.int64)
    numbers[numbers == 0xFFFFFFFF] = -1
    return numbers


def viewed(answer: Any) -> Any:
    view = new("answer_view")
    check(lib.proxel_answer_get(answer, view))
    return view


def nearest_of(answer: Any, size: int, report: bool) -> Neighbors:
    """The nearest that an answer holds, of `size` objects."""
    view = viewed(answer)
    shape = (view.queries, view.columns)
    count = shape[0] * shape[1]
    found = Neighbors(
        _copied(view.distances, count, np.float32, 4, np.float32).reshape(shape),
        _numbers(view.indices, count, size).reshape(shape),
    )
    found.metric = text(view.metric) or None
    if view.ordered:
        found.ordered = True
    if report:
        found.report = report_of(answer)
    return found


def within_of(answer: Any, size: int, report: bool) -> RangeNeighbors:
    """What an answer holds that is within a radius."""
    view = viewed(answer)
    offsets = _copied(view.offsets, view.queries + 1, np.int64, 8, np.int64)
    count = int(offsets[-1])
    found = RangeNeighbors(
        offsets, _copied(view.distances, count, np.float32, 4, np.float32), _numbers(view.indices, count, size)
    )
    found.metric = text(view.metric) or None
    if report:
        found.report = report_of(answer)
    return found


def distances_of(answer: Any) -> npt.NDArray[np.float32]:
    """All distances that an answer holds: [queries x objects]."""
    view = viewed(answer)
    copied: npt.NDArray[np.float32] = _copied(view.distances, view.queries * view.columns, np.float32, 4, np.float32)
    return copied.reshape(view.queries, view.columns)


def answer_of(found: Any, argument: str) -> Any:
    """An answer of the library's that holds what was found. Destroyed with the returned object."""
    if not isinstance(found, Neighbors):
        raise InvalidTypeError(f"{argument}: {type(found).__name__} was given; Neighbors are expected", argument)
    distances, numbers = np.asarray(found.distances), np.asarray(found.indices)
    if distances.dtype != np.float32 or numbers.dtype.kind not in "iu":
        raise InvalidTypeError(f"{argument}: distances are {distances.dtype} and indices {numbers.dtype}", argument)
    if distances.ndim != 2 or distances.shape != numbers.shape:
        raise InvalidArgumentError(f"{argument}: distances are {distances.shape} and indices {numbers.shape}", argument)
    if numbers.size and (int(numbers.min()) < -1 or int(numbers.max()) > 0xFFFFFFFF):
        raise InvalidArgumentError(f"{argument}: indices are -1, for none, to 4294967294", argument)
    near, indices = np.ascontiguousarray(distances, np.float32), np.ascontiguousarray(
        numbers.astype(np.uint32, copy=False)
    )
    metric = ffi.new("char[]", found.metric.encode()) if found.metric else ffi.NULL
    view = new(
        "answer_view",
        queries=near.shape[0],
        columns=near.shape[1],
        ordered=int(found.ordered),
        indices=ffi.from_buffer("uint32_t[]", indices),
        distances=ffi.from_buffer("float[]", near),
        metric=metric,
    )
    answer = ffi.new("proxel_answer **")
    check(lib.proxel_answer_create(view, answer))
    return ffi.gc(answer[0], lib.proxel_answer_destroy)
