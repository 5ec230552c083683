"""What indexes over several devices have."""
from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._abi import ffi
from ._arrays import name, real
from ._base import AnyIndex
from ._devices import Device
from ._errors import InvalidArgumentError, InvalidTypeError, check
from ._library import lib
from ._progress import Progress
from ._structs import new


class Shard(NamedTuple):
    """What one device has of an index."""

    device: str
    share: float  #: 0 to 1; they add up to 1
    rows: int  #: with those that have been removed


class Several(AnyIndex):
    """What makes an index one over several devices: it stands before the class of one device."""

    def _divide_among(self, devices: Sequence[str], divide: str, shares: Optional[Sequence[float]]) -> None:
        """Opens the devices. Called before the index is made."""
        if isinstance(devices, str) or not hasattr(devices, "__iter__"):
            raise InvalidTypeError(
                f"devices: {type(devices).__name__} was given; a list of names is expected", "devices"
            )
        if shares is not None and not hasattr(shares, "__iter__"):
            raise InvalidTypeError(
                f"shares: {type(shares).__name__} was given; a list of numbers is expected", "shares"
            )
        self._parts = None if shares is None else np.array([real(share, "shares") for share in shares], np.float64)
        self._divide = name(divide, "divide")
        # Nobody else has them, so that the lock of the first is that of all.
        self._all = [Device(one) for one in devices]
        if not self._all:
            raise InvalidArgumentError("devices: 0 were given, 1 to 64 are allowed", "devices")

    def _division(self, **members: Any) -> Any:
        """proxel_sharded_options."""
        options = new("sharded_options", division=self._divide, **members)
        if self._parts is not None:
            options.shares, options.share_count = ffi.from_buffer("double[]", self._parts), self._parts.size
        return options

    def _pointers(self) -> Any:
        return ffi.new("proxel_device *[]", [device.pointer for device in self._all])

    def _create(self, device: Union[str, Device], make: Callable[..., int], progress: Progress = None) -> None:
        super()._create(self._all[0], make, progress)

    def _creator(self, kind: str) -> Callable[..., int]:
        create = getattr(lib, f"proxel_sharded_{kind}_index_create")
        pointers, division = self._pointers(), self._division()
        return lambda on, objects, options, made: int(
            create(pointers, len(self._all), objects, division, options, made)
        )

    @property
    def devices(self) -> List[Device]:
        """The devices, in their order."""
        return list(self._all)

    @property
    def shards(self) -> List[Shard]:
        """What each device has."""
        pointer, info, found = self.pointer, new("shard_info"), []
        with self._device.lock:
            for number, device in enumerate(self._all):
                check(lib.proxel_sharded_index_get_shard(pointer, number, info))
                found.append(Shard(device.id, float(info.share), int(info.rows)))
        return found

    def _place(self) -> str:
        return ", ".join(device.id for device in self._all)
