"""Arrays on a CUDA device that proxel has written."""
from __future__ import annotations

from typing import Any, Dict, NoReturn, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _cuda, _dlpack
from ._device_memory import Own
from ._errors import InvalidTypeError


class DeviceArray:
    """An array on a CUDA device that proxel has written: PyTorch, CuPy and JAX read it through DLPack, without a copy
    (`torch.from_dlpack(array)`, `cupy.from_dlpack(array)`), Numba through `__cuda_array_interface__`.

    Attributes:
        shape: as numpy's
        dtype: numpy's float32 or int32
        stream: address of the stream that it is written on; 1: the default one
    """

    def __init__(self, memory: Own, shape: Tuple[int, ...], dtype: Any, ordinal: int, stream: int) -> None:
        self._memory = memory
        self.shape = shape
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.stream = stream
        self._ordinal = ordinal

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return dict(
            shape=self.shape,
            typestr=self.dtype.str,
            data=(self._memory.address, False),
            version=3,
            strides=None,
            stream=self.stream,
        )

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _dlpack.CUDA, self._ordinal

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        """A capsule for `from_dlpack`. stream: the one that will read it, which then waits for what writes it; -1: does
        not wait."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("lies on a CUDA device; numpy() copies it to the host")
        if copy:
            raise BufferError("is handed over without a copy")
        if stream != -1:
            _cuda.follow(self._ordinal, _cuda.stream_handle(stream), self.stream)
        code = _dlpack.REAL if self.dtype.kind == "f" else _dlpack.SIGNED
        return _dlpack.give(
            self._memory.address, self.shape, code, 8 * self.dtype.itemsize, self._ordinal, self._memory
        )

    def numpy(self) -> npt.NDArray[Any]:
        """A copy in host memory, once it has been written. Indices are int64, as of searches on the host."""
        copied = np.empty(self.shape, self.dtype)
        if copied.size:
            _cuda.wait_for(self._ordinal, self.stream)
            self._memory.read_into(copied)
        return copied.astype(np.int64) if self.dtype.kind == "i" else copied

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("lies on a device; an array of numpy's is a copy")
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<proxel.DeviceArray {self.dtype} {self.shape} on cuda:{self._ordinal}>"

    def __reduce__(self) -> NoReturn:
        raise InvalidTypeError("array: lies on a device and cannot be pickled; numpy() copies it", "array")
