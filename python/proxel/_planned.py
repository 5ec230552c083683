"""Searches on a CUDA device: planned once, then written to a stream whenever they are asked for, without waiting."""
from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _cuda
from ._abi import ffi
from ._answers import Neighbors
from ._device_arrays import DeviceArray
from ._device_matrix import DeviceMatrix, device_matrix
from ._device_memory import Own, Wrapped
from ._devices import Device
from ._errors import InvalidArgumentError, check
from ._filters import packed
from ._handles import Handle
from ._library import lib
from ._structs import new

_kept_plans = 8


class _Plan(NamedTuple):
    handle: Handle
    needed: Any
    scratch: Own


class Wanted(NamedTuple):
    """One search that is asked for."""

    queries: DeviceMatrix
    k: int
    metric: Any  #: a name of the C API's
    ordered: bool
    filter: Any  #: bool of numpy's, or None
    objects: int  #: numbers that rows may have
    stream: int
    out: Any  #: distances and indices of the caller's, or None


def record_into(device: Device, stream: int, record: Callable[[Any], None]) -> None:
    """Has record(recording) write to a stream."""
    recording = ffi.new("proxel_recording **")
    # The default stream is NULL to programs that were not compiled for threads of their own.
    address = ffi.NULL if stream == _cuda.LEGACY_DEFAULT else ffi.cast("void *", stream)
    check(lib.proxel_cuda_record_into(device.pointer, address, recording))
    try:
        record(recording[0])
    finally:
        lib.proxel_recording_destroy(recording[0])


