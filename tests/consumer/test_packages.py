"""What cpack packs: every part is there, and what is unpacked works where it lies."""
import configparser
import csv
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import Consumer, of_a_release, run

build = os.environ['PROXEL_BUILD']
parts = os.environ['PROXEL_PARTS'].split()
version = os.environ['PROXEL_VERSION']
with open(os.path.join(build, 'CPackConfig.cmake')) as configuration:
    [generator] = re.findall(r'^set\(CPACK_GENERATOR "(\w+)"\)', configuration.read(), re.M)
# What cpack makes a package with; "file" tells it which files are programs.
SKIPPED = 77
needed_programs = {'DEB': ('dpkg-deb', 'dpkg-shlibdeps', 'file'), 'TGZ': ('tar',)}[generator]


class Packages(Consumer):
    @classmethod
    def setUpClass(cls):
        cls.keep = Consumer()
        cls.keep.setUp()
        cls.addClassCleanup(cls.keep.doCleanups)
        folder = cls.keep.folder
        cls.keep.succeed(os.environ['PROXEL_CPACK'], '--config', f'{build}/CPackConfig.cmake', '-B', folder / 'packed')
        cls.root = folder / 'unpacked'
        cls.root.mkdir()
        cls.packages = {}
        if generator == 'DEB':
            for package in (folder / 'packed').glob('*.deb'):
                cls.packages[package.name.split('_')[0]] = package
                cls.keep.succeed('dpkg-deb', '-x', package, cls.root)
            cls.root = cls.root / 'usr'
        else:
            [package] = (folder / 'packed').glob('*.tar.gz')
            cls.keep.succeed('tar', '-xzf', package, '-C', cls.root)
            cls.root = cls.root / f'proxel-{version}-Linux'
        cls.environment = {**os.environ, 'HOME': str(folder)}
        # Packages of the system need not say where it keeps its libraries.
        if generator == 'DEB':
            [library] = cls.root.glob('lib/**/libproxel.so.0')
            cls.environment['LD_LIBRARY_PATH'] = str(library.parent)

    def program(self, name, *arguments):
        return self.succeed(self.root / 'bin' / name, *arguments, env=self.environment)

    def commands(self, *words):
        """The commands of the tool, each as the words that call it."""
        yield words
        found = re.search(r'^Subcommands:\n((?: .+\n)+)', self.program('proxel', *words, '--help'), re.M)
        for name in re.findall(r'^  (\S+)', found.group(1), re.M) if found else ():
            yield from self.commands(*words, name)

    def test_the_library_is_whole(self):
        for pattern in ('lib/**/libproxel.so.0', 'lib/**/libproxel.a', 'lib/**/proxelConfig.cmake', 'lib/**/proxel.pc',
                        'include/proxel/proxel.h', 'include/proxel/index.hpp', 'include/proxel/version.h'):
            self.assertTrue(list(self.root.glob(pattern)), pattern)
        self.assertEqual(list(self.root.glob('include/proxel/arithmetic')), [])

    @unittest.skipUnless('tool' in parts, 'the tool was not built')
    def test_the_tool_runs_and_finds_its_data(self):
        self.assertEqual(self.program('proxel', '--version'), f'proxel {version}\n')
        self.assertIn('cpu', self.program('proxel', 'devices'))
        self.assertEqual(self.program('proxel-bench', '--version'), f'proxel-bench {version}\n')
        timed = csv.DictReader(io.StringIO(self.program('proxel-bench', 'latency', '--quick', '--csv', '--device', 'cpu')))
        self.assertEqual({line['name'] for line in timed}, {'empty_submit_cpu', 'proxel_scan_cpu'})
        few = '--csv', '--query-count', 2, '--k', 1
        judged = csv.DictReader(io.StringIO(self.program('proxel', 'accuracy', *few)))
        self.assertIn('CoverType', {line['data'] for line in judged})
        # It is a package of its own, without which the tool says what it lacks.
        moved = self.root / 'elsewhere'
        (self.root / 'share/proxel').rename(moved)
        self.addCleanup(moved.rename, self.root / 'share/proxel')
        without = run(self.root / 'bin/proxel', 'accuracy', *few, env=self.environment)
        self.assertEqual(without.returncode, 0, without.stderr)
        self.assertIn(f'there is no {self.root}/share/proxel/covtype_20k.csv.gz', without.stderr)
        self.assertIn('--data', without.stderr)
        self.assertNotIn('CoverType', without.stdout)

    @unittest.skipUnless('manual' in parts, 'there is no help2man')
    def test_the_manual_has_every_command(self):
        pages = {page.name: gzip.decompress(page.read_bytes()).decode()
                 for page in self.root.glob('share/man/man1/*.1.gz')}
        if 'tool' in parts:
            expected = {'-'.join(('proxel', *words)): words for words in self.commands()}
            self.assertGreater(len(expected), 10)
            self.assertEqual({name for name in pages if name not in ('proxel-bench.1.gz', 'proxel-demo.1.gz')},
                             {f'{name}.1.gz' for name in expected})
            calls = {name: ('proxel', *words) for name, words in expected.items()} | {'proxel-bench': ('proxel-bench',)}
            for name, call in calls.items():
                for option in re.findall(r'^  (?:-\w,)?(--[\w-]+)', self.program(*call, '--help'), re.M):
                    self.assertIn(option.replace('-', r'\-'), pages[f'{name}.1.gz'], name)
        if 'demo' in parts:
            self.assertIn(r'\-\-offscreen', pages['proxel-demo.1.gz'])
        for name, page in pages.items():
            self.assertNotIn(build, page, name)

    @unittest.skipUnless('demo' in parts, 'the demo was not built')
    def test_the_demo_is_there_for_desktops(self):
        self.assertEqual(self.program('proxel-demo', '--version'), f'proxel-demo {version}\n')
        file = self.root / 'share/applications/proxel-demo.desktop'
        if shutil.which('desktop-file-validate'):
            self.assertEqual(self.succeed('desktop-file-validate', file), '')
        entry = configparser.ConfigParser(delimiters='=', interpolation=None)
        entry.read(file)
        self.assertTrue((self.root / 'bin' / entry['Desktop Entry']['Exec']).exists())
        icon = entry['Desktop Entry']['Icon']
        self.assertTrue((self.root / f'share/icons/hicolor/scalable/apps/{icon}.svg').exists())
        self.assertTrue((self.root / 'share/proxel/pictures').is_dir())

    @unittest.skipUnless(generator == 'DEB', 'the module is in packages of Debian alone')
    def test_the_module_for_python_finds_the_library_of_the_system(self):
        modules = self.root / 'lib/python3/dist-packages'
        self.assertEqual(list(modules.rglob('*.so*')) + list(modules.rglob('__pycache__')), [])
        for name in 'py.typed', '_abi.py', '_abi.pyi', '__init__.py':
            self.assertTrue((modules / 'proxel' / name).is_file(), name)
        environment = {**self.environment, 'PYTHONPATH': str(modules), 'PYTHONDONTWRITEBYTECODE': '1'}
        environment.pop('PROXEL_LIBRARY', None)
        interpreter = shutil.which('python3', path='/usr/bin')
        if not interpreter or run(interpreter, '-c', 'import cffi, numpy').returncode:
            self.skipTest("the system's Python has no cffi or numpy")
        program = 'import proxel; print(proxel.__version__, proxel.library_path, [one.id for one in proxel.devices()][0])'
        self.assertEqual(self.succeed(interpreter, '-c', program, env=environment), f'{version} libproxel.so.0 cpu\n')

    @of_a_release
    def test_nothing_tells_where_it_was_built(self):
        files = [file for file in self.root.rglob('*') if file.is_file() and not file.is_symlink()]
        self.assertEqual([file for file in files if build.encode() in file.read_bytes()], [])

    @unittest.skipUnless(generator == 'DEB', 'these are not packages of Debian')
    def test_packages_need_what_they_use(self):
        expected = {'libproxel0': 'libfmt', 'libproxel-dev': f'libproxel0 (= {version}-1)',
                    'python3-proxel': f'libproxel0 (>= {version})'}
        if 'tool' in parts:
            expected.update({'proxel': f'libproxel0 (= {version}-1)', 'proxel-data': ''})
        if 'demo' in parts:
            expected['proxel-demo'] = f'proxel-data (= {version}-1)'
        if 'mpi' in parts:
            expected['proxel-mpi'] = f'proxel (= {version}-1)'
        self.assertEqual(set(self.packages), set(expected))
        for name, needed in expected.items():
            depends = self.succeed('dpkg-deb', '-f', self.packages[name], 'Depends')
            self.assertIn(needed, depends, name)
            self.assertNotIn('glslang', depends)
            if name != 'proxel-mpi':
                self.assertNotRegex(depends, 'mpi', name)
            for document in 'changelog.Debian.gz', 'copyright':
                self.assertTrue((self.root / 'share/doc' / name / document).is_file(), f'{name}: {document}')
        self.assertEqual(self.succeed('dpkg-deb', '-f', self.packages['libproxel0'], 'Architecture'),
                         subprocess.check_output(['dpkg', '--print-architecture'], text=True))


if __name__ == '__main__':
    missing = [program for program in needed_programs if shutil.which(program) is None]
    if missing:
        print(f'skipped: cpack needs {" and ".join(missing)}')
        sys.exit(SKIPPED)
    unittest.main()
