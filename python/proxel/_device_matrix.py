"""Matrices of other libraries that lie on a CUDA device."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np

from . import _cuda, _dlpack
from ._errors import InvalidArgumentError, InvalidTypeError, ProxelError


class DeviceMatrix(NamedTuple):
    """A matrix of another library on a CUDA device."""

    address: int
    rows: int
    columns: int
    row_stride: int  #: elements
    dtype: str
    ordinal: int  #: of the device
    readonly: bool
    owner: Any  #: what keeps the memory

    @property
    def bytes(self) -> int:
        """From the first element to the last."""
        each = np.dtype(self.dtype).itemsize
        return ((self.rows - 1) * self.row_stride + self.columns) * each if self.rows and self.columns else 0


def lies_on_device(values: Any) -> bool:
    """Whether an array lies on a CUDA device."""
    if isinstance(values, np.ndarray):
        return False
    if hasattr(values, "__dlpack_device__"):
        try:
            return int(values.__dlpack_device__()[0]) in (_dlpack.CUDA, _dlpack.CUDA_MANAGED)
        except Exception:  # of the library whose array it is; reading it says what is wrong
            return False
    return getattr(values, "__cuda_array_interface__", None) is not None


def _matrix(
    argument: str,
    address: int,
    shape: Any,
    strides: Optional[Tuple[int, ...]],
    dtype: str,
    ordinal: int,
    readonly: bool,
    owner: Any,
) -> DeviceMatrix:
    if len(shape) != 2:
        raise InvalidArgumentError(
            f"{argument}: has {len(shape)} dimensions; a matrix is expected, with one row per vector", argument
        )
    rows, columns = int(shape[0]), int(shape[1])
    if rows < 0 or columns < 0 or rows * columns >= 1 << 62:
        raise InvalidArgumentError(f"{argument}: has the shape ({rows}, {columns})", argument)
    row, column = strides if strides is not None else (columns, 1)
    if rows > 1 and columns and row < columns or columns > 1 and column != 1:
        raise InvalidArgumentError(
            f"{argument}: has strides of {row} and {column} elements; on a device elements of a row lie side by "
            "side and rows do not overlap: make it contiguous",
            argument,
        )
    if not address and rows * columns:
        raise InvalidArgumentError(f"{argument}: is a null pointer", argument)
    return DeviceMatrix(address, rows, columns, row if rows > 1 else max(1, columns), dtype, ordinal, readonly, owner)


def _by_dlpack(values: Any, argument: str, stream: int) -> DeviceMatrix:
    # Its library sees to it that the stream has what it wrote on others.
    capsule = values.__dlpack__(stream=stream)
    found = _dlpack.describe(capsule)
    if found.device_type not in (_dlpack.CUDA, _dlpack.CUDA_MANAGED):
        raise InvalidTypeError(f"{argument}: lies on a device of DLPack's type {found.device_type}", argument)
    return _matrix(
        argument, found.address, found.shape, found.strides, found.dtype, found.device_id, False, (values, capsule)
    )


def _by_interface(values: Any, argument: str, stream: int) -> DeviceMatrix:
    told: Dict[str, Any] = values.__cuda_array_interface__
    dtype = np.dtype(told["typestr"])
    address, readonly = told["data"]
    if told.get("mask") is not None:
        raise InvalidTypeError(f"{argument}: has a mask, which would be lost", argument)
    strides = told.get("strides")
    if strides is not None:
        if any(step % dtype.itemsize for step in strides):
            raise InvalidArgumentError(
                f"{argument}: has strides of {strides} bytes, which are no multiples of {dtype}", argument
            )
        strides = tuple(step // dtype.itemsize for step in strides)
    shape = tuple(told["shape"])
    ordinal = _cuda.device_of(int(address), argument) if address else 0
    matrix = _matrix(argument, int(address), shape, strides, dtype.name, ordinal, bool(readonly), values)
    written = told.get("stream")
    if written is not None:
        _cuda.follow(ordinal, stream, int(written))
    return matrix


def device_matrix(values: Any, argument: str, stream: int, dtypes: Tuple[str, ...] = ("float32",)) -> DeviceMatrix:
    """A matrix on a CUDA device, ready for what the stream is given."""
    try:
        matrix = (_by_dlpack if hasattr(values, "__dlpack__") else _by_interface)(values, argument, stream)
    except ProxelError:
        raise
    except Exception as error:
        # Libraries have errors of their own for what they do not give away: gradients, conjugates, dtypes.
        raise InvalidTypeError(f"{argument}: is no array that can be read: {error}", argument) from error
    if matrix.dtype not in dtypes:
        raise InvalidTypeError(
            f"{argument}: {matrix.dtype} was given, where {' or '.join(dtypes)} is taken: convert it on the device",
            argument,
        )
    if matrix.address % 4:
        raise InvalidArgumentError(
            f"{argument}: lies at {matrix.address:#x}, which is not a multiple of 4 bytes", argument
        )
    return matrix
