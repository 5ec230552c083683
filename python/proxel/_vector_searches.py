"""Searches of indexes of vectors."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._abi import ffi
from ._answers import Neighbors, RangeNeighbors, answer_of, nearest_of
from ._arrays import matrix_of, name, objects_of_rows, whole, widened
from ._base import AnyIndex
from ._device_matrix import lies_on_device
from ._errors import InvalidArgumentError, UnsupportedError, check, text
from ._filters import filter_members
from ._library import CONTIGUOUS, lib
from ._planned import Planner, wanted_search
from ._progress import Progress
from ._structs import new


class VectorSearches(AnyIndex):
    """What an index of vectors is asked for."""

    _convert: bool  # rounds other types to float32
    _metric: Any  # the default, as the library takes it
    _planner: Optional[Planner] = None  # of searches on the device

    def _queries(self, queries: Any) -> Tuple[Any, Any]:
        return objects_of_rows(widened(matrix_of(queries, "queries", self._convert)))

    def _members(self, metric: Optional[str], filter: Any, **others: Any) -> Tuple[Dict[str, Any], Any]:
        named = self._metric if metric is None else name(metric, "metric")
        members = dict(metric=named, filter_stride=CONTIGUOUS, **others)
        kept: Any = None
        if filter is not None:
            chosen, kept = filter_members(filter, self._numbers())
            members.update(chosen)
        return members, (named, kept)

    def search(
        self,
        queries: Any,
        k: int,
        *,
        metric: Optional[str] = None,
        filter: Any = None,
        after: Optional[Neighbors] = None,
        ordered: bool = False,
        raw: bool = False,
        report: bool = False,
        progress: Progress = None,
        stream: Any = None,
        out: Any = None,
    ) -> Neighbors:
        """The k nearest rows of each query.

        Args:
            queries: [q x d] as rows of an index; q may be 0
            k: at least 1; more than there are rows are padded
            metric: None: the index's
            filter: bool [n], or [q x n]: True where a row may be returned
            after: the page before, behind whose last column each query goes on
            ordered: an answer of a part, for `merge`
            raw: the method's own arithmetic, uncorrected, where it has one
            report: the result's `report` tells how the search went
            progress: True for a bar of tqdm's, or a function (done, total)
            stream, out: of queries on the index's CUDA device, as of `DeviceRows.search`; after, raw, report and
                progress are not

        Returns:
            distances, float32 [q x k], and indices, int64 [q x k]: `Neighbors`; where the queries lie on the device
            `DeviceArray`s, whose indices are int32

        >>> import numpy as np
        >>> from proxel import Index
        >>> index = Index(np.arange(6, dtype=np.float32).reshape(3, 2), device="cpu")
        >>> index.search(np.zeros((1, 2), np.float32), 4).indices
        array([[ 0,  1,  2, -1]])
        >>> first = index.search(np.zeros((1, 2), np.float32), 1)
        >>> index.search(np.zeros((1, 2), np.float32), 1, after=first).indices
        array([[1]])
        """
        if type(queries) is not np.ndarray and lies_on_device(queries):
            if after is not None or raw or report or progress:
                raise UnsupportedError(
                    "queries: lie on a device, where searches have no after, raw, report and progress", "queries"
                )
            return self._search_on_device(queries, k, metric, filter, ordered, stream, out)
        if stream is not None or out is not None:
            raise InvalidArgumentError(
                "stream: is of queries on a CUDA device" if out is None else "out: is of queries on a CUDA device",
                "stream" if out is None else "out",
            )
        objects, kept = self._queries(queries)
        page = None if after is None else answer_of(after, "after")
        members, names = self._members(metric, filter, raw=int(raw), ordered=int(ordered))
        if page is not None:
            members["after"] = page
        return self._search(objects, k, members, progress, report)

    def _search_on_device(
        self, queries: Any, k: Any, metric: Optional[str], filter: Any, ordered: bool, stream: Any, out: Any
    ) -> Neighbors:
        """A search that is planned and written to a stream."""
        wanted = wanted_search(
            queries,
            whole(k, "k"),
            metric=self._metric if metric is None else name(metric, "metric"),
            ordered=bool(ordered),
            filter=filter,
            objects=self._numbers(),
            stream=stream,
            out=out,
        )
        on = f"cuda:{wanted.queries.ordinal}"
        if self._device.id != on:
            raise InvalidArgumentError(f"queries: lie on {on}, the index on {self._device.id}", "queries")
        pointer = self.pointer
        with self._device.lock:
            if self._planner is None:
                self._planner = Planner(
                    self._device,
                    lambda count, near, options, plan: int(lib.proxel_index_plan(pointer, count, near, options, plan)),
                )
            return self._planner.search(wanted)

    def _changes(self) -> None:
        """Plans and what is known of numbers end when rows come or go."""
        self._bound = None
        if self._planner is not None:
            self._planner.forget()

    def search_rows(
        self,
        first: int,
        count: int,
        k: int,
        *,
        metric: Optional[str] = None,
        filter: Any = None,
        ordered: bool = False,
        raw: bool = False,
        report: bool = False,
        progress: Progress = None,
    ) -> Neighbors:
        """The k nearest rows of each of the rows first … first + count - 1 of the index, which never leave the device.

        A row's nearest row is as a rule the row itself. Arguments and result are those of `search`.
        """
        own = new("own_rows", first=whole(first, "first"), count=whole(count, "count"))
        members, names = self._members(metric, filter, raw=int(raw), ordered=int(ordered))
        return self._search(new("objects", own_rows=own), k, members, progress, report)

    def range_search(
        self,
        queries: Any,
        radius: float,
        *,
        metric: Optional[str] = None,
        filter: Any = None,
        report: bool = False,
        progress: Progress = None,
    ) -> RangeNeighbors:
        """Every row within a radius of each query.

        Args:
            radius: distances are at most this (at least, for "ip"); may be infinite, not NaN

        The other arguments are those of `search`.

        Returns:
            offsets, int64 [q + 1], distances, float32, and indices, int64: `RangeNeighbors`

        >>> import numpy as np
        >>> from proxel import Index
        >>> index = Index(np.array([[0], [1], [3]], np.float32), "l1", device="cpu")
        >>> index.range_search(np.array([[0], [3]], np.float32), 1.5)
        RangeNeighbors(offsets=array([0, 2, 3]), distances=array([0., 1., 0.], dtype=float32), indices=array([0, 1, 2]))
        """
        objects, kept = self._queries(queries)
        members, names = self._members(metric, filter)
        return self._range_search(objects, radius, members, progress, report)

    def knn_graph(
        self,
        k: int,
        *,
        metric: Optional[str] = None,
        include_self: bool = False,
        report: bool = False,
        progress: Progress = None,
    ) -> Neighbors:
        """The k nearest rows of every row: [n x k].

        Args:
            include_self: a row may be its own neighbour

        The other arguments are those of `search`.

        >>> import numpy as np
        >>> from proxel import Index
        >>> Index(np.array([[0], [1], [3]], np.float32), device="cpu").knn_graph(1).indices
        array([[1],
               [0],
               [1]])
        """
        pointer, wanted = self.pointer, whole(k, "k")
        named = self._metric if metric is None else name(metric, "metric")

        def graph(told: Any, user: Any, answer: Any) -> int:
            options = new(
                "graph_options", metric=named, include_self=int(include_self), progress=told, progress_user=user
            )
            return int(lib.proxel_index_knn_graph(pointer, wanted, options, answer))

        return nearest_of(*self._answer(graph, progress, "graph"), report)

    def supports(self, k: int, metric: Optional[str] = None) -> None:
        """Raises UnsupportedError, with the reason, where searches for the k nearest cannot be served."""
        members, names = self._members(metric, None)
        pointer = self.pointer
        with self._device.lock:
            check(lib.proxel_index_supports(pointer, whole(k, "k"), new("search_options", **members)))

    def method_for(self, queries: int, k: int, metric: Optional[str] = None) -> str:
        """The method that would answer so many queries."""
        members, names = self._members(metric, None)
        pointer, found = self.pointer, ffi.new("char **")
        with self._device.lock:
            check(
                lib.proxel_index_method_for(
                    pointer,
                    whole(queries, "queries", 0xFFFFFFFF),
                    whole(k, "k"),
                    new("search_options", **members),
                    found,
                )
            )
        return text(found[0])
