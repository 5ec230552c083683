"""Which vectors a search may find, as FAISS has it."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt


class IDSelector:
    """Chooses numbers of vectors."""

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        """Of numbers 0 … total - 1 which are chosen."""
        raise NotImplementedError


class IDSelectorAll(IDSelector):
    """All of them."""

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        return np.ones(total, np.bool_)


class IDSelectorRange(IDSelector):
    """Those from imin to imax - 1."""

    def __init__(self, imin: int, imax: int) -> None:
        self.imin, self.imax = int(imin), int(imax)

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        numbers = np.arange(total)
        return (numbers >= self.imin) & (numbers < self.imax)


class IDSelectorBatch(IDSelector):
    """Those of a list: whole numbers [n]."""

    def __init__(self, indices: Any) -> None:
        self.ids = np.asarray(indices, np.int64).ravel()

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        mask = np.zeros(total, np.bool_)
        mask[self.ids[(self.ids >= 0) & (self.ids < total)]] = True
        return mask


class IDSelectorArray(IDSelectorBatch):
    """The same."""


class IDSelectorBitmap(IDSelector):
    """Those whose bits are set: bit i % 8 of byte i // 8."""

    def __init__(self, bitmap: Any) -> None:
        self.bitmap = np.asarray(bitmap, np.uint8).ravel()

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        bits = np.unpackbits(self.bitmap, bitorder="little")[:total].astype(np.bool_)
        return np.concatenate([bits, np.zeros(total - len(bits), np.bool_)])


class IDSelectorNot(IDSelector):
    """Those that another does not choose."""

    def __init__(self, sel: IDSelector) -> None:
        self.sel = sel

    def chosen(self, total: int) -> npt.NDArray[np.bool_]:
        return ~self.sel.chosen(total)


class SearchParameters:
    """What shapes one search.

    Args:
        sel: which vectors may be found; None: all
    """

    def __init__(self, sel: Optional[IDSelector] = None) -> None:
        self.sel = sel
