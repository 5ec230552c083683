"""Matrices in host memory, of numpy or of anything that numpy reads, as the library takes them."""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._errors import InvalidArgumentError, InvalidTypeError
from ._library import CONTIGUOUS
from ._structs import new

_float32 = np.dtype(np.float32)
#: Rows that an index can keep as they are. All of their values are float32's as well.
stored_types = {
    _float32: b"float32",
    np.dtype(np.float16): b"float16",
    np.dtype(np.int8): b"int8",
    np.dtype(np.uint8): b"uint8",
}
_on_the_host = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost


def read(values: Any, argument: str) -> npt.NDArray[Any]:
    """Any array in host memory, without a copy where it is one."""
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidTypeError(
            f"{argument}: is a masked array, whose mask would be lost; fill or select first", argument
        )
    try:
        if hasattr(values, "__dlpack_device__") and not hasattr(values, "__array_interface__"):
            kind, _ = values.__dlpack_device__()
            if int(kind) not in _on_the_host:
                raise InvalidTypeError(
                    f"{argument}: lies on a device (DLPack's type {int(kind)}), where this call takes host memory",
                    argument,
                )
            try:
                return np.from_dlpack(values)
            except Exception:
                # Some types go by the other way alone, such as PyTorch's bool.
                if not hasattr(values, "__array__"):
                    raise
        if hasattr(values, "__cuda_array_interface__"):
            raise InvalidTypeError(f"{argument}: lies on a CUDA device, where this call takes host memory", argument)
        return np.asarray(values)
    except InvalidTypeError:
        raise
    except Exception as error:
        # Libraries have errors of their own for what they do not give away: gradients, sparse tensors, dtypes.
        raise InvalidTypeError(f"{argument}: is no array that can be read: {error}", argument) from error


def _converted(array: npt.NDArray[Any], argument: str) -> npt.NDArray[np.float32]:
    with np.errstate(over="raise"):
        try:
            return array.astype(np.float32)
        except FloatingPointError:
            raise InvalidArgumentError(f"{argument}: has values that float32 has not", argument) from None


def matrix_of(values: Any, argument: str, convert: bool) -> npt.NDArray[Any]:
    """A matrix of one of the stored types. What is of another type is refused, or rounded to float32 where `convert`
    says so."""
    array = values if type(values) is np.ndarray else read(values, argument)
    if array.dtype not in stored_types:
        if array.dtype.kind not in "fiub":
            raise InvalidTypeError(
                f"{argument}: {array.dtype} is no type of numbers that distances are computed of", argument
            )
        if not convert:
            raise InvalidTypeError(
                f"{argument}: {array.dtype} was given; float32, float16, int8 and uint8 are taken as they are, and "
                "convert=True rounds others to float32",
                argument,
            )
        array = _converted(array, argument)
    if array.ndim != 2:
        raise InvalidArgumentError(
            f"{argument}: has {array.ndim} dimension{'' if array.ndim == 1 else 's'}; a matrix is expected, "
            "with one row per vector",
            argument,
        )
    return array


def widened(array: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The same values as float32."""
    return array if array.dtype == _float32 else array.astype(np.float32)


def _strides(array: npt.NDArray[Any]) -> Tuple[int, int]:
    """Strides in elements as the library takes them, or (0, 0): nothing negative, repeated, overlapping or
    misaligned."""
    rows, columns = array.shape
    row, column = (stride // 4 if stride > 0 and stride % 4 == 0 else 0 for stride in array.strides)
    fits = row > 0 and column > 0 and array.flags.aligned and (row >= columns * column or column >= rows * row)
    return (row, column) if fits else (0, 0)


def rows_struct(array: npt.NDArray[Any]) -> Tuple[Any, Any]:
    """proxel_matrix of a float32 matrix, and what keeps its memory: a copy only where the library would refuse its
    strides."""
    rows, columns = array.shape
    if not array.flags.c_contiguous:
        row, column = _strides(array)
        if row:
            pointer = ffi.cast("float *", array.__array_interface__["data"][0])
            return new("matrix", data=pointer, rows=rows, columns=columns, row_stride=row, column_stride=column), array
        array = np.ascontiguousarray(array)
    if not array.flags.aligned:
        array = array.copy()
    data = ffi.from_buffer("float[]", array)
    return new("matrix", data=data, rows=rows, columns=columns, row_stride=CONTIGUOUS, column_stride=CONTIGUOUS), data


def stored_struct(array: npt.NDArray[Any]) -> Tuple[Any, Any]:
    """proxel_stored_rows of a matrix of a stored type, and what keeps its memory."""
    array = np.ascontiguousarray(array)
    if not array.flags.aligned:
        array = array.copy()
    kind = ffi.new("char[]", stored_types[array.dtype])
    data = ffi.from_buffer(array)
    return (
        new("stored_rows", data=data, type=kind, rows=array.shape[0], columns=array.shape[1], row_bytes=CONTIGUOUS),
        (data, kind),
    )


def objects_of_rows(array: npt.NDArray[Any]) -> Tuple[Any, Any]:
    """proxel_objects of float32 rows, and what keeps their memory."""
    rows, kept = rows_struct(array)
    return new("objects", rows=rows), (rows, kept)


def numbers_of(values: Any, argument: str) -> npt.NDArray[np.uint32]:
    """Numbers of objects, each 0 … 2^32-1."""
    array = np.asarray(values)
    if array.size == 0:
        return np.empty(0, np.uint32)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise InvalidTypeError(
            f"{argument}: {array.dtype} of {array.ndim} dimensions was given; a list of whole numbers is expected",
            argument,
        )
    if int(array.min()) < 0 or int(array.max()) > 0xFFFFFFFF:
        wrong = array.min() if int(array.min()) < 0 else array.max()
        raise InvalidArgumentError(f"{argument}: {wrong} is not the number of an object", argument)
    return np.ascontiguousarray(array, np.uint32)


def whole(value: Any, argument: str, most: int = (1 << 64) - 1) -> int:
    """A whole number that the library takes; what is allowed beside that it says itself."""
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise InvalidTypeError(
            f"{argument}: {type(value).__name__} was given; a whole number is expected", argument
        ) from None
    if not 0 <= number <= most:
        raise InvalidArgumentError(f"{argument}: {number} was given, 0 to {most} is allowed", argument)
    return int(number)


def real(value: Any, argument: str) -> float:
    """A number that is not NaN."""
    try:
        number = float(value) if not isinstance(value, (str, bytes)) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise InvalidTypeError(f"{argument}: {type(value).__name__} was given; a number is expected", argument)
    return number


def name(value: Any, argument: str) -> Any:
    """A name as the library takes it, or NULL for None."""
    if value is None:
        return ffi.NULL
    if not isinstance(value, str):
        raise InvalidTypeError(f"{argument}: {type(value).__name__} was given; a name is expected", argument)
    if "\0" in value:
        raise InvalidArgumentError(f"{argument}: has a zero byte", argument)
    return ffi.new("char[]", value.encode("utf-8", "replace"))
