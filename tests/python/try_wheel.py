"""Installs a wheel in a fresh virtual environment and searches there.

    try_wheel.py WHEEL FOLDER

numpy and cffi are the system's, so that no index of packages is asked. What the wheel says of itself is held against
what is in it: its platform, its size, the libraries that it needs."""
import pathlib
import re
import subprocess
import sys
import zipfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / 'python'))
from wheel_platform import needed, platform_of  # noqa: E402

program = '''
import pathlib, sys
import numpy as np
import proxel
assert pathlib.Path(proxel.__file__).is_relative_to(sys.prefix), proxel.__file__
assert pathlib.Path(proxel.library_path).parent == pathlib.Path(proxel.__file__).parent, proxel.library_path
rows = np.random.default_rng(1).random((2000, 16), dtype=np.float32)
answers = set()
for device in proxel.devices():
    if device.unusable is None:
        with proxel.Index(rows, device=device.id) as index:
            distances, indices = index.search(rows[:100], 5)
        assert (indices[:, 0] == np.arange(100)).all()
        answers.add(distances.tobytes() + indices.tobytes())
        print('searched on', device.id, device.name)
assert len(answers) == 1
for name in ('rows.npz', 'rows.hdf5') if sys.argv[1:] == ['standalone'] else ():
    try:
        pathlib.Path(name).write_bytes(b'PK')
        proxel.read(name)
        raise SystemExit(f'{name} was read')
    except NotImplementedError as error:
        print(error)
'''


def main():
    try_wheel(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))


def try_wheel(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [library] = [name for name in names if '.so' in name]
        inside = archive.extract(library, folder / 'inside')
        tags = re.findall(
            r'^Tag: (.*)$', archive.read(next(name for name in names if name.endswith('/WHEEL'))).decode(), re.M
        )
        cuda = (
            b'proxel_cuda_record_into' in pathlib.Path(inside).read_bytes()
            and b'libcuda' in pathlib.Path(inside).read_bytes()
        )
    assert tags == [f'py3-none-{platform_of(inside)}'] and tags[0] in wheel.name, (tags, wheel.name)
    assert (
        'proxel/py.typed' in names and 'proxel/_abi.py' in names and not [name for name in names if 'pycache' in name]
    ), names
    size, most = wheel.stat().st_size / 1e6, 20 if cuda else 10
    assert size <= most, f'{size:.1f} MB, {most} are allowed'
    print(f'{wheel.name}: {size:.1f} MB; the library needs {", ".join(needed(inside))}')
    subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', folder / 'venv'], check=True)
    # Not this program's: pip would find the package that PYTHONPATH names, and have nothing to do.
    environment = {'PATH': '/usr/bin:/bin', 'HOME': str(folder), 'LC_ALL': 'C.UTF-8'}
    pip = [folder / 'venv/bin/python', '-m', 'pip', '--disable-pip-version-check']
    subprocess.run([*pip, 'install', '--quiet', '--no-index', '--no-deps', wheel], check=True, env=environment)
    kind = ['standalone'] if 'manylinux' in tags[0] else []
    subprocess.run([folder / 'venv/bin/python', '-c', program, *kind], check=True, cwd=folder, env=environment)
    subprocess.run([*pip, 'uninstall', '--quiet', '--yes', 'proxel'], check=True, env=environment)
    assert not list((folder / 'venv').rglob('libproxel*')), 'something was left'


if __name__ == '__main__':
    main()
