"""The platform that a wheel says it is for, from what its library needs.

    python/wheel_platform.py LIBRARY

manylinux_2_N, where the library needs symbols of glibc up to version 2.N and nothing beside what every Linux has (PEP 600,
whose list of libraries this is); linux, which no index takes, where it needs more."""
import platform
import re
import subprocess
import sys

# Of what PEP 600's policies allow, the part that has the same symbols everywhere.
allowed = re.compile(r'lib(c|m|z|dl|rt|pthread)\.so\.\d+|ld-linux[-\w]*\.so\.\d+')


def read(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(library):
    """Names of the libraries that one needs."""
    return re.findall(r'NEEDED.*\[(.+)\]', read('readelf', '--dynamic', library))


def newest_glibc(library):
    """The version of glibc that it needs, as (2, 34)."""
    versions = re.findall(r'GLIBC_(\d+)\.(\d+)', read('readelf', '--version-info', library))
    return max((int(major), int(minor)) for major, minor in versions)


def platform_of(library):
    machine = platform.machine()
    others = [name for name in needed(library) if not allowed.fullmatch(name)]
    if others:
        print(f'proxel: the library needs {", ".join(others)}: the wheel is for this machine alone', file=sys.stderr)
        return f'linux_{machine}'
    major, minor = newest_glibc(library)
    return f'manylinux_{major}_{minor}_{machine}'


if __name__ == '__main__':
    print(platform_of(sys.argv[1]))
