"""The end of the program, while other threads are still searching."""
from __future__ import annotations

import atexit
import threading
import weakref

# The thread that ends the program. Progress callbacks of others are then to end the work that they are told of.
ending = 0
_locks: "weakref.WeakSet[Lock]" = weakref.WeakSet()


class Lock:
    """Held by the thread that uses a device; of the same thread again, whose call the library then refuses."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        _locks.add(self)


def _end() -> None:
    """Ends what daemon threads have the library do. Python kills them when they come back to it, which must not happen
    inside of a callback: the thread would be unwound through the library."""
    global ending
    ending = threading.get_ident()
    for held in list(_locks):
        held.lock.acquire(timeout=10)  # and keeps it, so that nothing begins anew


# Finalisers of all modules run by a function that the first of them registers. What is registered after it runs before,
# so that no thread finds its index destroyed.
weakref.finalize(_end, int)
atexit.register(_end)
