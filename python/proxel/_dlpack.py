"""DLPack (github.com/dmlc/dlpack): arrays in the memory of any device, which libraries hand to each other."""
from __future__ import annotations

import ctypes
from typing import Any, Dict, NamedTuple, Optional, Tuple

CUDA = 2  # kDLCUDA
CUDA_MANAGED = 13
UNSIGNED, SIGNED, REAL = 1, 0, 2
_types = {
    (REAL, 32): "float32",
    (REAL, 16): "float16",
    (REAL, 64): "float64",
    (SIGNED, 8): "int8",
    (UNSIGNED, 8): "uint8",
    (SIGNED, 32): "int32",
    (SIGNED, 64): "int64",
    (UNSIGNED, 32): "uint32",
    (4, 16): "bfloat16",
}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Described(NamedTuple):
    """What a capsule says of an array."""

    address: int
    shape: Tuple[int, ...]
    strides: Optional[Tuple[int, ...]]  #: elements; None: one row after the other
    dtype: str
    device_type: int
    device_id: int


_name = b"dltensor"
_used = b"used_dltensor"
_api = ctypes.pythonapi
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", _api)
)


def describe(capsule: Any) -> Described:
    """What a capsule of `__dlpack__` holds. It keeps the memory as long as it is kept itself: its name stays, so that
    whoever made it frees what it holds.

    Raises TypeError where it is no such capsule.
    """
    if not _is_valid(id(capsule), _name):
        raise TypeError(f"__dlpack__ gave {type(capsule).__name__}, which is no capsule of a tensor")
    tensor = _Managed.from_address(_pointer_in(id(capsule), _name)).tensor
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    dtype = _types.get((tensor.code, tensor.bits), f"type {tensor.code} of {tensor.bits} bits")
    if tensor.lanes != 1:
        dtype = f"{dtype} x {tensor.lanes}"
    return Described(
        (tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, tensor.device_type, tensor.device_id
    )


# What has been given away and not been freed yet, by the address of its struct.
_given: Dict[int, Any] = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[misc]
def _free(address: int) -> None:
    """Called by whoever has taken an array, once, from any thread."""
    _given.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[misc]
def _discard(capsule: int) -> None:
    """Called when a capsule goes. One that nobody has taken is freed; whoever takes one gives it another name."""
    if _is_valid(capsule, _name):
        _given.pop(_pointer_in(capsule, _name), None)


def give(address: int, shape: Tuple[int, ...], code: int, bits: int, device_id: int, owner: object) -> Any:
    """A capsule over memory of a CUDA device, one row after the other, which keeps `owner` until it is freed."""
    managed = _Managed()
    sizes = (ctypes.c_int64 * max(1, len(shape)))(*shape)
    steps = (ctypes.c_int64 * max(1, len(shape)))()
    step = 1
    for i in reversed(range(len(shape))):
        steps[i], step = step, step * max(1, shape[i])
    managed.tensor = _Tensor(address, CUDA, device_id, len(shape), code, bits, 1, sizes, steps, 0)
    managed.deleter = ctypes.cast(_free, ctypes.c_void_p)
    at = ctypes.addressof(managed)
    _given[at] = (managed, sizes, steps, owner)
    return _new_capsule(at, _name, ctypes.cast(_discard, ctypes.c_void_p))
