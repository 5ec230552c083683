"""Handles of the library's, which are destroyed with the object that holds them, and never in a forked child."""
from __future__ import annotations

import os
import weakref
from typing import Any, Callable

from ._errors import ForkedError

_forks = 0


def _forked() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_forked)


def _destroy(destroy: Callable[[Any], None], pointer: Any, forks: int) -> None:
    # The threads that work for a device are not in the child, so that destroying it there would wait for ever.
    if forks == _forks:
        destroy(pointer)


class Handle:
    """A handle and how it is destroyed: when close() is called, with this object, or when the program ends."""

    __slots__ = ("pointer", "_destroy", "_forks", "__weakref__")

    def __init__(self, pointer: Any, destroy: Callable[[Any], None]) -> None:
        self.pointer = pointer
        self._forks = _forks
        self._destroy = weakref.finalize(self, _destroy, destroy, pointer, _forks)

    @property
    def closed(self) -> bool:
        return not self._destroy.alive

    def close(self) -> None:
        self._destroy()

    def check_process(self, what: str) -> None:
        """Raises in a forked child, where nothing that was made before works."""
        if self._forks != _forks:
            raise ForkedError(
                f"{what}: was made before this process was forked; make it anew, or start processes by spawn", what
            )
