"""What goes wrong, as exceptions: proxel's own kind, and the kind that Python's programs expect."""
from __future__ import annotations

from typing import Dict, NoReturn, Type

from ._abi import ffi
from ._library import lib


class ProxelError(Exception):
    """A call that failed. The message is one line and begins with the argument, file or device at fault.

    Attributes:
        subject: what is at fault alone, such as "k"; "" where it is no one's argument.
    """

    subject: str

    def __init__(self, message: str, subject: str = "") -> None:
        super().__init__(message)
        self.subject = subject


class InvalidArgumentError(ProxelError, ValueError):
    """A value is outside what is allowed."""


class InvalidTypeError(ProxelError, TypeError):
    """An argument is of a type, or an array of a dtype, that is not taken."""


class UnsupportedError(ProxelError, NotImplementedError):
    """The request is valid, but this device, method or build cannot serve it."""


class NotFoundError(ProxelError, LookupError, FileNotFoundError):
    """A file, device or backend that was named does not exist."""


class MalformedFileError(ProxelError, ValueError):
    """A file is short, damaged or not what its name says."""


class InputOutputError(ProxelError, OSError):
    """The operating system refused a read or a write."""


class OutOfMemoryError(ProxelError, MemoryError):
    """Host or device memory is exhausted. Existing objects stay usable."""


class DeviceLostError(ProxelError, RuntimeError):
    """The device stopped answering. Its objects can only be closed."""


class BackendError(ProxelError, RuntimeError):
    """The driver reported an error that has no better name."""


class CancelledError(ProxelError, RuntimeError):
    """The work was ended by its progress callback."""


class InternalError(ProxelError, RuntimeError):
    """A fault of proxel's own. Please report it."""


class ForkedError(ProxelError, RuntimeError):
    """An object that was made before the process was forked is used in the child."""


_by_status: Dict[int, Type[ProxelError]] = {
    lib.PROXEL_INVALID_ARGUMENT: InvalidArgumentError,
    lib.PROXEL_UNSUPPORTED: UnsupportedError,
    lib.PROXEL_NOT_FOUND: NotFoundError,
    lib.PROXEL_MALFORMED_FILE: MalformedFileError,
    lib.PROXEL_INPUT_OUTPUT: InputOutputError,
    lib.PROXEL_OUT_OF_MEMORY: OutOfMemoryError,
    lib.PROXEL_DEVICE_LOST: DeviceLostError,
    lib.PROXEL_BACKEND_FAILURE: BackendError,
    lib.PROXEL_CANCELLED: CancelledError,
}


def text(pointer: object) -> str:
    """A string of the library's; "" for NULL."""
    return str(ffi.string(pointer).decode("utf-8", "replace")) if pointer else ""


def fail(status: int) -> NoReturn:
    """Raises what the calling thread's latest call came to."""
    raise _by_status.get(status, InternalError)(text(lib.proxel_last_error()), text(lib.proxel_last_error_subject()))


def check(status: int) -> None:
    """Raises where a call failed. It is followed by this on the thread that made it."""
    if status:
        fail(status)
