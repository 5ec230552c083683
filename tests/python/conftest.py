"""Every test that takes `device` runs on every device of this machine, one of each backend."""
import os
import pathlib
import sys

import numpy as np
import pytest

# JAX takes three quarters of a device's memory at once otherwise.
os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'python'))
import proxel  # noqa: E402


def device_ids():
    ids = []
    for device in proxel.devices():
        if device.unusable is None and (device.id.startswith('cpu') or device.id.endswith(':0')):
            ids.append(device.id)
    return ids


def pytest_generate_tests(metafunc):
    if 'device' in metafunc.fixturenames:
        metafunc.parametrize('device', device_ids())


@pytest.fixture
def random():
    return np.random.default_rng(7)


@pytest.fixture
def python_path():
    """The environment of a program that finds what this one has found, and that says where it was if it crashes."""
    return dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONFAULTHANDLER='1')
