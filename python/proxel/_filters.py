"""Which rows a search may return, as the library takes it: one bit for each row."""
from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._arrays import read
from ._errors import InvalidArgumentError, InvalidTypeError
from ._library import CONTIGUOUS


def packed(allowed: Any, rows: int) -> npt.NDArray[np.uint32]:
    """Filters as words, [1 or queries x words of a filter].

    allowed: bool [rows], for all queries, or [queries x rows]; True where a row may be returned
    """
    array = read(allowed, "filter")
    if array.dtype != np.bool_:
        raise InvalidTypeError(
            f"filter: {array.dtype} was given; bool is expected, True where a row may be returned", "filter"
        )
    if array.ndim not in (1, 2) or array.shape[-1] != rows:
        raise InvalidArgumentError(
            f"filter: has the shape {array.shape}; ({rows},) or (queries, {rows}) is expected", "filter"
        )
    array = np.atleast_2d(array)
    padded = np.zeros((array.shape[0], 4 * ((rows + 31) // 32)), np.uint8)
    bits = np.packbits(array, axis=1, bitorder="little")
    padded[:, : bits.shape[1]] = bits
    # Words are of this machine; bits are counted from the lowest byte on.
    return padded.view("<u4").astype(np.uint32, copy=False)


def filter_members(allowed: Any, rows: int) -> Tuple[Dict[str, Any], Any]:
    """Members of proxel_search_options, and what keeps their memory."""
    values = packed(allowed, rows)
    data = ffi.from_buffer("uint32_t[]", values)
    return dict(filter=data, filter_rows=values.shape[0], filter_words=values.shape[1], filter_stride=CONTIGUOUS), data