class Planner:
    """The plans of an index or of rows, the latest few.

    A plan is executed once at a time, and so each is of one stream, on which executions follow each other.
    """

    def __init__(self, device: Device, make: Callable[[int, int, Any, Any], int]) -> None:
        """make(queries, k, options, plan**) plans a search."""
        self._device = device
        self._make = make
        self._plans: "OrderedDict[Hashable, _Plan]" = OrderedDict()

    def forget(self) -> None:
        """Plans end when objects come or go."""
        self._plans.clear()

    def search(self, wanted: Wanted, rows: Optional[Wrapped] = None) -> Neighbors:
        """Writes a search to its stream. The results are on the device, on that stream."""
        queries, k = wanted.queries, wanted.k
        if queries.row_stride != max(1, queries.columns) and queries.rows > 1:
            raise InvalidArgumentError("queries: rows do not lie one behind the other: make them contiguous", "queries")
        with self._device.lock:
            if queries.rows == 0:
                return self._results(wanted)[0]
            filter_kind, words = self._filter(wanted)
            plan = self._planned(wanted, filter_kind)
            found, views, kept = self._results(wanted)
            members: Dict[str, Any] = dict(scratch=plan.scratch.view, distances=views[0], indices=views[1])
            if words is not None:
                members["filter"] = words.view
            if rows is not None:
                members["rows"] = rows.view
            lent = Wrapped(self._device, queries.address, queries.bytes, queries.owner)
            staged = Own(self._device, queries.bytes) if queries.address % plan.needed.queries.alignment else None
            members["queries"] = staged.view if staged else lent.view
            buffers = new("search_buffers", **members)

            def record(recording: Any) -> None:
                if staged is not None:
                    check(
                        lib.proxel_recording_copy(
                            recording,
                            ffi.new("proxel_buffer_view *", lent.view),
                            ffi.new("proxel_buffer_view *", staged.view),
                        )
                    )
                check(lib.proxel_plan_record(plan.handle.pointer, recording, buffers))

            record_into(self._device, wanted.stream, record)
            if words is not None or staged is not None:
                # Memory of this call's own goes with it, so that it has to end before.
                _cuda.wait_for(queries.ordinal, wanted.stream)
            return found

    def _filter(self, wanted: Wanted) -> Tuple[str, Optional[Own]]:
        if wanted.filter is None:
            return "none", None
        words = packed(wanted.filter, wanted.objects)
        if len(words) not in (1, wanted.queries.rows):
            raise InvalidArgumentError(
                f"filter: has {len(words)} rows; 1 or {wanted.queries.rows} are expected", "filter"
            )
        memory = Own(self._device, words.nbytes)
        memory.write(words)
        return "shared" if len(words) == 1 else "per-query", memory

    def _planned(self, wanted: Wanted, filter_kind: str) -> _Plan:
        queries = wanted.queries
        key = (
            queries.rows,
            queries.columns,
            wanted.k,
            ffi.string(wanted.metric),
            wanted.ordered,
            filter_kind,
            wanted.stream,
        )
        found = self._plans.pop(key, None)
        if found is None:
            found = self._planned_anew(wanted, filter_kind)
            while len(self._plans) >= _kept_plans:
                self._plans.popitem(last=False)
        self._plans[key] = found
        return found

    def _planned_anew(self, wanted: Wanted, filter_kind: str) -> _Plan:
        named = ffi.new("char[]", filter_kind.encode())
        options = new("plan_options", metric=wanted.metric, filter=named, ordered=int(wanted.ordered))
        plan = ffi.new("proxel_plan **")
        check(self._make(wanted.queries.rows, wanted.k, options, plan))
        handle, needed = Handle(plan[0], lib.proxel_plan_destroy), new("requirements")
        check(lib.proxel_plan_get_requirements(plan[0], needed))
        given = 4 * wanted.queries.rows * wanted.queries.columns
        if given != needed.queries.bytes:
            raise InvalidArgumentError(
                f"queries: have {wanted.queries.columns} dimensions, the rows have "
                f"{needed.queries.bytes // 4 // wanted.queries.rows}",
                "queries",
            )
        return _Plan(handle, needed, Own(self._device, needed.scratch.bytes))

    def _results(self, wanted: Wanted) -> Tuple[Neighbors, Any, Any]:
        """What is returned, the views that are written, and what keeps them."""
        shape, ordinal = (wanted.queries.rows, wanted.k), wanted.queries.ordinal
        views: List[Any] = []
        kept: List[Any] = []
        if wanted.out is None:
            memory = [Own(self._device, 4 * shape[0] * shape[1]) for _ in range(2)]
            views, kept = [one.view for one in memory], list(memory)
            found = Neighbors(
                *(
                    DeviceArray(one, shape, dtype, ordinal, wanted.stream)
                    for one, dtype in zip(memory, (np.float32, np.int32))
                )
            )
        else:
            found = Neighbors(*wanted.out)
            for array, argument, dtypes in zip(
                wanted.out, ("out distances", "out indices"), (("float32",), ("int32", "uint32"))
            ):
                matrix = device_matrix(array, argument, wanted.stream, dtypes)
                if (matrix.rows, matrix.columns) != shape or matrix.row_stride != shape[1] and shape[0] > 1:
                    raise InvalidArgumentError(
                        f"{argument}: is ({matrix.rows}, {matrix.columns}) with rows {matrix.row_stride} elements "
                        f"apart; {shape}, contiguous, is expected",
                        argument,
                    )
                if matrix.readonly:
                    raise InvalidArgumentError(f"{argument}: is read-only", argument)
                if matrix.ordinal != ordinal:
                    raise InvalidArgumentError(
                        f"{argument}: lies on cuda:{matrix.ordinal}, the queries on cuda:{ordinal}", argument
                    )
                if matrix.bytes:
                    kept.append(Wrapped(self._device, matrix.address, matrix.bytes, array))
                    views.append(kept[-1].view)
        found.metric = str(ffi.string(wanted.metric).decode())
        found.ordered = wanted.ordered
        return found, views, kept


def wanted_search(
    queries: Any, k: int, *, metric: Any, ordered: bool, filter: Any, objects: int, stream: Any, out: Any
) -> Wanted:
    """A search as a caller asks for it."""
    handle = _cuda.stream_handle(stream)
    if out is not None and (not isinstance(out, (tuple, list)) or len(out) != 2):
        raise InvalidArgumentError("out: distances and indices are expected", "out")
    if k == 0 or k > 0xFFFFFFFF:
        raise InvalidArgumentError(f"k: {k} was given, 1 to {0xFFFFFFFF} is allowed", "k")
    return Wanted(device_matrix(queries, "queries", handle), k, metric, ordered, filter, objects, handle, out)
