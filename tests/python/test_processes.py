"""Threads, forked children, pickles, the end of a program."""
import concurrent.futures
import os
import pickle
import subprocess
import sys
import traceback

import numpy as np
import proxel
import pytest

rows = np.random.default_rng(3).random((2000, 8), dtype=np.float32)


def test_threads_wait_for_each_other(device):
    indexes = [proxel.Index(rows, device=device), proxel.Index(rows[:1000], device=device)]
    assert indexes[0].device is indexes[1].device

    def search(i):
        return (indexes[i % 2].search(rows[i : i + 10], 1).indices[:, 0] == np.arange(i, i + 10)).all()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(search, range(200)))


def test_devices_of_ones_own_are_apart(device):
    one, other = proxel.Device(device), proxel.Device(device)
    assert proxel.Index(rows, device=one).device is one and proxel.Index(rows, device=other).device is other
    assert repr(one).startswith(f'<proxel.Device {device}: ')


def test_closing_while_others_search(device):
    index = proxel.Index(rows, device=device)

    def search(i):
        if i == 20:
            index.close()
        try:
            return index.search(rows[:50], 2).indices.shape == (50, 2)
        except proxel.InvalidArgumentError:
            return True

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(search, range(60)))


def in_a_child(work):
    """Whether a forked child does this and ends by itself."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def test_a_forked_child_is_told_and_makes_its_own():
    index = proxel.Index(rows, device='cpu')
    index.search(rows, 2)

    def work():
        for call in (lambda: index.search(rows, 1), lambda: len(index), lambda: index.add(rows)):
            with pytest.raises(proxel.ForkedError, match='forked'):
                call()
        index.close()
        own = proxel.Index(rows, device='cpu')
        assert own.search(rows[:5], 1).indices[:, 0].tolist() == [0, 1, 2, 3, 4]
        own.close()

    assert in_a_child(work)
    assert len(index) == 2000


def test_a_forked_child_may_leave_what_its_parent_has(device, python_path):
    index = proxel.Index(rows, device=device)
    index.search(rows[:5], 2)
    program = '''
import os, sys
import numpy as np, proxel
index = proxel.Index(np.ones((300, 3), np.float32), device=sys.argv[1])
index.search(np.ones((3, 3), np.float32), 2)
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
    print(len(index))
'''
    ended = subprocess.run(
        [sys.executable, '-c', program, device],
        # The validation layer of Debian 13 waits, when a forked child exits, for a thread that only its parent has.
        env=dict(python_path, PROXEL_VALIDATION=''),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (0, '300\n'), ended.stderr


def test_what_cannot_be_pickled_says_so():
    index = proxel.Index(rows, device='cpu')
    for one in index, index.device, proxel.StringIndex(['a'], device='cpu'):
        with pytest.raises(TypeError, match='cannot be pickled'):
            pickle.dumps(one)


def test_answers_and_errors_can_be_pickled():
    found = proxel.Index(rows, device='cpu').search(rows[:3], 2, report=True)
    again = pickle.loads(pickle.dumps(found))
    assert (again.indices == found.indices).all() and again.report == found.report and again.metric == 'l2sq'
    try:
        proxel.Index(rows, 'l3', 'cpu')
    except proxel.ProxelError as error:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.subject) == (
            type(error),
            str(error),
            error.subject,
        ) and again.subject == 'metric'


@pytest.mark.parametrize(
    'end', ['', 'sys.exit(0)', 'del index', 'index.close(); del proxel', 'import gc; index.me = index; del index']
)
def test_programs_end(end, device, python_path):
    program = f'''
import sys, threading
import numpy as np, proxel
rows = np.ones((3000, 16), np.float32)
index = proxel.Index(rows, device={device!r})
index.search(rows[:3], 2)
{end}
'''
    ended = subprocess.run([sys.executable, '-c', program], env=python_path, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, '', '')


def test_programs_end_while_daemons_search(device, python_path):
    program = f'''
import sys, threading, time
import numpy as np, proxel
rows = np.ones((30000, 64), np.float32)
index = proxel.Index(rows, 'l1', {device!r}, method='scan')
def search():
    while True:
        index.search(rows, 2)
for _ in range(3):
    threading.Thread(target=search, daemon=True).start()
time.sleep(0.3)
'''
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, '-c', program], env=python_path, capture_output=True, text=True, timeout=60
        )
        # A thread that comes too late may say that its index is gone.
        assert ended.returncode == 0 and 'FATAL' not in ended.stderr, ended.stderr
