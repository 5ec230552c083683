"""Rows that lie on a CUDA device and are searched there, where they are."""
from __future__ import annotations

from typing import Any, NoReturn, Optional

import numpy as np

from . import _cuda
from ._abi import ffi
from ._answers import Neighbors
from ._arrays import matrix_of, name, whole, widened
from ._device_arrays import DeviceArray
from ._device_matrix import DeviceMatrix, device_matrix, lies_on_device
from ._device_memory import Own, Wrapped, device_of_matrix
from ._devices import Device
from ._errors import InvalidArgumentError, InvalidTypeError, text
from ._library import lib
from ._planned import Planner, wanted_search
from ._structs import new


class DeviceRows:
    """Rows on a CUDA device, of PyTorch, CuPy, JAX or another library, searched where they lie: nothing is copied, and
    rows that change are found as they are when a search is executed. `Index` copies rows instead, and is faster for
    many queries.

    Args:
        rows: float32 [n x d] with `__dlpack__` or `__cuda_array_interface__`; elements of a row side by side
        metric: the default of its searches: "l2sq", "l1", "l2", "linf", "ip"
        method: "scan"; or "bvh", up to 8 dimensions and not for "ip", which makes its boxes anew at every search
        scratch_limit: device memory of one search, bytes, at least 2**20; 0: 2**28
        convert: rounds queries on the host of other types to float32, instead of refusing them

    Raises:
        InvalidTypeError (a TypeError): no float32 on a CUDA device
        UnsupportedError (a NotImplementedError): proxel was built without CUDA
    """

    def __init__(
        self, rows: Any, metric: str = "l2sq", *, method: str = "scan", scratch_limit: int = 0, convert: bool = False
    ) -> None:
        if not lies_on_device(rows):
            raise InvalidTypeError(
                f"rows: {type(rows).__name__} does not lie on a CUDA device; Index takes rows in host memory", "rows"
            )
        self._metric, self._convert = name(metric, "metric"), bool(convert)
        self._rows: DeviceMatrix = device_matrix(rows, "rows", _cuda.LEGACY_DEFAULT)
        self._device = device_of_matrix(self._rows)
        if not self._rows.bytes:
            raise InvalidArgumentError(f"rows: has the shape ({self._rows.rows}, {self._rows.columns})", "rows")
        self._wrapped = Wrapped(self._device, self._rows.address, self._rows.bytes, rows)
        limit, named = whole(scratch_limit, "scratch_limit"), name(method, "method")

        def plan(queries: int, k: int, options: Any, made: Any) -> int:
            description = new(
                "rows_description",
                method=named,
                rows=self._rows.rows,
                dimensions=self._rows.columns,
                row_stride=self._rows.row_stride,
                scratch_limit=limit,
            )
            return int(lib.proxel_rows_plan(self._device.pointer, description, queries, k, options, made))

        self._planner = Planner(self._device, plan)

    @property
    def metric(self) -> str:
        """The default of its searches."""
        return text(self._metric)

    @property
    def device(self) -> Device:
        """The device that the rows lie on."""
        return self._device

    def __len__(self) -> int:
        return self._rows.rows

    def __repr__(self) -> str:
        return f"<proxel.DeviceRows {self._rows.rows} x {self._rows.columns}, {self.metric} on {self._device.id}>"

    def __reduce__(self) -> NoReturn:
        raise InvalidTypeError("rows: lie on a device and cannot be pickled", "rows")

    def search(
        self,
        queries: Any,
        k: int,
        *,
        metric: Optional[str] = None,
        filter: Any = None,
        ordered: bool = False,
        stream: Any = None,
        out: Any = None,
    ) -> Neighbors:
        """The k nearest rows of each query.

        Args:
            queries: float32 [q x d] on the same device, or on the host
            filter: bool [n], or [q x n], on the host: True where a row may be returned
            ordered: an answer of a part, for `merge`
            stream: of PyTorch or CuPy, or the address of one: what the search is written to, without waiting; None: the
                default stream
            out: distances, float32, and indices, int32, both [q x k] and contiguous, on the device: written instead of
                new ones

        Returns:
            where the queries lie on the device `DeviceArray`s that are written on the stream: distances, float32 [q x
            k], and indices, int32 [q x k], -1 where there is nothing left; and else arrays of numpy's, as of `Index`
        """
        handle = _cuda.stream_handle(stream)
        on_host = not lies_on_device(queries)
        if on_host:
            array = np.ascontiguousarray(widened(matrix_of(queries, "queries", self._convert)))
            memory = Own(self._device, array.nbytes)
            memory.write(array)
            lent: Any = DeviceArray(memory, array.shape, np.float32, self._rows.ordinal, handle)
        else:
            lent = queries
        wanted = wanted_search(
            lent,
            whole(k, "k"),
            metric=self._metric if metric is None else name(metric, "metric"),
            ordered=ordered,
            filter=filter,
            objects=self._rows.rows,
            stream=handle,
            out=out,
        )
        if wanted.queries.ordinal != self._rows.ordinal:
            raise InvalidArgumentError(
                f"queries: lie on cuda:{wanted.queries.ordinal}, the rows on {self._device.id}", "queries"
            )
        if wanted.queries.columns != self._rows.columns:
            raise InvalidArgumentError(
                f"queries: have {wanted.queries.columns} dimensions, the rows have {self._rows.columns}", "queries"
            )
        # What the rows' library wrote on other streams since the last time.
        device_matrix(self._rows.owner[0] if isinstance(self._rows.owner, tuple) else self._rows.owner, "rows", handle)
        found = self._planner.search(wanted, self._wrapped)
        if not on_host or out is not None:
            return found
        copied = Neighbors(found.distances.numpy(), found.indices.numpy())
        copied.metric, copied.ordered = found.metric, found.ordered
        return copied
