"""What is called while the library works: progress bars, functions of the caller's, and Ctrl-C."""
from __future__ import annotations

import importlib
import threading
import warnings
from typing import Any, Callable, Dict, Optional, Union

from . import _exit
from ._abi import ffi
from ._errors import check

#: None; True for a bar of tqdm's; or a function that is called with (done, total), in the same unit. What it raises
#: ends the work and is raised by the call.
Progress = Union[None, bool, Callable[[int, int], object]]

# What ended the work of a thread. The library calls back on the thread that called it, so that one is enough.
_raised: Dict[int, BaseException] = {}


def _stopped(kind: Any, raised: BaseException, traceback: Any) -> None:
    _raised[threading.get_ident()] = raised


# Python handles signals when it begins to run this function: KeyboardInterrupt then is raised before its first line,
# and cffi returns `error` to the library, which ends the work.
@ffi.callback("proxel_progress", error=1, onerror=_stopped)  # type: ignore[misc]
def told(user: Any, done: int, total: int) -> int:
    if _exit.ending and _exit.ending != threading.get_ident():
        raise SystemExit
    if user:
        ffi.from_handle(user)(done, total)
    return 0


class _Bar:
    """A bar of tqdm's that follows (done, total)."""

    def __init__(self, description: str) -> None:
        self._bar: Any = None
        self._description = description
        try:
            self._make: Any = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            warnings.warn("progress: tqdm is not installed, so no bar is shown", stacklevel=5)
            self._make = None

    def __call__(self, done: int, total: int) -> None:
        if self._make is None:
            return
        if self._bar is None or self._bar.total != total:
            self.close()
            self._bar = self._make(total=total, desc=self._description, unit_scale=True)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def supervised(call: Callable[..., int], progress: Progress, description: str) -> None:
    """Calls call(callback, user) of the library, with progress and Ctrl-C."""
    if progress is None or progress is False:
        status = call(told, ffi.NULL)
    else:
        report = _Bar(description) if progress is True else progress
        user = ffi.new_handle(report)
        try:
            status = call(told, user)
        finally:
            if isinstance(report, _Bar):
                report.close()
    if status or _raised:
        raised = _raised.pop(threading.get_ident(), None)
        if raised is not None:
            raise raised
        check(status)
