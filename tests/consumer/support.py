"""What the tests of the installed tree share."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
repository = here.parents[1]
tree = pathlib.Path(os.environ['PROXEL_TREE'])
c_example = os.environ['PROXEL_C_EXAMPLE']

# For what is asked of builds that are given to others.
of_a_release = unittest.skipIf(os.environ['PROXEL_BUILD_TYPE'] != 'Release' or os.environ['CXXFLAGS'],
                               'it was built for debugging')


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def readme_example():
    """The program that the README begins with, and what it says that this prints."""
    text = (repository / 'README.md').read_text(encoding='utf-8')
    return re.search(r'```cpp\n(.*?)```\nprints, on every device,\n```text\n(.*?)```\n', text, re.DOTALL).groups()


def shared_library():
    [library] = tree.glob('lib*/**/libproxel.so')
    return library


class Consumer(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='proxel-consumer-'))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeed(self, *command, **more):
        done = run(*command, **more)
        self.assertEqual(done.returncode, 0, f'{command}\n{done.stdout}{done.stderr}')
        return done.stdout
