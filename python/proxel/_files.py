"""Files of vectors and of lines of text: what they hold, reading and writing them."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._arrays import name, objects_of_rows, read as read_array, stored_struct, stored_types, whole
from ._errors import InvalidArgumentError, InvalidTypeError, check, text
from ._handles import Handle
from ._library import lib
from ._structs import new

Path = Union[str, "os.PathLike[str]"]


def path_of(path: Any, argument: str = "path") -> Any:
    """A path as the library takes it."""
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise InvalidTypeError(f"{argument}: {type(path).__name__} was given; a path is expected", argument) from None
    if b"\0" in encoded:
        raise InvalidArgumentError(f"{argument}: has a zero byte", argument)
    return ffi.new("char[]", encoded)


@dataclass(frozen=True)
class FileInfo:
    """What a file of vectors holds."""

    format: str  #: "npy", "fvecs", "hdf5", "csv.gz", …
    stored: str  #: type of the elements in the file: "float64", … or "text"
    shape: Tuple[int, int]
    file_bytes: int
    parts: Tuple[str, ...]  #: what can be named behind '#' in the path
    columns: Tuple[str, ...]  #: names of columns, one for each or none


@dataclass(frozen=True)
class Table:
    """What was read of a file of vectors."""

    values: npt.NDArray[Any]  #: [rows x columns]
    columns: Tuple[str, ...]  #: names of columns, one for each or none
    ids: Tuple[str, ...]  #: one for each row, or none
    labels: Tuple[str, ...]  #: one for each row, or none
    rounded: int  #: values that float32 does not hold, and were rounded to the nearest
    dropped_rows: int  #: rows left out for a missing value


class _Lent:
    """Values where the library has them, kept by the array that numpy makes of this."""

    def __init__(self, data: Handle, view: Any, writable: bool) -> None:
        kind = np.dtype(text(view.type))
        self.data = data
        self.__array_interface__: Dict[str, Any] = dict(
            version=3,
            typestr=kind.str,
            shape=(view.rows, view.columns),
            strides=(view.row_bytes, kind.itemsize),
            data=(int(ffi.cast("uintptr_t", view.values)), not writable),
        )


def _opened(call: Any, *arguments: Any) -> Tuple[Handle, Any]:
    data, view = ffi.new("proxel_data **"), new("data_view")
    check(call(*arguments, data))
    handle = Handle(data[0], lib.proxel_data_destroy)
    check(lib.proxel_data_get(data[0], view))
    return handle, view


def _names(handle: Handle, of: str, count: int) -> Tuple[str, ...]:
    found: List[str] = []
    kind, length = ffi.new("char[]", of.encode()), ffi.new("uint64_t *")
    for number in range(count):
        check(lib.proxel_data_get_name(handle.pointer, kind, number, ffi.NULL, 0, length))
        room = ffi.new("char[]", max(1, length[0]))
        check(lib.proxel_data_get_name(handle.pointer, kind, number, room, length[0], length))
        found.append(bytes(ffi.buffer(room, length[0])).decode("utf-8", "replace"))
    return tuple(found)


def _options(numbers: Dict[str, Any], names: Dict[str, Any]) -> Tuple[Any, Any]:
    """proxel_read_options, and what keeps its names. Defaults are not set: files that have no such choice refuse it."""
    members = {key: whole(value, key) for key, value in numbers.items()}
    defaults = dict(type="stored", header="auto", missing="refuse")
    for key, value in names.items():
        members[key] = name(None if value == defaults.get(key) else value, key)
    return new("read_options", **members), members


def inspect(path: Path) -> FileInfo:
    """What a file of vectors holds, by its header alone; a text file, which has none, is read.

    Args:
        path: may end in "#name", which names a part of an .hdf5 or .npz file

    Raises:
        NotFoundError (a FileNotFoundError), MalformedFileError (a ValueError), InputOutputError (an OSError),
        UnsupportedError
    """
    handle, view = _opened(lib.proxel_data_inspect, path_of(path), ffi.NULL)
    return FileInfo(
        text(view.format),
        text(view.stored),
        (view.rows, view.columns),
        view.file_bytes,
        _names(handle, "part", view.part_count),
        _names(handle, "column", view.column_count),
    )


def read_table(
    path: Path,
    *,
    type: str = "stored",
    first_row: int = 0,
    max_rows: int = 0,
    memory_limit: int = 0,
    mapped: bool = False,
    columns: Optional[str] = None,
    ids: Optional[str] = None,
    labels: Optional[str] = None,
    header: str = "auto",
    missing: str = "refuse",
) -> Table:
    """Rows of a file, with what a text file has beside them.

    Args:
        path: .npy, .npz, .fvecs, .bvecs, .ivecs, .fbin, .f16bin, .u8bin, .i8bin, .ibin, .hdf5, .h5, .csv, .tsv,
            .txt and these with .gz; may end in "#name", which names a part of an .hdf5 or .npz file
        type: "stored": as in the file where it is float32, float16, int8, uint8 or int32, and float32 of text;
            "float32": of any type, rounded to nearest; "int32": of integers that 32 bits hold
        first_row, max_rows: which rows; 0: from the first, all that there are
        memory_limit: of the host, bytes; 0: 2**40
        mapped: values are used where they lie in the file, which must not become shorter meanwhile, and are read-only
        columns: those that are read: "x,y", "2-4,7", "3-"; None: all but those of ids and labels
        ids, labels: of text: the column that names rows, and one of labels: its name, its number from 1 or "last"
        header: of text, whether the first line names columns: "auto", "yes", "no"
        missing: values of text: "refuse", "nan", or "drop": their rows are left out

    Raises:
        as `inspect`; OutOfMemoryError (a MemoryError) for what is larger than memory_limit
    """
    options, kept = _options(
        dict(first_row=first_row, max_rows=max_rows, memory_limit=memory_limit, mapped=int(mapped)),
        dict(type=type, columns=columns, ids=ids, labels=labels, header=header, missing=missing),
    )
    handle, view = _opened(lib.proxel_data_read, path_of(path), options)
    if view.rows and view.columns:
        values = np.asarray(_Lent(handle, view, writable=not mapped))
    else:
        values = np.empty((view.rows, view.columns), text(view.type))
    return Table(
        values,
        _names(handle, "column", view.column_count),
        _names(handle, "id", view.id_count),
        _names(handle, "label", view.label_count),
        view.rounded,
        view.dropped_rows,
    )


def read(path: Path, **options: Any) -> npt.NDArray[Any]:
    """The rows of a file: [rows x columns]. Options are those of `read_table`.

    >>> import tempfile, os, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "rows.fvecs")
    ...     write(path, np.eye(2, dtype=np.float32))
    ...     read(path)
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return read_table(path, **options).values


