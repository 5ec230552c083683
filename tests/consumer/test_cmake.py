"""Projects that find proxel, or add it as a folder, with CMake."""
import os
import unittest

from support import Consumer, c_example, here, readme_example, repository, run, tree


class CMake(Consumer):
    def configure(self, *options):
        source = self.folder / 'readme.cpp'
        source.write_text(readme_example()[0])
        return run(os.environ['PROXEL_CMAKE'], '-S', here / 'project', '-B', self.folder,
                   '-G', os.environ['PROXEL_GENERATOR'], f'-DC_EXAMPLE={c_example}', f'-DREADME_EXAMPLE={source}',
                   f'-DCMAKE_PREFIX_PATH={tree}', *options)

    def target_is_built(self, *options):
        configured = self.configure(*options)
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        self.succeed(os.environ['PROXEL_CMAKE'], '--build', self.folder)
        for program in 'nearest', 'nearest_c':
            self.succeed(self.folder / program)
        self.assertEqual(self.succeed(self.folder / 'readme'), readme_example()[1])

    def shared_libraries_of(self, program):
        return self.succeed('readelf', '-d', self.folder / program)

    def test_static(self):
        self.target_is_built('-DFORM=static')
        self.assertNotIn('libproxel', self.shared_libraries_of('nearest'))

    def test_shared(self):
        # Nothing of what proxel itself is made of is needed.
        self.target_is_built('-DFORM=shared', '-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON')
        self.assertIn('libproxel.so.0', self.shared_libraries_of('nearest'))

    def fails_with(self, words, *options):
        configured = self.configure(*options)
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn(words, ' '.join(configured.stderr.split()))

    def test_a_missing_library_is_named(self):
        self.fails_with('static library needs fmt, which was not found (Debian and Ubuntu: libfmt-dev)',
                        '-DFORM=static', '-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON')

    def test_an_unknown_form_is_refused(self):
        self.fails_with('COMPONENTS dynamic was given, one of static and shared is allowed', '-DFORM=dynamic')

    # As a folder the library is configured, and what uses it compiled; building it again takes too long.
    def test_added_as_a_folder(self):
        configured = self.configure(f'-DSOURCES={repository}', '-DBUILD_SHARED_LIBS=ON', '-DPROXEL_CUDA=OFF',
                                    '-DPROXEL_VULKAN=OFF', '-DCMAKE_BUILD_TYPE=Release')
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        if os.environ['PROXEL_GENERATOR'] == 'Ninja':
            self.succeed('ninja', '-C', self.folder, 'CMakeFiles/nearest.dir/nearest.cpp.o')
            everything = self.succeed('ninja', '-C', self.folder, '-t', 'commands', 'all')
            self.assertIn('libproxel.so.0', everything)
            self.assertNotIn('proxel_tool', everything)


if __name__ == '__main__':
    unittest.main()
