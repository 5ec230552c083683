"""Structs of the C API, which begin with their size."""
from __future__ import annotations

from typing import Any, Dict, Tuple

from ._abi import ffi

_made: Dict[str, Tuple[Any, int]] = {}


def new(name: str, **members: Any) -> Any:
    """A struct with its size set, these members, and 0 in all others, which is their default except for strides."""
    known = _made.get(name)
    if known is None:
        kind = ffi.typeof(f"proxel_{name} *")
        known = _made[name] = (kind, ffi.sizeof(kind.item))
    members["struct_size"] = known[1]
    return ffi.new(known[0], members)
