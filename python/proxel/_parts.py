"""Answers of parts, merged; and what hangs together in a graph."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._answers import Neighbors, answer_of, nearest_of
from ._arrays import real, whole
from ._devices import Device, opened
from ._errors import InvalidTypeError, check
from ._library import lib
from ._structs import new


def _taken(status: int, answer: Any) -> Any:
    check(status)
    return ffi.gc(answer[0], lib.proxel_answer_destroy)


def merge(parts: Sequence[Tuple[Neighbors, int]], k: int, *, finish: bool = True) -> Neighbors:
    """The k nearest of all parts: the bits of one search of all rows, wherever the parts were searched.

    Args:
        parts: of each part what `search(…, ordered=True)` found, with at least k columns or as many as the part has
            rows, and the number that its row 0 has among all
        k: at least 1
        finish: False: an answer that can itself be a part, of first number 0

    >>> import numpy as np
    >>> from proxel import Index
    >>> rows = np.arange(8, dtype=np.float32).reshape(4, 2)
    >>> found = [(Index(rows[i:i + 2], "l2", "cpu").search(rows[:1], 2, ordered=True), i) for i in (0, 2)]
    >>> merge(found, 2).indices
    array([[0, 1]])
    """
    answers = []
    if not isinstance(parts, (list, tuple)):
        raise InvalidTypeError(f"parts: {type(parts).__name__} was given; a list of pairs is expected", "parts")
    for i, part in enumerate(parts):
        if not isinstance(part, tuple) or len(part) != 2:
            raise InvalidTypeError(f"parts: item {i} is no pair of Neighbors and a number", "parts")
        first = whole(part[1], "parts")
        answers.append((answer_of(part[0], "parts"), first))
    array = ffi.new("proxel_part[]", [dict(answer=answer, first_index=first) for answer, first in answers])
    merged = ffi.new("proxel_answer **")
    found = _taken(lib.proxel_merge(array, len(answers), whole(k, "k"), merged), merged)
    if finish:
        finished = ffi.new("proxel_answer **")
        found = _taken(lib.proxel_finish(found, finished), finished)
    return nearest_of(found, 1 << 32, False)


class Components(NamedTuple):
    """What hangs together in a graph."""

    labels: Any  #: int64 [rows], the smallest row of each row's component
    total: int  #: how many components there are


def components(
    graph: Neighbors, *, limit: Optional[float] = None, mutual: bool = False, device: Union[str, Device] = "auto"
) -> Components:
    """The connected components of a graph of neighbours, whose edges have no direction. The same on every device.

    Args:
        graph: of each row its neighbours, such as `Index.knn_graph` gives
        limit: only edges at most as long (with "ip" at least as similar); None: of any length
        mutual: only edges between rows that are neighbours of each other

    >>> import numpy as np
    >>> from proxel import Index
    >>> index = Index(np.array([[0], [1], [9], [10]], np.float32), "l1", "cpu")
    >>> components(index.knn_graph(1), device="cpu")
    Components(labels=array([0, 0, 2, 2]), total=2)
    """
    answer, on = answer_of(graph, "graph"), opened(device)
    options = new("components_options", mutual=int(mutual))
    if limit is not None:
        options.limited, options.limit = 1, real(limit, "limit")
    labels, count = np.empty(len(graph.indices), np.uint32), ffi.new("uint64_t *")
    pointer = on.pointer
    with on.lock:
        check(
            lib.proxel_graph_components(
                pointer, answer, options, ffi.from_buffer("uint32_t[]", labels), labels.size, count
            )
        )
    whole_labels: npt.NDArray[np.int64] = labels.astype(np.int64)
    return Components(whole_labels, int(count[0]))
