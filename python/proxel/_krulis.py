"""Exact searches among feature signatures on several devices, as Krulis et al. 2011 run them."""
from __future__ import annotations

from typing import Any, Dict, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._abi import ffi
from ._arrays import name, numbers_of, real, whole
from ._devices import Device
from ._errors import InvalidArgumentError, InvalidTypeError, check
from ._library import lib
from ._progress import Progress
from ._signatures import Given, SignatureIndex, signatures_of
from ._structs import new


class KrulisIndex(SignatureIndex):
    """Exact nearest feature signatures: blocks of a query and some objects, which devices work off beside each other,
    filtered by pivots on the host. Searches are those of `SignatureIndex`, of the similarity "gaussian".

    Args:
        signatures: as of `SignatureIndex`
        devices: 1 to 64 names, each once, which are opened for this index alone
        alpha: of the similarity e^(-alpha L2^2), 1e-20 to 1e20
        precision: "float" or "double"
        filter: "none", "pivots" or "ptolemaic"
        pivots: their number, which are chosen by the seed, or numbers of signatures; at most 256
        scan_block: signatures of a block, at most 2**20; 0: as many as give each device one
        range_block, knn_block: of those that a filter left, within a radius and of the k nearest; 0: 8000 and 64
        pending: blocks of a filtered search that wait at a time; 0: two per device
        memory_limit: of each device, bytes that signatures may take; 0: four fifths of what there is. A device with no
            room for all holds some groups of them and receives others when it takes a block, with the same answers
        group: signatures that travel together; 0: as many as such a device has room for eight times
        progress: told of pivots while the index is made

    >>> import numpy as np
    >>> one = np.array([[0], [1]], np.float32), np.ones(2, np.float32)
    >>> other = np.array([[5]], np.float32), np.ones(1, np.float32)
    >>> KrulisIndex([one, other], ["cpu"]).search([other], 1).indices
    array([[1]])
    """

    def __init__(
        self,
        signatures: Given,
        devices: Sequence[str] = ("auto",),
        *,
        alpha: float = 0.2,
        precision: str = "float",
        filter: str = "none",
        pivots: Union[int, Sequence[int]] = 32,
        scan_block: int = 0,
        seed: int = 2011,
        range_block: int = 0,
        knn_block: int = 0,
        pending: int = 0,
        memory_limit: int = 0,
        group: int = 0,
        progress: Progress = None,
    ) -> None:
        if isinstance(devices, str) or not hasattr(devices, "__iter__"):
            raise InvalidTypeError(
                f"devices: {type(devices).__name__} was given; a list of names is expected", "devices"
            )
        objects, kept = signatures_of(signatures, "signatures")
        # Nobody else has them, so that the lock of the first is that of all.
        self._all = [Device(one) for one in devices]
        if not self._all:
            raise InvalidArgumentError("devices: 0 were given, 1 to 64 are allowed", "devices")
        parameter = real(alpha, "alpha")
        if parameter == 0:
            raise InvalidArgumentError("alpha: 0 was given, 1e-20 to 1e20 is allowed", "alpha")
        members: Dict[str, Any] = dict(
            alpha=parameter,
            precision=name(precision, "precision"),
            filter=name(filter, "filter"),
            seed=whole(seed, "seed"),
            pending=whole(pending, "pending"),
            memory_limit=whole(memory_limit, "memory_limit"),
            group=whole(group, "group"),
        )
        for argument, value in dict(scan_block=scan_block, range_block=range_block, knn_block=knn_block).items():
            members[argument] = whole(value, argument, 0xFFFFFFFF)
        if isinstance(pivots, (list, tuple, np.ndarray)):
            chosen = numbers_of(pivots, "pivots")
            if chosen.size == 0:
                raise InvalidArgumentError("pivots: none were given, 1 to 256 are allowed", "pivots")
            members.update(pivots=ffi.from_buffer("uint32_t[]", chosen), pivot_count=chosen.size)
        else:
            members["pivot_count"] = whole(pivots, "pivots", 0xFFFFFFFF)
            if members["pivot_count"] == 0:
                raise InvalidArgumentError("pivots: 0 were given, 1 to 256 are allowed", "pivots")

        def make(first: Any, told: Any, user: Any, made: Any) -> int:
            options = new("krulis_options", progress=told, progress_user=user, **members)
            pointers = ffi.new("proxel_device *[]", [device.pointer for device in self._all])
            return int(lib.proxel_krulis_index_create(pointers, len(self._all), objects, options, made))

        self._create(self._all[0], make, progress)

    @property
    def pivots(self) -> npt.NDArray[np.int64]:
        """Numbers of the pivots."""
        pointer, info = self.pointer, new("index_info")
        with self._device.lock:
            check(lib.proxel_index_get_info(pointer, info))
            return np.array([info.pivots[i] for i in range(info.pivot_count)], np.int64)
