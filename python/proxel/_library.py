"""The shared library: where it is found, and that it goes with this package."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Iterator

from ._abi import ffi

# What is not in the headers' struct initialisers as 0.
CONTIGUOUS = 1 << 63
NO_NEIGHBOR = 0xFFFFFFFF


def _candidates() -> Iterator[str]:
    """Where the library may be, the first that is there first."""
    named = os.environ.get("PROXEL_LIBRARY")
    if named:
        yield named
        return
    inside = sorted(pathlib.Path(__file__).resolve().parent.glob("libproxel.so*"))
    if inside:
        yield str(inside[0])
        return
    yield f"libproxel.so.{_expected() // 1000000}"


def _expected() -> int:
    """The version of the headers that this package was made from, which the file of declarations holds."""
    return int(ffi.integer_const("PROXEL_VERSION"))


def _written(version: int) -> str:
    return f"{version // 1000000}.{version // 1000 % 1000}.{version % 1000}"


def _load() -> Any:
    path = next(_candidates())
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(
            f"proxel: {error}. The library is looked for where the environment's PROXEL_LIBRARY says, inside the "
            "package, and among the system's (Debian: libproxel0)"
        ) from None
    expected = _expected()
    try:
        found = int(library.proxel_version())
    except (AttributeError, ffi.error):
        raise ImportError(f"proxel: {path} is not libproxel") from None
    # The C functions stay from release to release, and newer libraries serve older programs.
    if found < expected or found // 1000000 != expected // 1000000:
        raise ImportError(
            f"proxel: {path} is version {_written(found)}; this package needs {_written(expected)} or a later one of "
            f"version {expected // 1000000}"
        )
    return library


library_path = next(_candidates())
lib = _load()


def library_version() -> str:
    """The version of the shared library in use, as "0.1.0"."""
    return str(ffi.string(lib.proxel_version_string()).decode())
