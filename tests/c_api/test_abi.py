"""The binary interface is the one that programs were built with.

What the headers declare, what the library exports, what the tests call and what is written down in symbols.txt and
abi_lp64.txt are compared. A change of either file is a change of the interface: structs grow at their end, and
nothing that was released is taken away."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

here = pathlib.Path(__file__).resolve().parent
headers = sorted((here.parents[1] / 'core/include/proxel/c').glob('*.h'))


def declarations():
    return '\n'.join(re.sub(r'/\*.*?\*/', '', header.read_text(), flags=re.S) for header in headers)


def listed():
    return (here / 'symbols.txt').read_text().split()


class Abi(unittest.TestCase):
    def test_the_headers_declare_what_is_listed(self):
        declared = re.findall(r'^PROXEL_API[^;(]*?(\w+)\(', declarations(), re.M)
        self.assertEqual(sorted(declared), listed())

    def test_the_library_exports_what_is_listed(self):
        output = subprocess.run(['nm', '-D', '--defined-only', os.environ['PROXEL_LIBRARY']],
                                capture_output=True, text=True, check=True).stdout
        # Without those of C++, whose names are mangled.
        exported = [line.split()[-1].split('@')[0] for line in output.splitlines()]
        self.assertEqual(sorted(name for name in exported if re.match('proxel', name, re.I)), listed())

    def test_every_function_is_called_by_a_test(self):
        sources = '\n'.join(path.read_text() for pattern in ('*.cpp', '*.hpp') for path in here.glob(pattern))
        self.assertEqual([name for name in listed() if not re.search(rf'\b{name}\b', sources)], [])

    def test_structs_and_constants_are_laid_out_as_before(self):
        output = subprocess.run([os.environ['PROXEL_ABI']], capture_output=True, text=True, check=True).stdout
        self.assertEqual(output.splitlines(), (here / 'abi_lp64.txt').read_text().splitlines())

    def test_every_struct_and_constant_is_written_down(self):
        layout = (here / 'abi_lp64.txt').read_text()
        for name, body in re.findall(r'typedef struct (\w+) \{(.*?)\} \1;', declarations(), re.S):
            members = re.findall(r'(\w+)(?:\[\d+\])?;', body)
            self.assertIn(f'{name}: ', layout)
            for member in members:
                self.assertIn(f'  {name}.{member} at ', layout)
        for constant in re.findall(r'^\s*(PROXEL_\w+) = \d+', declarations(), re.M):
            self.assertIn(f'{constant} = ', layout)


if __name__ == '__main__':
    if sys.maxsize < 2**32:
        sys.exit('the layouts are those of 64-bit systems')
    unittest.main()
