"""Builds the Python package with the library inside: one wheel for every Python, since nothing is compiled against it.

    pip install .                      the library as CMake's defaults have it, but standing alone (PROXEL_STANDALONE)
    PROXEL_CMAKE_ARGS=-DPROXEL_CUDA=OFF pip install .
    PROXEL_PREBUILT=build/libproxel.so pip install .      a library that is there, as it is
    pip install -e .                   without a library: PROXEL_LIBRARY says where it is
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

root = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(root / 'python'))
from wheel_platform import platform_of  # noqa: E402


def version():
    return re.search(r'project\(proxel VERSION (\S+)', (root / 'CMakeLists.txt').read_text())[1]


class BuildWithLibrary(build_py):
    """The package's files, and libproxel beside them."""

    def run(self):
        super().run()
        if not getattr(self, 'editable_mode', False):
            library = self.built()
            target = pathlib.Path(self.build_lib) / 'proxel' / f'libproxel.so.{version().split(".")[0]}'
            shutil.copy(library, target)
            subprocess.run(['strip', '--strip-unneeded', target], check=True)

    def built(self):
        """The library, which CMake has made."""
        if os.environ.get('PROXEL_PREBUILT'):
            return pathlib.Path(os.environ['PROXEL_PREBUILT']).resolve()
        folder = root / 'build-wheel'
        configure = [
            'cmake',
            '-S',
            root,
            '-B',
            folder,
            '-DCMAKE_BUILD_TYPE=Release',
            '-DPROXEL_STANDALONE=ON',
            '-DPROXEL_APPS=OFF',
            '-DPROXEL_TESTS=OFF',
            *shlex.split(os.environ.get('PROXEL_CMAKE_ARGS', '')),
        ]
        # A folder that was configured keeps its generator.
        if shutil.which('ninja') and not (folder / 'CMakeCache.txt').exists():
            configure[1:1] = ['-G', 'Ninja']
        subprocess.run(configure, check=True)
        subprocess.run(
            ['cmake', '--build', folder, '--parallel', str(os.cpu_count()), '--target', 'proxel_shared'], check=True
        )
        return folder / 'libproxel.so'


class WheelOfAnyPython(bdist_wheel):
    """A wheel for one platform and every Python 3."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        library = next(pathlib.Path(self.bdist_dir).glob('**/libproxel.so*'), None)
        return 'py3', 'none', platform_of(library) if library else 'any'


class Distributed(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(), cmdclass={'build_py': BuildWithLibrary, 'bdist_wheel': WheelOfAnyPython}, distclass=Distributed
)
