"""Memory of a device: proxel's own, and that of other libraries."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _cuda
from ._abi import ffi
from ._device_matrix import DeviceMatrix
from ._devices import Device, opened
from ._errors import InvalidArgumentError, check
from ._handles import Handle
from ._library import lib


def device_of_matrix(matrix: DeviceMatrix) -> Device:
    """The device that a matrix lies on."""
    return opened(f"cuda:{matrix.ordinal}")


class Wrapped:
    """Memory of another library's as a buffer of proxel's. What was allocated begins at 256 bytes or before, so that
    the buffer may begin there too."""

    def __init__(self, device: Device, address: int, bytes: int, owner: Any) -> None:
        begin = address & ~255
        buffer = ffi.new("proxel_buffer **")
        check(lib.proxel_cuda_wrap_buffer(device.pointer, ffi.cast("void *", begin), address - begin + bytes, buffer))
        self.owner = owner
        self._handle = Handle(buffer[0], lib.proxel_buffer_destroy)
        self.view = (buffer[0], address - begin, bytes)


class Own:
    """Memory of a device, proxel's own."""

    def __init__(self, device: Device, bytes: int, kind: bytes = b"device") -> None:
        buffer = ffi.new("proxel_buffer **")
        check(lib.proxel_buffer_create(device.pointer, max(4, bytes), ffi.new("char[]", kind), buffer))
        self.device = device
        self.pointer = buffer[0]
        self._handle = Handle(buffer[0], lib.proxel_buffer_destroy)
        self.view = (buffer[0], 0, bytes)

    @property
    def address(self) -> int:
        return int(lib.proxel_buffer_address(self.pointer))

    def write(self, values: npt.NDArray[Any]) -> None:
        with self.device.lock:
            check(lib.proxel_buffer_write(self.pointer, 0, ffi.from_buffer(values), values.nbytes))

    def read_into(self, values: npt.NDArray[Any]) -> None:
        with self.device.lock:
            check(
                lib.proxel_buffer_read(self.pointer, 0, ffi.from_buffer(values, require_writable=True), values.nbytes)
            )


def to_host(matrix: DeviceMatrix, stream: int) -> npt.NDArray[np.float32]:
    """A copy of a matrix in host memory, once the stream has got there."""
    if matrix.row_stride != max(1, matrix.columns) and matrix.rows > 1:
        raise InvalidArgumentError("rows: do not lie one behind the other: make them contiguous", "rows")
    copied = np.empty((matrix.rows, matrix.columns), np.float32)
    if copied.size:
        device = device_of_matrix(matrix)
        lent = Wrapped(device, matrix.address, matrix.bytes, matrix.owner)
        _cuda.wait_for(matrix.ordinal, stream)
        with device.lock:
            check(
                lib.proxel_buffer_read(
                    lent.view[0], lent.view[1], ffi.from_buffer(copied, require_writable=True), copied.nbytes
                )
            )
    return copied
