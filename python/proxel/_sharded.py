"""One index of vectors over several devices."""
from __future__ import annotations

from typing import Any, Optional, Sequence

from ._abi import ffi
from ._cuda import LEGACY_DEFAULT
from ._device_matrix import device_matrix, lies_on_device
from ._device_memory import to_host
from ._errors import check
from ._files import Path, path_of
from ._index import Index, index_members, objects_of_database
from ._library import lib
from ._progress import Progress
from ._several import Several
from ._structs import new


class ShardedIndex(Several, Index):
    """An `Index` over several devices of any kinds: the same answers, to the bit, however the work is divided. They work at once.
    It has what `Index` has but `save`, `method_for` and queries on a device. A `compact` that is interrupted when some
    devices are done has to be called again before the index answers.

    Args:
        rows, metric, method, storage, scratch_limit, memory_limit, pinned, timing, convert, progress: as of `Index`
        devices: 1 to 64 names, which are opened for this index alone; one that is named twice counts as two
        divide: "rows", of which each device has a part, or "queries", where each has all rows
        shares: the part of each device, in any unit; None: as fast as each searches a sample of the rows;
            devices of one name and driver are taken as alike

    >>> import numpy as np
    >>> rows = np.arange(2000, dtype=np.float32).reshape(1000, 2)
    >>> index = ShardedIndex(rows, devices=["cpu", "cpu:reference"], shares=[3, 1])
    >>> index.search(rows[:1], 2).indices
    array([[0, 1]])
    >>> [shard.rows for shard in index.shards]
    [768, 232]
    """

    def __init__(
        self,
        rows: Any,
        metric: str = "l2sq",
        devices: Sequence[str] = ("auto",),
        *,
        divide: str = "rows",
        shares: Optional[Sequence[float]] = None,
        method: str = "auto",
        storage: Optional[str] = None,
        scratch_limit: int = 0,
        memory_limit: int = 0,
        pinned: bool = False,
        timing: str = "whole",
        convert: bool = False,
        progress: Progress = None,
    ) -> None:
        self._divide_among(devices, divide, shares)
        self._begin(metric, convert)
        if lies_on_device(rows):
            rows = to_host(device_matrix(rows, "rows", LEGACY_DEFAULT), LEGACY_DEFAULT)
        objects, kept = objects_of_database(rows, storage, self._convert)
        members, names = index_members(method, storage, timing, scratch_limit, memory_limit, pinned)

        def make(first: Any, told: Any, user: Any, made: Any) -> int:
            of_each = new("index_options", progress=told, progress_user=user, **members)
            options = self._division(index=of_each)
            return int(lib.proxel_sharded_index_create(self._pointers(), len(self._all), objects, options, made))

        self._create(self._all[0], make, progress)
        # Whether a device streams its rows an index does not tell: they stay.
        self._kept = kept if memory_limit or not self._fits() else None

    @classmethod
    def load(  # type: ignore[override]
        cls,
        path: Path,
        metric: str = "l2sq",
        devices: Sequence[str] = ("auto",),
        *,
        divide: str = "rows",
        shares: Optional[Sequence[float]] = None,
        method: Optional[str] = None,
        scratch_limit: int = 0,
        memory_limit: int = 0,
        pinned: bool = False,
        timing: str = "whole",
        convert: bool = False,
        progress: Progress = None,
    ) -> "ShardedIndex":
        """An index that `Index.save` wrote, divided among devices, which answers as that one did, to the bit.

        The arguments and errors are those of `ShardedIndex` and `Index.load`.
        """
        index = cls.__new__(cls)
        index._divide_among(devices, divide, shares)
        index._begin(metric, convert)
        named = path_of(path)
        members, names = index_members(method, None, timing, scratch_limit, memory_limit, pinned)

        def make(first: Any, told: Any, user: Any, made: Any) -> int:
            of_each = new("index_options", progress=told, progress_user=user, **members)
            options = index._division(index=of_each)
            return int(lib.proxel_sharded_index_load(index._pointers(), len(index._all), named, options, made))

        index._create(index._all[0], make, progress)
        return index

    def _fits(self) -> bool:
        """Whether each device could hold all rows."""
        fits, size, dimensions = ffi.new("int *"), self.size, self.dimensions
        for device in self._all:
            check(lib.proxel_index_fits(device.pointer, size, dimensions, ffi.NULL, fits))
            if not fits[0]:
                return False
        return True
