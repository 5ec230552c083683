"""The devices of this machine, and those that are open."""
from __future__ import annotations

import os
import threading
import weakref
from dataclasses import dataclass
from typing import Any, List, MutableMapping, Optional, Tuple, Union

from ._abi import ffi
from ._errors import InvalidTypeError, check, text
from ._exit import Lock
from ._handles import Handle
from ._library import lib
from ._structs import new


@dataclass(frozen=True)
class DeviceInfo:
    """What a device is."""

    id: str  #: what `Device` and `device=` take: "cpu", "vulkan:0", "cuda:1"
    backend: str  #: "cpu", "vulkan", "cuda"
    name: str  #: as the driver gives it
    driver: str  #: driver name and version
    unusable: Optional[str]  #: why proxel cannot run on it; None where it can
    uuid: str  #: 32 hexadecimal digits, of zeros where unknown; equal for one GPU seen by Vulkan and CUDA
    memory_bytes: int  #: size of the largest heap of the device's own
    max_allocation_bytes: int  #: largest single buffer
    runs_on_host: bool  #: for the processor, also where it poses as a GPU


def _described(info: Any) -> DeviceInfo:
    return DeviceInfo(
        text(info.id),
        text(info.backend),
        text(info.name),
        text(info.driver),
        text(info.unusable) if info.unusable else None,
        bytes(info.uuid).hex(),
        info.memory_bytes,
        info.max_allocation_bytes,
        bool(info.runs_on_host),
    )


def devices() -> List[DeviceInfo]:
    """The devices of all backends, usable or not.

    >>> [device.id for device in devices() if device.backend == "cpu"]
    ['cpu', 'cpu:reference']
    """
    found = ffi.new("proxel_device_list **")
    check(lib.proxel_device_list_create(found))
    try:
        described = []
        for position in range(lib.proxel_device_list_count(found[0])):
            info = new("device_info")
            check(lib.proxel_device_list_get(found[0], position, info))
            described.append(_described(info))
        return described
    finally:
        lib.proxel_device_list_destroy(found[0])


def _automatic() -> str:
    """The id that "auto" stands for: the first usable GPU, through CUDA rather than Vulkan, or else the processor."""
    usable = [device for device in devices() if device.unusable is None and not device.runs_on_host]
    for backend in ("cuda", "vulkan"):
        for device in usable:
            if device.backend == backend:
                return device.id
    return "cpu"


class Device:
    """A device that is open.

    Indexes that are given the same `Device`, or the same name, share it. What is made from one device works for one
    thread at a time: other threads wait. Devices that were opened apart from each other are independent.

    Args:
        id: "auto" (the first usable GPU, or else "cpu"), "cpu", "vulkan:0", "cuda:0"; a backend's name alone is its
            device 0

    Raises:
        NotFoundError: there is no such device. The message lists those there are.
        UnsupportedError: it cannot be used, with the reason.

    >>> Device("cpu").info.backend
    'cpu'
    """

    def __init__(self, id: str = "auto") -> None:
        if not isinstance(id, str):
            raise InvalidTypeError(f"device: {type(id).__name__} was given; a name such as 'cpu' is expected", "device")
        device = ffi.new("proxel_device **")
        check(lib.proxel_device_open((_automatic() if id == "auto" else id).encode("utf-8", "replace"), device))
        self._begin(device[0])

    def _begin(self, pointer: Any) -> None:
        self._handle = Handle(pointer, lib.proxel_device_destroy)
        self._lock = Lock()
        self.lock = self._lock.lock
        info = new("device_info")
        check(lib.proxel_device_get_info(pointer, info))
        self.info = _described(info)

    @property
    def pointer(self) -> Any:
        """The handle of the C API."""
        self._handle.check_process("device")
        return self._handle.pointer

    @property
    def id(self) -> str:
        """What it was opened by, as "cuda:0"."""
        return self.info.id

    def __repr__(self) -> str:
        return f"<proxel.Device {self.id}: {self.info.name}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        raise InvalidTypeError("device: cannot be pickled; open it where it is needed", "device")


_shared: MutableMapping[str, Device] = weakref.WeakValueDictionary()
_sharing = threading.Lock()


def _forget() -> None:
    """A forked child opens devices of its own."""
    global _shared, _sharing
    _shared = weakref.WeakValueDictionary()
    _sharing = threading.Lock()


def opened(device: Union[str, Device]) -> Device:
    """That device, or the one of that name that everyone shares."""
    if isinstance(device, Device):
        return device
    if not isinstance(device, str):
        raise InvalidTypeError(
            f"device: {type(device).__name__} was given; a name such as 'cpu' or a proxel.Device is expected", "device"
        )
    with _sharing:
        name = _automatic() if device == "auto" else device
        found = _shared.get(name)
        if found is None:
            found = Device(name)
            found = _shared.setdefault(found.id, found)
        return found


os.register_at_fork(after_in_child=_forget)
