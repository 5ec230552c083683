"""Long work tells of its progress, and is ended by Ctrl-C and by what a callback raises."""
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import proxel
import pytest

long_search = '''
import sys, time
import numpy as np
import proxel
rows = np.random.default_rng(1).random((20000, 64), dtype=np.float32)
index = proxel.Index(rows, 'l1', 'DEVICE', method='scan')
print('begin', flush=True)
begin = time.monotonic()
try:
    for _ in range(100):
        index.search(rows, 8)
    print('never interrupted')
except KeyboardInterrupt:
    print('interrupted', time.monotonic() - begin, flush=True)
print(index.search(rows[:3], 1).indices.ravel().tolist())
'''


def test_ctrl_c_ends_a_search_and_leaves_the_index(device, python_path):
    program = subprocess.Popen(
        [sys.executable, '-c', long_search.replace('DEVICE', device)],
        env=python_path,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert program.stdout.readline() == 'begin\n'
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    sent = time.monotonic()
    output = program.communicate(timeout=120)[0]
    assert output.startswith('interrupted '), output
    assert output.endswith('[0, 1, 2]\n') and program.returncode == 0, output
    assert time.monotonic() - sent < 30


@pytest.fixture
def index(random, device):
    return proxel.Index(random.random((3000, 16), dtype=np.float32), device=device)


def test_progress_is_told_up_to_the_end(index):
    queries, calls = np.zeros((200, 16), np.float32), []
    index.search(queries, 3, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (200, 200) and calls == sorted(calls)
    calls.clear()
    index.knn_graph(3, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (3000, 3000)
    calls.clear()
    index.add(queries, progress=lambda done, total: calls.append((done, total)))
    proxel.Index(queries, device=index.device, progress=lambda done, total: calls.append((done, total)))
    assert calls


def test_what_progress_raises_ends_the_work_and_is_raised(index):
    queries = np.zeros((200, 16), np.float32)

    def stop(done, total):
        raise LookupError('enough')

    for call in (
        lambda: index.search(queries, 3, progress=stop),
        lambda: index.knn_graph(3, progress=stop),
        lambda: proxel.Index(queries, device=index.device, progress=stop),
    ):
        with pytest.raises(LookupError, match='enough'):
            call()
        assert index.search(queries, 3).indices.shape == (200, 3)


def test_progress_must_not_use_the_index(index):
    with pytest.raises(proxel.InvalidArgumentError, match='progress|in use|used'):
        index.search(
            np.zeros((9, 16), np.float32),
            3,
            progress=lambda done, total: index.search(np.zeros((1, 16), np.float32), 1),
        )
    assert len(index) == 3000


def test_bars_are_tqdms_where_it_is_installed(index, monkeypatch, capsys):
    bars = []

    class Bar:
        def __init__(self, total, desc, unit_scale):
            self.total, self.desc, self.n, self.closed = total, desc, 0, False
            bars.append(self)

        def update(self, by):
            self.n += by

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, 'tqdm.auto', types.SimpleNamespace(tqdm=Bar))
    index.search(np.zeros((50, 16), np.float32), 3, progress=True)
    assert [(bar.n, bar.total, bar.desc, bar.closed) for bar in bars] == [(50, 50, 'search', True)]
    monkeypatch.setitem(sys.modules, 'tqdm.auto', None)
    with pytest.warns(UserWarning, match='tqdm is not installed'):
        assert index.search(np.zeros((50, 16), np.float32), 3, progress=True).indices.shape == (50, 3)


def test_other_threads_run_meanwhile(random):
    rows = random.random((20000, 64), dtype=np.float32)
    index = proxel.Index(rows, 'l1', 'cpu', method='scan')
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin, before = time.monotonic(), counted[0]
    index.search(rows[:2000], 3)
    took, during = time.monotonic() - begin, counted[0] - before
    ended.set()
    thread.join()
    assert during > 0.02 * took / 0.001, (during, took)
