"""The permutation index: approximate nearest strings, vectors and feature signatures."""
from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._answers import Neighbors, RangeNeighbors
from ._arrays import matrix_of, name, numbers_of, objects_of_rows, real, whole, widened
from ._devices import Device
from ._errors import InvalidArgumentError, UnsupportedError, check, text
from ._files import Path, path_of
from ._library import CONTIGUOUS, lib
from ._progress import Progress, supervised
from ._signatures import are_signatures, signatures_of
from ._structs import new
from ._texts import Texts, TextIndex, are_texts, strings_of


class FractionChoice(NamedTuple):
    """The smallest fraction that reaches a recall."""

    fraction: float
    recall: float  #: on the sample
    queries: int  #: of the sample


_Self = TypeVar("_Self", bound="PermutationIndex")


class PermutationIndex(TextIndex):
    """Approximate nearest strings, vectors or signatures: only a fraction of them is compared with a query.

    Every distance is exact; nearer objects may be missing. With a fraction of 1 the answer is that of an exact index.

    Args:
        objects: a list of str or of bytes, rows as of `Index`, or signatures as of `SignatureIndex`
        metric: of vectors, as of `Index`
        device: "auto", "cpu", "vulkan:0", "cuda:0", or a `Device`
        permutants: objects whose order stands for an object, 1 to 256
        prefix: only the positions of the nearest so many count; 0: all
        seed: of the choice of permutants
        chosen: the permutants themselves, numbers of objects, instead of a choice
        distance: between permutations: "footrule", "spearman-rho", "kendall-tau"
        string_distance: of strings: "levenshtein" or "hamming"
        similarity, alpha: of signatures, as of `SignatureIndex`
        scratch_limit, timing, convert, progress: as of `Index`

    >>> words = PermutationIndex(["tree", "three", "trees", "bush"], permutants=2, device="cpu")
    >>> words.search(["tree"], 1, fraction=1).indices
    array([[0]])
    """

    def __init__(
        self,
        objects: Any,
        metric: str = "l2sq",
        device: Union[str, Device] = "auto",
        *,
        permutants: int = 64,
        prefix: int = 0,
        seed: int = 1,
        chosen: Any = None,
        distance: str = "footrule",
        string_distance: str = "levenshtein",
        similarity: str = "gaussian",
        alpha: float = 0.2,
        scratch_limit: int = 0,
        timing: str = "whole",
        convert: bool = False,
        progress: Progress = None,
    ) -> None:
        self._convert = bool(convert)
        self._of = "strings" if are_texts(objects) else "signatures" if are_signatures(objects) else "vectors"
        given, kept = self._given(objects, "objects")
        if whole(permutants, "permutants", 0xFFFFFFFF) == 0:
            raise InvalidArgumentError("permutants: 0 were given, 1 to 256 are allowed", "permutants")
        numbers = numbers_of([] if chosen is None else chosen, "chosen")
        names = dict(distance=name(distance, "distance"), timing=name(timing, "timing"))
        for argument, value, usual, kind in (
            ("metric", metric, "l2sq", "vectors"),
            ("string_distance", string_distance, "levenshtein", "strings"),
            ("similarity", similarity, "gaussian", "signatures"),
            ("alpha", alpha, 0.2, "signatures"),
        ):
            if self._of != kind and value != usual:
                raise UnsupportedError(f"{argument}: was given for permutations of {self._of}", argument)
        if self._of == "strings":
            names["string_distance"] = name(string_distance, "string_distance")
        elif self._of == "vectors":
            names["metric"] = name(metric, "metric")
        else:
            names["similarity"] = name(similarity, "similarity")
        members: Dict[str, Any] = dict(
            permutants=whole(permutants, "permutants", 0xFFFFFFFF),
            prefix=whole(prefix, "prefix", 0xFFFFFFFF),
            seed=whole(seed, "seed"),
            scratch_limit=whole(scratch_limit, "scratch_limit"),
            **names,
        )
        if self._of == "signatures":
            members["alpha"] = real(alpha, "alpha")
            if members["alpha"] == 0:
                raise InvalidArgumentError("alpha: 0 was given, 1e-15 to 1e15 is allowed", "alpha")
        if chosen is not None:
            members.update(chosen=ffi.from_buffer("uint32_t[]", numbers), chosen_count=numbers.size)

        def options(told: Any, user: Any) -> Any:
            return new("permutation_options", progress=told, progress_user=user, **members)

        self._make("permutation", device, given, options, progress)

    @classmethod
    def load(cls, path: Path, device: Union[str, Device] = "auto") -> "PermutationIndex":
        """An index of strings that `save` wrote, on this device or another.

        Raises:
            NotFoundError (a FileNotFoundError), MalformedFileError (a ValueError), InputOutputError (an OSError)
        """
        index = cls.__new__(cls)
        index._convert, index._of = False, "strings"
        named = path_of(path)
        index._create(
            device, lambda on, told, user, made: int(lib.proxel_permutation_index_load(on, named, ffi.NULL, made))
        )
        return index

    def save(self, path: Path) -> None:
        """Writes an index of strings to a file, whole or not at all; the same bytes whatever the device."""
        self._save(path)

    @property
    def permutants(self) -> npt.NDArray[np.int64]:
        """Numbers of the permutants, in their order."""
        pointer, info = self.pointer, new("index_info")
        with self._device.lock:
            check(lib.proxel_index_get_info(pointer, info))
            return np.array([info.pivots[i] for i in range(info.pivot_count)], np.int64)

    def _numbers(self) -> int:
        return super()._numbers() if self._of == "strings" else self.size

    def _given(self, objects: Any, argument: str, units: Optional[str] = None, dimensions: int = 0) -> Tuple[Any, Any]:
        if self._of == "strings":
            return strings_of(objects, argument, units)
        if self._of == "signatures":
            return signatures_of(objects, argument, dimensions)
        return objects_of_rows(widened(matrix_of(objects, argument, self._convert)))

    def _objects(self, queries: Any) -> Tuple[Any, Any]:
        info = self._info()
        units = self.units if self._of == "strings" else None
        return self._given(queries, "queries", units, int(info.dimensions))

    def search(
        self, queries: Any, k: int, *, fraction: float, report: bool = False, progress: Progress = None
    ) -> Neighbors:
        """The k nearest among the candidates of each query.

        Args:
            queries: of the kind of the index's objects
            fraction: of the objects, compared with each query; more than 0, at most 1

        Returns:
            distances, float32 [q x k], and indices, int64 [q x k]: `Neighbors`
        """
        objects, kept = self._objects(queries)
        return self._search(
            objects, k, dict(fraction=real(fraction, "fraction"), filter_stride=CONTIGUOUS), progress, report
        )

    def range_search(
        self, queries: Any, radius: float, *, fraction: float, report: bool = False, progress: Progress = None
    ) -> RangeNeighbors:
        """The candidates of each query that are within a radius."""
        objects, kept = self._objects(queries)
        return self._range_search(
            objects, radius, dict(fraction=real(fraction, "fraction"), filter_stride=CONTIGUOUS), progress, report
        )

    def candidates(self, k: int, fraction: float) -> int:
        """Objects that are compared with each query."""
        pointer, found = self.pointer, ffi.new("uint64_t *")
        with self._device.lock:
            check(lib.proxel_index_candidates(pointer, whole(k, "k"), real(fraction, "fraction"), found))
        return int(found[0])

    def choose_fraction(
        self, recall: float, k: int, queries: Any = None, *, progress: Progress = None
    ) -> FractionChoice:
        """The smallest fraction, within a twentieth of it, that reaches a recall on a sample.

        Args:
            recall: more than 0, at most 1
            queries: the sample; None: 500 objects of the index, each looked for among the others
        """
        return self._choose(lib.proxel_index_choose_fraction, recall, whole(k, "k"), queries, progress)

    def choose_range_fraction(
        self, recall: float, radius: float, queries: Optional[Texts] = None, *, progress: Progress = None
    ) -> FractionChoice:
        """The same for range searches of strings."""
        return self._choose(lib.proxel_index_choose_range_fraction, recall, real(radius, "radius"), queries, progress)

    def _choose(
        self, choose: Callable[..., int], recall: float, wanted: Union[int, float], queries: Any, progress: Progress
    ) -> FractionChoice:
        objects, kept = (ffi.NULL, None) if queries is None else self._objects(queries)
        pointer, choice, reached = self.pointer, new("fraction_choice"), real(recall, "recall")
        with self._device.lock:
            supervised(
                lambda told, user: int(choose(pointer, reached, wanted, objects, told, user, choice)),
                progress,
                "fraction",
            )
        return FractionChoice(choice.fraction, choice.recall, choice.queries)

    def add(self, texts: Texts) -> int:
        """Adds strings, as `StringIndex.add` does. The permutants stay what they are."""
        self._require_texts("adding")
        return super().add(texts)

    def _require_texts(self, what: str) -> None:
        if self._of != "strings":
            raise UnsupportedError(f"index: is of kind {self.kind}, which has no {what}", "index")
