"""Indexes of strings."""
from __future__ import annotations

from typing import Any, Union

from ._answers import Neighbors, RangeNeighbors
from ._arrays import name, whole
from ._devices import Device
from ._library import CONTIGUOUS
from ._progress import Progress
from ._structs import new
from ._texts import Texts, TextIndex, strings_of


class StringIndex(TextIndex):
    """Exact nearest strings.

    Args:
        texts: a list of str, whose symbols are code points, or of bytes, whose symbols are those; at least one
        distance: "levenshtein" or "hamming"
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `Device`
        scratch_limit: device memory of one search, bytes, at least 2**20; 0: 2**28
        memory_limit: device memory of the strings, bytes; those that need more pass in parts at every search; 0: four
            fifths of what the device has, and no more than its largest buffer
        timing: "none", "whole" or "passes": what `Report` tells

    Raises:
        InvalidTypeError (a TypeError), InvalidArgumentError (a ValueError), OutOfMemoryError (a MemoryError)

    >>> words = StringIndex(["tree", "three", "thé", "trees"], device="cpu")
    >>> words.search(["thee"], 2)
    Neighbors(distances=array([[1., 1.]], dtype=float32), indices=array([[0, 1]]))
    >>> words.text(2)
    'thé'
    """

    def __init__(
        self,
        texts: Texts,
        distance: str = "levenshtein",
        device: Union[str, Device] = "auto",
        *,
        scratch_limit: int = 0,
        memory_limit: int = 0,
        timing: str = "whole",
    ) -> None:
        objects, kept = strings_of(texts, "texts")
        named = name(distance, "distance"), name(timing, "timing")
        options = new(
            "string_options",
            distance=named[0],
            timing=named[1],
            scratch_limit=whole(scratch_limit, "scratch_limit"),
            memory_limit=whole(memory_limit, "memory_limit"),
        )
        self._make("string", device, objects, lambda told, user: options)

    def search(self, queries: Texts, k: int, *, report: bool = False, progress: Progress = None) -> Neighbors:
        """The k nearest strings of each query. Distances are whole numbers.

        Args:
            queries: str or bytes, as the index was made of
            k: at least 1

        Returns:
            distances, float32 [q x k], and indices, int64 [q x k]: `Neighbors`
        """
        objects, kept = self._texts(queries)
        return self._search(objects, k, dict(filter_stride=CONTIGUOUS), progress, report)

    def range_search(
        self, queries: Texts, radius: float, *, report: bool = False, progress: Progress = None
    ) -> RangeNeighbors:
        """Every string within a distance of each query.

        >>> StringIndex([b"abc", b"abd", b"xyz"], "hamming", "cpu").range_search([b"abc"], 1).indices
        array([0, 1])
        """
        objects, kept = self._texts(queries)
        return self._range_search(objects, radius, dict(filter_stride=CONTIGUOUS), progress, report)
