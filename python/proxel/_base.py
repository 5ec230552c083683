"""What indexes of all kinds have."""
from __future__ import annotations

from typing import Any, Callable, Dict, NoReturn, Optional, Tuple, Type, TypeVar, Union

from ._abi import ffi
from ._answers import Neighbors, RangeNeighbors, nearest_of, within_of
from ._arrays import numbers_of, real, whole
from ._devices import Device, opened
from ._errors import InvalidTypeError, check, text
from ._files import Path, path_of
from ._handles import Handle
from ._library import lib
from ._progress import Progress, supervised
from ._structs import new

_Self = TypeVar("_Self", bound="AnyIndex")


class AnyIndex:
    """What indexes of all kinds have.

    An index is used by one thread at a time, and so is its device: another thread's call waits until it has ended.
        Python's
    other threads run while the library works. Ctrl-C ends long work with KeyboardInterrupt and leaves the index as it
    was. An index cannot be pickled, and not be used by a forked child; processes that are spawned make their own.
    """

    _handle: Handle
    _device: Device
    _bound: Optional[int] = None  # what _numbers() found, until objects come or go

    def _create(self, device: Union[str, Device], make: Callable[..., int], progress: Progress = None) -> None:
        """make(device, callback, user, index**) creates it."""
        self._device = opened(device)
        made = ffi.new("proxel_index **")
        pointer = self._device.pointer
        with self._device.lock:
            supervised(lambda told, user: make(pointer, told, user, made), progress, "index")
            self._handle = Handle(made[0], lib.proxel_index_destroy)

    def _make(
        self,
        kind: str,
        device: Union[str, Device],
        objects: Any,
        options: Callable[[Any, Any], Any],
        progress: Progress = None,
    ) -> None:
        """Creates an index of a kind: "string" of proxel_string_index_create(). options(callback, user) are its."""
        create = self._creator(kind)
        self._create(device, lambda on, told, user, made: int(create(on, objects, options(told, user), made)), progress)

    def _creator(self, kind: str) -> Callable[..., int]:
        """(device, objects, options, index**) creates an index of a kind."""
        created: Callable[..., int] = getattr(lib, f"proxel_{kind}_index_create")
        return created

    @property
    def pointer(self) -> Any:
        """The handle of the C API."""
        self._handle.check_process("index")
        return self._handle.pointer

    @property
    def device(self) -> Device:
        """The device that it lies on."""
        return self._device

    def close(self) -> None:
        """Frees what the index holds. Later calls raise InvalidArgumentError."""
        self._handle.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: object, traceback: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise InvalidTypeError("index: cannot be pickled; save it to a file, or make it where it is needed", "index")

    def _info(self) -> Any:
        info = new("index_info")
        pointer = self.pointer
        with self._device.lock:
            check(lib.proxel_index_get_info(pointer, info))
        return info

    @property
    def kind(self) -> str:
        """ "vectors", "strings", "signatures", "string-permutations", "vector-permutations",
        "signature-permutations", "krulis", and of several devices "sharded-vectors" …"""
        return text(self._info().kind)

    @property
    def size(self) -> int:
        """Objects that are there."""
        return int(self._info().size)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        name = type(self).__name__
        if self._handle.closed:
            return f"<proxel.{name}, closed>"
        return f"<proxel.{name} of {self._described(self._info())} on {self._place()}>"

    def _place(self) -> str:
        return self._device.id

    def _described(self, info: Any) -> str:
        return f"{info.size} objects"

    def _numbers(self) -> int:
        """One more than the largest number that an answer may have."""
        if self._bound is None:
            info = self._info()
            self._bound = int(info.size + info.removed)
        return self._bound

    def _changes(self) -> None:
        """Called before objects come or go."""
        self._bound = None

    def _search(self, objects: Any, k: Any, members: Dict[str, Any], progress: Progress, report: bool) -> Neighbors:
        wanted = whole(k, "k")

        def search(told: Any, user: Any, answer: Any) -> int:
            options = new("search_options", progress=told, progress_user=user, **members)
            return int(lib.proxel_index_search(pointer, objects, wanted, options, answer))

        pointer = self.pointer
        return nearest_of(*self._answer(search, progress, "search"), report)

    def _range_search(
        self, objects: Any, radius: Any, members: Dict[str, Any], progress: Progress, report: bool
    ) -> RangeNeighbors:
        within = real(radius, "radius")

        def search(told: Any, user: Any, answer: Any) -> int:
            options = new("search_options", progress=told, progress_user=user, **members)
            return int(lib.proxel_index_range_search(pointer, objects, within, options, answer))

        pointer = self.pointer
        return within_of(*self._answer(search, progress, "range search"), report)

    def _answer(self, call: Callable[..., int], progress: Progress, description: str) -> Tuple[Any, int]:
        """The answer that call(callback, user, answer**) gives, and one more than the largest number in it. The answer
        is destroyed with the returned object."""
        answer = ffi.new("proxel_answer **")
        with self._device.lock:
            supervised(lambda told, user: call(told, user, answer), progress, description)
            found = ffi.gc(answer[0], lib.proxel_answer_destroy)
            return found, self._numbers()

    def _save(self, path: Path) -> None:
        named, pointer = path_of(path), self.pointer
        with self._device.lock:
            check(lib.proxel_index_save(pointer, named))

    def _add(self, objects: Any, progress: Progress = None) -> int:
        pointer, first = self.pointer, ffi.new("uint64_t *")
        with self._device.lock:
            self._changes()
            supervised(
                lambda told, user: int(lib.proxel_index_add(pointer, objects, told, user, first)), progress, "add"
            )
        return int(first[0])

    def _remove(self, numbers: Any) -> int:
        chosen = numbers_of(numbers, "numbers")
        pointer, removed = self.pointer, ffi.new("uint64_t *")
        with self._device.lock:
            self._changes()
            check(lib.proxel_index_remove(pointer, ffi.from_buffer("uint32_t[]", chosen), chosen.size, removed))
        return int(removed[0])
