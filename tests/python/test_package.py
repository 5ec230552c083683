"""The package as a whole: its declarations, its names, its hints, the library that it finds."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import proxel
import pytest
from proxel._abi import ffi
from proxel._library import lib

root = pathlib.Path(__file__).resolve().parents[2]
package = pathlib.Path(proxel.__file__).parent


def generator():
    spec = importlib.util.spec_from_file_location('generate_abi', root / 'python/generate_abi.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_declarations_are_those_of_the_headers():
    pytest.importorskip('pycparser')
    assert generator().generated() == (package / '_abi.py').read_text(), 'run python/generate_abi.py'


def test_a_header_that_changed_is_noticed(tmp_path):
    pytest.importorskip('pycparser')
    module = generator()
    copied = tmp_path / 'core/include/proxel'
    shutil.copytree(root / 'core/include/proxel/c', copied / 'c')
    shutil.copy(root / 'core/include/proxel/proxel.h', copied)
    module.headers = copied
    assert module.generated() == (package / '_abi.py').read_text()
    header = copied / 'c/index.h'
    header.write_text(header.read_text().replace('uint64_t scratch_limit; ', 'uint32_t scratch_limit; '))
    assert module.generated() != (package / '_abi.py').read_text()


def test_the_library_has_every_function():
    for name in (root / 'tests/c_api/symbols.txt').read_text().split():
        assert getattr(lib, name)


def test_structs_are_laid_out_as_the_library_has_them():
    """Against the layouts that the tests of the C API compare with what C compilers say."""
    tried = 0
    for line in (root / 'tests/c_api/abi_lp64.txt').read_text().splitlines():
        words = line.replace(':', ' ').replace(',', ' ').split()
        if words[1:2] == ['at'] or (len(words) > 2 and words[1] == 'at'):
            struct, member = words[0].split('.')
            assert ffi.offsetof(struct, member) == int(words[2]), line
            tried += 1
    assert tried > 200


def test_names():
    assert sorted(proxel.__all__) == proxel.__all__
    for name in proxel.__all__:
        assert getattr(proxel, name) is not None
    assert proxel.__version__ == proxel.library_version()
    assert (
        set(proxel.metrics()) >= {'l1', 'l2', 'l2sq', 'linf', 'ip', 'cosine', 'pearson'}
        and proxel.methods()[0] == 'auto'
    )
    assert proxel.error_bound('cosine', 8) == 2e-5 and proxel.error_bound('l1', 8) == 0


def test_everything_public_is_described():
    for name in proxel.__all__:
        one = getattr(proxel, name)
        if isinstance(one, type):
            assert one.__doc__, name
            for member, value in vars(one).items():
                if not member.startswith('_') and callable(value):
                    assert value.__doc__, f'{name}.{member}'
        elif callable(one) and not typing.get_origin(one):
            assert one.__doc__, name


def imported(library):
    return subprocess.run(
        [sys.executable, '-c', 'import proxel'],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(package.parent), PROXEL_LIBRARY=str(library)),
    )


def test_a_library_that_is_none_is_an_import_error(tmp_path):
    missing = imported(tmp_path / 'none.so')
    assert missing.returncode == 1 and 'ImportError: proxel: ' in missing.stderr and 'PROXEL_LIBRARY' in missing.stderr
    (tmp_path / 'text.so').write_text('no library')
    assert 'ImportError: proxel: ' in imported(tmp_path / 'text.so').stderr
    assert 'is not libproxel' in imported('libm.so.6').stderr


@pytest.mark.parametrize('version, right', [(0, False), (1000, True), (1001, True), (99000, True), (1000000, False)])
def test_a_library_of_another_version(tmp_path, version, right):
    compiler = shutil.which('cc')
    if not compiler:
        pytest.skip('no C compiler')
    expected = ffi.integer_const('PROXEL_VERSION')
    given = {1000: expected, 1001: expected + 1, 99000: expected + 98000, 1000000: expected + 1000000}.get(
        version, version
    )
    source = tmp_path / 'fake.c'
    source.write_text(f'unsigned proxel_version(void) {{ return {given}u; }}')
    subprocess.run([compiler, '-shared', '-fPIC', '-o', tmp_path / 'fake.so', source], check=True)
    said = imported(tmp_path / 'fake.so').stderr
    # One that has the right version, and nothing else, is found to lack functions by whatever calls them first.
    assert ('this package needs' in said) is not right, said


def test_hints_are_right():
    if not shutil.which('mypy'):
        pytest.skip('mypy is not installed')
    ended = subprocess.run(
        ['mypy', '--strict', '--cache-dir', os.devnull, str(package)], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout


def test_examples_in_the_documentation_of_functions_run():
    ended = subprocess.run(
        [
            sys.executable,
            '-m',
            'pytest',
            '-q',
            '-p',
            'no:cacheprovider',
            '--doctest-modules',
            '--doctest-ignore-import-errors',
            str(package),
        ],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )
    assert ended.returncode == 0 and ' passed' in ended.stdout, ended.stdout


@pytest.mark.parametrize('page', ['README.md', 'docs/python.md'])
def test_examples_of_the_pages_run(page):
    blocks = re.findall(r'```python\n(.*?)```', (root / page).read_text(), re.S)
    assert blocks
    scope = {}
    for block in blocks:
        exec(compile(block, page, 'exec'), scope)
    assert scope['indices'].size
