"""A wheel of this build's library: what is in it, what it says of itself, and that it is installed and used."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from try_wheel import try_wheel

root = pathlib.Path(__file__).resolve().parents[2]


def test_a_wheel_is_installed_and_searches(tmp_path):
    missing = [name for name in ('pip', 'setuptools', 'wheel', 'venv') if not importlib.util.find_spec(name)]
    if missing or 'PROXEL_LIBRARY' not in os.environ:
        pytest.skip(f'there is no {", ".join(missing) or "PROXEL_LIBRARY"}')
    # In a copy: what is built leaves folders beside setup.py.
    for name in 'pyproject.toml', 'setup.py', 'setup.cfg', 'README.md', 'LICENSE', 'CMakeLists.txt':
        shutil.copy(root / name, tmp_path)
    shutil.copytree(root / 'python', tmp_path / 'python', ignore=shutil.ignore_patterns('__pycache__', 'libproxel*'))
    command = [
        sys.executable,
        '-m',
        'pip',
        '--disable-pip-version-check',
        'wheel',
        '--quiet',
        '--no-deps',
        '--no-index',
    ]
    environment = dict(os.environ, PROXEL_PREBUILT=os.environ['PROXEL_LIBRARY'])
    subprocess.run([*command, '--no-build-isolation', '-w', tmp_path, tmp_path], check=True, env=environment)
    [wheel] = tmp_path.glob('*.whl')
    try_wheel(wheel, tmp_path / 'tried')
