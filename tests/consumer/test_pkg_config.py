"""Programs built with pkg-config and a compiler alone, from a tree that was moved."""
import os
import shlex
import shutil
import unittest

from support import Consumer, c_example, here, tree


class PkgConfig(Consumer):
    def setUp(self):
        super().setUp()
        self.tree = self.folder / 'moved'
        shutil.copytree(tree, self.tree, symlinks=True, ignore=shutil.ignore_patterns('bin', 'cmake'))
        [description] = self.tree.glob('lib*/**/proxel.pc')
        self.libraries = description.parents[1]
        # No other .pc file is to be had: neither form may ask for those of what it is made of.
        self.environment = {**os.environ, 'PKG_CONFIG_LIBDIR': str(description.parent),
                            'LD_LIBRARY_PATH': str(self.libraries)}
        self.environment.pop('PKG_CONFIG_PATH', None)

    def ask(self, *options):
        return shlex.split(self.succeed('pkg-config', *options, 'proxel', env=self.environment))

    def programs_are_built(self, libraries):
        flags = shlex.split(os.environ['CXXFLAGS']) + self.ask('--cflags')
        program = self.folder / 'program'
        for compiler, source in ((['CXX', '-std=c++20'], here / 'project/nearest.cpp'),
                                 (['CC', '-std=c99'], c_example)):
            self.succeed(os.environ[compiler[0]], compiler[1], source, '-o', program, *flags, *libraries)
            self.succeed(program, env=self.environment)
            yield self.succeed('readelf', '-d', program)

    def test_shared(self):
        for needed in self.programs_are_built(self.ask('--libs')):
            self.assertIn('libproxel.so.0', needed)

    def test_static(self):
        # Where a shared library lies beside it, the linker prefers that.
        for library in self.libraries.glob('libproxel.so*'):
            library.unlink()
        for needed in self.programs_are_built(self.ask('--static', '--libs')):
            self.assertNotIn('libproxel', needed)

    def test_only_its_own_headers_are_named(self):
        [option] = self.ask('--cflags')
        self.assertEqual(os.path.realpath(option.removeprefix('-I')), str((self.tree / 'include').resolve()))

    def test_version(self):
        self.assertEqual(self.ask('--modversion'), [os.environ['PROXEL_VERSION']])


if __name__ == '__main__':
    unittest.main()
