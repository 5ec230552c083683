"""What is made is let go of. PROXEL_TEST_CALLS says how often calls are repeated (100000 was tried); without it a few
thousand."""
import gc
import os
import pathlib
import sys

import numpy as np
import proxel

calls = int(os.environ.get('PROXEL_TEST_CALLS', 4000))


def resident():
    """Bytes of this process that are in memory."""
    return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGESIZE')


def kept_by(call, times):
    """Bytes that so many calls leave behind, once the first have made what is kept: the least of three rounds, since
    allocators settle after a while, and a leak does not."""
    for _ in range(times // 4 + 1):
        call()
    least = None
    for _ in range(3):
        gc.collect()
        before, objects = resident(), len(gc.get_objects())
        for _ in range(times):
            call()
        gc.collect()
        assert len(gc.get_objects()) - objects < 50
        kept = resident() - before
        least = kept if least is None else min(least, kept)
        if least < 1 << 18:
            break
    return least


def refused(call):
    try:
        call()
    except proxel.ProxelError:
        return
    raise AssertionError('was not refused')


def test_searches_leave_nothing_behind(device):
    rows = np.random.default_rng(1).random((200, 4), dtype=np.float32)
    index, allowed = proxel.Index(rows, device=device), np.ones(200, bool)
    times = calls if device.startswith('cpu') else max(200, calls // 50)
    references = [sys.getrefcount(one) for one in (rows, index, allowed)]
    assert kept_by(lambda: index.search(rows[:50], 20), times) < 1 << 20
    assert (
        kept_by(lambda: index.search(rows[:1], 5, filter=allowed, report=True, progress=lambda done, total: 0), times)
        < 1 << 20
    )
    assert kept_by(lambda: index.range_search(rows[:2], 0.5), times) < 1 << 20
    assert kept_by(lambda: refused(lambda: index.search(rows[:1], 0)), times) < 1 << 20
    assert (
        kept_by(
            lambda: refused(
                lambda: index.search(rows[:1], 1, progress=lambda done, total: 1 / 0 if False else refuse())
            ),
            max(100, times // 10),
        )
        < 1 << 20
    )
    assert [sys.getrefcount(one) for one in (rows, index, allowed)] == references


def refuse():
    raise proxel.InvalidArgumentError('test: of the callback')


def test_indexes_leave_nothing_behind(device):
    rows = np.random.default_rng(1).random((500, 16), dtype=np.float32)
    keep = proxel.Device(device)
    times = max(50, calls // (20 if device.startswith('cpu') else 100))
    assert kept_by(lambda: proxel.Index(rows, device=keep).search(rows[:1], 1), times) < 2 << 20
    assert kept_by(lambda: proxel.StringIndex(['abc', 'abd'], device=keep).search(['abe'], 1), times) < 2 << 20