def read_lines(path: Path) -> List[str]:
    """The lines of a text file of UTF-8, plain or compressed by gzip, without their ends, a byte order mark and empty
    lines."""
    handle, view = _opened(lib.proxel_data_read_lines, path_of(path))
    try:
        return [bytes(ffi.buffer(view.lines[i], view.line_lengths[i])).decode() for i in range(view.line_count)]
    except UnicodeDecodeError as error:
        raise InvalidArgumentError(f"path: {os.fspath(path)} has a line that is no UTF-8: {error}", "path") from None


def write(path: Path, rows: Any) -> None:
    """Writes rows to a file, whole or not at all, in the format that its name tells.

    Args:
        path: float32 as .npy, .csv, .fvecs or .fbin; float16 as .npy or .f16bin; int8 as .npy or .i8bin; uint8 as .npy,
            .bvecs or .u8bin; whole numbers, such as indices, from 0 to 2**31-1 as .npy, .csv, .ivecs or .ibin
        rows: [rows x columns], of one of these types

    Raises:
        InvalidTypeError (a TypeError), UnsupportedError, InputOutputError (an OSError)
    """
    array, named = read_array(rows, "rows"), path_of(path)
    if array.ndim != 2:
        raise InvalidArgumentError(f"rows: has {array.ndim} dimensions; a matrix is expected", "rows")
    if array.dtype == np.float32:
        objects, kept = objects_of_rows(array)
        check(lib.proxel_data_write(named, objects))
    elif array.dtype in stored_types:
        stored, kept = stored_struct(array)
        check(lib.proxel_data_write(named, new("objects", stored_rows=stored)))
    elif array.dtype.kind in "iu":
        if array.size and (int(array.min()) < 0 or int(array.max()) >= 1 << 31):
            raise InvalidArgumentError("rows: has numbers that are not from 0 to 2147483647", "rows")
        indices = np.ascontiguousarray(array, np.uint32)
        check(lib.proxel_data_write_indices(named, ffi.from_buffer("uint32_t[]", indices), *indices.shape))
    else:
        raise InvalidTypeError(
            f"rows: {array.dtype} was given; float32, float16, int8, uint8 and whole numbers are written", "rows"
        )
