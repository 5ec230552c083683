"""Strings as the library takes them, and what indexes of strings share."""
from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._abi import ffi
from ._arrays import whole
from ._base import AnyIndex
from ._errors import InvalidArgumentError, InvalidTypeError, check, text
from ._library import lib
from ._structs import new

#: Texts whose symbols are code points, or bytes whose symbols are those.
Texts = Union[Sequence[str], Sequence[bytes]]


def are_texts(values: Any) -> bool:
    """Whether these are meant as strings rather than as rows."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "USO"
    return isinstance(values, (list, tuple)) and len(values) > 0 and isinstance(values[0], (str, bytes))


def _list_of(texts: Any, argument: str) -> List[Any]:
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise InvalidTypeError(
            f"{argument}: {type(texts).__name__} was given; a list of str or of bytes is expected", argument
        )
    return list(texts.tolist() if isinstance(texts, np.ndarray) else texts)


def strings_of(texts: Any, argument: str, units: Optional[str] = None) -> Tuple[Any, Any]:
    """proxel_objects of str or bytes, and what keeps their memory. units: those expected; None: of the texts."""
    listed = _list_of(texts, argument)
    kind = (
        str
        if units == "code-points"
        else bytes
        if units == "bytes"
        else str
        if listed and isinstance(listed[0], str)
        else bytes
    )
    for i, one in enumerate(listed):
        if not isinstance(one, kind):
            raise InvalidTypeError(
                f"{argument}: item {i} is {type(one).__name__}, {kind.__name__} is expected", argument
            )
    try:
        encoded: List[bytes] = [one.encode() for one in listed] if kind is str else listed
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{argument}: has a text that is none of Unicode: {error}", argument) from None
    # One memory for all of them, and where in it each begins.
    joined = ffi.from_buffer("char[]", b"".join(encoded) + b"\0")
    lengths = np.fromiter(map(len, encoded), np.uint64, len(encoded))
    begins = np.zeros(len(encoded), np.uint64)
    np.cumsum(lengths[:-1], out=begins[1:])
    begins += np.uint64(int(ffi.cast("uintptr_t", joined)))
    named = ffi.new("char[]", b"code-points" if kind is str else b"bytes")
    strings = new(
        "strings",
        texts=ffi.cast("char **", ffi.from_buffer(begins)),
        lengths=ffi.from_buffer("uint64_t[]", lengths),
        count=len(encoded),
        units=named,
    )
    return new("objects", strings=strings), (strings, joined, lengths, begins, named)


class TextIndex(AnyIndex):
    """What indexes of strings have."""

    @property
    def units(self) -> str:
        """What a symbol is: "code-points", where it was made of str, or "bytes"."""
        return text(self._info().units)

    def _texts(self, queries: Any) -> Tuple[Any, Any]:
        return strings_of(queries, "queries", self.units)

    def add(self, texts: Texts) -> int:
        """Adds strings behind those that are there, which keep their numbers.

        Returns:
            the number of the first of them
        """
        objects, kept = strings_of(texts, "texts", self.units)
        return self._add(objects)

    def remove(self, numbers: Any) -> int:
        """Removes strings by their numbers. The others keep theirs, and no number is given twice.

        Returns:
            how many had not been removed before
        """
        return self._remove(numbers)

    def _numbers(self) -> int:
        # Numbers of strings that were removed are not counted anywhere, so that all are taken to be possible.
        return 1 << 32

    def text(self, number: int) -> Union[str, bytes]:
        """A string of the index, by its number."""
        wanted, pointer, count = whole(number, "number", 0xFFFFFFFF), self.pointer, ffi.new("uint64_t *")
        with self._device.lock:
            check(lib.proxel_index_get_text(pointer, wanted, ffi.NULL, 0, count))
            room = ffi.new("char[]", max(1, count[0]))
            check(lib.proxel_index_get_text(pointer, wanted, room, count[0], count))
            found = bytes(ffi.buffer(room, count[0]))
            return found.decode() if self.units == "code-points" else found
