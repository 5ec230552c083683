#!/usr/bin/env python3
"""Writes proxel/_abi.py: what the public C headers declare, as cffi reads it.

    python/generate_abi.py [--check]      --check: fails where the file is not what would be written

It needs cffi with its parser (Debian: python3-cffi). The file is kept in the repository, so that a checkout is used as
it lies there; a test runs --check, so that headers and file cannot drift apart."""
import contextlib
import io
import pathlib
import re
import sys
import tempfile

import cffi

here = pathlib.Path(__file__).resolve().parent
headers = here.parent / 'core/include/proxel'
written = here / 'proxel/_abi.py'


def umbrella():
    """The headers that proxel.h includes, each behind those that it needs."""
    ordered = []

    def visit(name):
        text = (headers.parent / name).read_text()
        for included in re.findall(r'^#include "(proxel/c/\w+\.h)"', text, re.M):
            if included not in ordered:
                visit(included)
        if name.startswith('proxel/c/'):
            ordered.append(name)

    visit('proxel/proxel.h')
    return ordered


def declarations(name):
    """What a header declares, in the part of C that cffi reads: no comments, no directives but constants."""
    text = re.sub(r'/\*.*?\*/', '', (headers.parent / name).read_text(), flags=re.S)
    text = re.sub(r'^#ifdef __cplusplus\n.*?^#endif\n', '', text, flags=re.S | re.M)
    text = re.sub(r'\\\n', ' ', text)
    constants = []
    for constant, value in re.findall(
        r'^#define (PROXEL_\w+) +(?:UINT64_C\()?(0x[0-9A-Fa-f]+|\d+)u?\)?\s*$', text, re.M
    ):
        constants.append(f'#define {constant} {value}')
    text = re.sub(r'^#.*\n', '', text, flags=re.M)
    text = text.replace('PROXEL_API ', '')
    return '\n'.join(constants + [text])


def version():
    """That of the headers, as PROXEL_VERSION counts it."""
    found = re.search(r'project\(proxel VERSION (\d+)\.(\d+)\.(\d+)', (here.parent / 'CMakeLists.txt').read_text())
    major, minor, patch = map(int, found.groups())
    return major * 1000000 + minor * 1000 + patch


def generated():
    ffi = cffi.FFI()
    for name in umbrella():
        ffi.cdef(declarations(name))
    ffi.cdef(f'#define PROXEL_VERSION {version()}')
    ffi.set_source('proxel._abi', None)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / '_abi.py'
        with contextlib.redirect_stdout(io.StringIO()):  # it says where it writes
            ffi.emit_python_code(str(path))
        text = path.read_text()
    return text.replace('# auto-generated file\n', '# Written by python/generate_abi.py. Do not edit.\n')


def main():
    text = generated()
    if '--check' in sys.argv[1:]:
        if not written.exists() or written.read_text() != text:
            sys.exit(f'{written} is not what the headers say: run python/generate_abi.py')
    else:
        written.write_text(text)


if __name__ == '__main__':
    main()
