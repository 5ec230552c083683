"""One index of strings, signatures or permutations over several devices."""
from __future__ import annotations

from typing import Any, NoReturn, Optional, Sequence

from ._errors import UnsupportedError
from ._files import Path
from ._permutations import PermutationIndex
from ._several import Several
from ._signatures import Given, SignatureIndex
from ._strings import StringIndex
from ._texts import Texts


class ShardedStringIndex(Several, StringIndex):
    """A `StringIndex` over several devices of any kinds: the same answers, to the bit, however the work is divided.

    Args:
        texts, distance, scratch_limit, memory_limit, timing: as of `StringIndex`
        devices, divide, shares: as of `ShardedIndex`

    >>> words = ShardedStringIndex(["tree", "three", "trees", "bush"], devices=["cpu", "cpu:reference"], shares=[3, 1])
    >>> words.search(["bush"], 1).indices
    array([[3]])
    >>> [shard.rows for shard in words.shards]
    [3, 1]
    """

    def __init__(
        self,
        texts: Texts,
        distance: str = "levenshtein",
        devices: Sequence[str] = ("auto",),
        *,
        divide: str = "rows",
        shares: Optional[Sequence[float]] = None,
        **others: Any,
    ) -> None:
        self._divide_among(devices, divide, shares)
        super().__init__(texts, distance, **others)


class ShardedSignatureIndex(Several, SignatureIndex):
    """A `SignatureIndex` over several devices of any kinds: the same answers, to the bit, however the work is divided.

    Args:
        signatures, similarity, alpha, method, scratch_limit, timing, progress: as of `SignatureIndex`
        devices, divide, shares: as of `ShardedIndex`
    """

    def __init__(
        self,
        signatures: Given,
        devices: Sequence[str] = ("auto",),
        *,
        divide: str = "rows",
        shares: Optional[Sequence[float]] = None,
        **others: Any,
    ) -> None:
        self._divide_among(devices, divide, shares)
        super().__init__(signatures, **others)


class ShardedPermutationIndex(Several, PermutationIndex):
    """A `PermutationIndex` on each of several devices of any kinds, which divide the queries: the same answers, to the
    bit. Rows cannot be divided: which objects are candidates depends on all of them.

    Args:
        objects, metric, permutants, prefix, seed, chosen, distance, string_distance, similarity, alpha, scratch_limit,
            timing, convert, progress: as of `PermutationIndex`
        devices, shares: as of `ShardedIndex`
        divide: "queries"
    """

    def __init__(
        self,
        objects: Any,
        metric: str = "l2sq",
        devices: Sequence[str] = ("auto",),
        *,
        divide: str = "queries",
        shares: Optional[Sequence[float]] = None,
        **others: Any,
    ) -> None:
        self._divide_among(devices, divide, shares)
        super().__init__(objects, metric, **others)

    @classmethod
    def load(cls, path: Path, *arguments: Any, **others: Any) -> NoReturn:
        """Raises UnsupportedError: an index that was saved is searched by one device, as `PermutationIndex.load` makes
        it."""
        raise UnsupportedError("path: an index that was saved is searched by one device", "path")
