"""Indexes of vectors."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._arrays import matrix_of, name, objects_of_rows, stored_struct, whole, widened
from ._cuda import LEGACY_DEFAULT
from ._device_matrix import device_matrix, lies_on_device
from ._device_memory import device_of_matrix, to_host
from ._devices import Device
from ._errors import check, text
from ._files import Path, path_of
from ._library import lib
from ._progress import Progress, supervised
from ._structs import new
from ._vector_searches import VectorSearches


def index_members(
    method: Any, storage: Any, timing: Any, scratch_limit: Any, memory_limit: Any, pinned: Any = False
) -> Tuple[Dict[str, Any], Any]:
    """Members of proxel_index_options, and what keeps them."""
    members = dict(
        method=name(method, "method"),
        storage=name(storage, "storage"),
        timing=name(timing, "timing"),
        scratch_limit=whole(scratch_limit, "scratch_limit"),
        memory_limit=whole(memory_limit, "memory_limit"),
        pinned=int(bool(pinned)),
    )
    return members, list(members.values())


def objects_of_database(rows: Any, storage: Optional[str], convert: bool) -> Tuple[Any, Any]:
    """proxel_objects of rows in host memory, in their type, and what keeps them."""
    array = matrix_of(rows, "rows", convert)
    if array.dtype == np.float32 or storage == "float32":
        return objects_of_rows(widened(array))
    stored, kept = stored_struct(array)
    return new("objects", stored_rows=stored), (stored, kept)


class Index(VectorSearches):
    """Exact nearest neighbours of vectors. The answer is the same to the bit on every device.

    Args:
        rows: [n x d], n and d at least 1: numpy, or anything with `__array_interface__` or `__dlpack__`; float32,
            float16, int8 or uint8. The index keeps a copy in that type, unless the rows do not fit the device: they are
            then streamed from where they lie at every search, and must not change.
        metric: the default of its searches: "l2sq", "l1", "l2", "linf", "ip", "cosine", "pearson" (see `metrics`)
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `Device`
        method: "auto", "scan", "fused", "bvh", …, all of which answer alike (see `methods`)
        storage: what the device keeps of the rows: "float32", "float16", "int8", "uint8". None: the type of the rows
        scratch_limit: device memory of one search, bytes, at least 2**20; 0: 2**28
        memory_limit: device memory of the rows, bytes; 0: four fifths of what there is
        pinned: locks rows that are streamed in host memory while the index lives, which spares a copy of them in every
            search and takes that memory from other programs
        timing: "none", "whole" or "passes": what `Report` tells
        convert: rounds rows and queries of other types, such as float64, to float32, instead of refusing them
        progress: True for a bar of tqdm's, or a function (done, total), called while rows are uploaded

    Raises:
        InvalidTypeError (a TypeError): rows of another type
        InvalidArgumentError (a ValueError): a wrong shape, an unknown name
        OutOfMemoryError (a MemoryError), UnsupportedError (a NotImplementedError), NotFoundError: of the device

    >>> import numpy as np
    >>> rows = np.array([[0, 0], [3, 4], [10, 10]], np.float32)
    >>> index = Index(rows, metric="l2", device="cpu")
    >>> distances, indices = index.search(rows[:1], 2)
    >>> distances, indices
    (array([[0., 5.]], dtype=float32), array([[0, 1]]))
    """

    def __init__(
        self,
        rows: Any,
        metric: str = "l2sq",
        device: Union[str, Device] = "auto",
        *,
        method: str = "auto",
        storage: Optional[str] = None,
        scratch_limit: int = 0,
        memory_limit: int = 0,
        pinned: bool = False,
        timing: str = "whole",
        convert: bool = False,
        progress: Progress = None,
    ) -> None:
        self._begin(metric, convert)
        if lies_on_device(rows):
            matrix = device_matrix(rows, "rows", LEGACY_DEFAULT)
            rows, device = to_host(matrix, LEGACY_DEFAULT), device_of_matrix(matrix) if device == "auto" else device
        objects, kept = objects_of_database(rows, storage, self._convert)
        members, names = index_members(method, storage, timing, scratch_limit, memory_limit, pinned)

        def make(on: Any, told: Any, user: Any, made: Any) -> int:
            options = new("index_options", progress=told, progress_user=user, **members)
            return int(lib.proxel_index_create(on, objects, options, made))

        self._create(device, make, progress)
        # Streamed rows stay the caller's. Whether they are, an index that is there does not tell.
        self._kept = kept if self._info().block_rows else None

    def _begin(self, metric: str, convert: bool) -> None:
        self._convert = bool(convert)
        self._metric = name(metric, "metric")
        # A name that is none is refused before memory is taken.
        check(lib.proxel_error_bound(self._metric, 1, ffi.new("double *")))

    @classmethod
    def load(
        cls,
        path: Path,
        metric: str = "l2sq",
        device: Union[str, Device] = "auto",
        *,
        method: Optional[str] = None,
        scratch_limit: int = 0,
        memory_limit: int = 0,
        pinned: bool = False,
        timing: str = "whole",
        convert: bool = False,
        progress: Progress = None,
    ) -> "Index":
        """An index that `save` wrote, on this device or another, which answers as that one did, to the bit.

        The file is mapped. Where the rows do not fit the device they are streamed from it, and it must not become
        shorter.

        Args:
            method: None: that of the saved index, if all rows fit

        The other arguments are those of `Index`.

        Raises:
            NotFoundError (a FileNotFoundError), MalformedFileError (a ValueError), InputOutputError (an OSError)
        """
        index = cls.__new__(cls)
        index._begin(metric, convert)
        named = path_of(path)
        members, names = index_members(method, None, timing, scratch_limit, memory_limit, pinned)
        index._create(
            device,
            lambda on, told, user, made: int(
                lib.proxel_index_load(
                    on, named, new("index_options", progress=told, progress_user=user, **members), made
                )
            ),
            progress,
        )
        return index

    def save(self, path: Path) -> None:
        """Writes the index to a file, whole or not at all; the same bytes whatever the device.

        Raises:
            InputOutputError (an OSError); UnsupportedError where the method keeps no rows that can be read back (texel)
        """
        self._save(path)

    @property
    def metric(self) -> str:
        """The default of its searches."""
        return text(self._metric)

    @property
    def dimensions(self) -> int:
        """Elements of a row."""
        return int(self._info().dimensions)

    @property
    def removed(self) -> int:
        """Rows that were removed and have numbers until `compact`."""
        return int(self._info().removed)

    @property
    def method(self) -> str:
        """What was asked for. A `Report` tells which one answered."""
        return text(self._info().method)

    @property
    def build_milliseconds(self) -> float:
        """Host time of uploading and packing."""
        return float(self._info().build_milliseconds)

    def _described(self, info: Any) -> str:
        return f"{info.size} x {info.dimensions}, {self.metric}"

    def add(self, rows: Any, *, progress: Progress = None) -> int:
        """Adds rows behind those that are there, which keep their numbers.

        Returns:
            the number of the first of them

        Raises:
            UnsupportedError: rows are streamed, or stored in a narrower type than float32
        """
        objects, kept = objects_of_rows(widened(matrix_of(rows, "rows", self._convert)))
        return self._add(objects, progress)

    def remove(self, numbers: Any) -> int:
        """Removes rows by their numbers. The others keep theirs.

        Returns:
            how many had not been removed before
        """
        return self._remove(numbers)

    def compact(self, *, progress: Progress = None) -> npt.NDArray[np.int64]:
        """Takes the removed rows out; the others move up.

        Returns:
            int64: for each number that a row had the one it has now, or -1
        """
        pointer = self.pointer
        with self._device.lock:
            moved = np.empty(self._numbers(), np.uint32)
            data = ffi.from_buffer("uint32_t[]", moved)
            self._changes()
            supervised(
                lambda told, user: int(lib.proxel_index_compact(pointer, told, user, data, moved.size)),
                progress,
                "compact",
            )
        numbers = moved.astype(np.int64)
        numbers[moved == 0xFFFFFFFF] = -1
        return numbers
