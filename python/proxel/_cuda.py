"""What proxel asks of CUDA's driver itself: to wait for a stream, and whose memory an address is.

A library that has put arrays on a device has loaded the driver; nothing of CUDA's is needed where there are none.
"""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from ._errors import BackendError, InvalidArgumentError, InvalidTypeError, UnsupportedError

# Streams that have a number instead of an address.
LEGACY_DEFAULT, PER_THREAD_DEFAULT = 1, 2
_driver: Optional[Any] = None


def _loaded() -> Any:
    global _driver
    if _driver is None:
        try:
            _driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise UnsupportedError(f"cuda: its driver cannot be loaded: {error}", "cuda") from None
    return _driver


def _check(status: int, what: str) -> None:
    if status:
        raise BackendError(f"cuda: {what}: CUDA's driver says {status}", "cuda")


def stream_handle(stream: Any) -> int:
    """The address of a stream, or 1 for the default one: of a number, or of what has `cuda_stream` (PyTorch), `ptr`
    (CuPy) or `__cuda_stream__`. None is the default stream."""
    if stream is None:
        return LEGACY_DEFAULT
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for member in "cuda_stream", "ptr":
        stream = getattr(stream, member, stream)
    if isinstance(stream, bool) or not hasattr(stream, "__index__"):
        raise InvalidTypeError(
            f"stream: {type(stream).__name__} was given; a stream of PyTorch or CuPy, or the address of one, is "
            "expected",
            "stream",
        )
    handle = int(stream.__index__())
    if handle < 0 or handle >= 1 << 64:
        raise InvalidArgumentError(f"stream: {handle} is no stream", "stream")
    return handle or LEGACY_DEFAULT


class _Current:
    """The context that all of a program's libraries share on a device, made current."""

    def __init__(self, ordinal: int) -> None:
        self._ordinal = ordinal

    def __enter__(self) -> Any:
        driver, context = _loaded(), ctypes.c_void_p()
        _check(driver.cuInit(0), "cannot begin")
        self._device = ctypes.c_int()
        _check(driver.cuDeviceGet(ctypes.byref(self._device), self._ordinal), f"there is no device {self._ordinal}")
        _check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), self._device), "has no context")
        try:
            _check(driver.cuCtxPushCurrent_v2(context), "cannot use the context")
        except BackendError:
            driver.cuDevicePrimaryCtxRelease_v2(self._device)
            raise
        return driver

    def __exit__(self, *raised: object) -> None:
        driver = _loaded()
        driver.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))
        driver.cuDevicePrimaryCtxRelease_v2(self._device)


def wait_for(ordinal: int, stream: int) -> None:
    """Returns when everything that the stream has been given is done."""
    with _Current(ordinal) as driver:
        _check(driver.cuStreamSynchronize(ctypes.c_void_p(stream)), "cannot wait for a stream")


def follow(ordinal: int, after: int, before: int) -> None:
    """What is given to the stream `after` from now on begins when what `before` has been given is done. The host does
    not wait."""
    if after == before:
        return
    event = ctypes.c_void_p()
    disable_timing = 2
    with _Current(ordinal) as driver:
        _check(driver.cuEventCreate(ctypes.byref(event), disable_timing), "cannot make an event")
        try:
            _check(driver.cuEventRecord(event, ctypes.c_void_p(before)), "cannot record an event")
            _check(driver.cuStreamWaitEvent(ctypes.c_void_p(after), event, 0), "cannot wait for an event")
        finally:
            driver.cuEventDestroy_v2(event)  # once it has happened


def device_of(address: int, argument: str) -> int:
    """The ordinal of the device whose memory an address is."""
    ordinal, attribute = ctypes.c_int(), 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    driver = _loaded()
    _check(driver.cuInit(0), "cannot begin")
    if driver.cuPointerGetAttribute(ctypes.byref(ordinal), attribute, ctypes.c_uint64(address)):
        raise InvalidArgumentError(f"{argument}: is no memory that CUDA knows: it may have been freed", argument)
    return ordinal.value
