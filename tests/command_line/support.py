"""What the command-line tests share: running the program, files, a brute force."""

import json
import math
import os
import random
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("PROXEL_PROGRAM", "proxel")
BENCH = os.environ.get("PROXEL_BENCH", "proxel-bench")
NO_NEIGHBOR = 0xFFFFFFFF


class CommandLineTest(unittest.TestCase):
    """Every test has an empty folder of its own, which is also where the program runs."""

    program = PROGRAM

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """A file of the test's folder, in folders that are made for it; its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def run_program(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, env=self.environment, timeout=240)

    def succeed(self, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return result

    def succeed_json(self, *arguments):
        """The JSON document, after checking that stderr stayed empty."""
        result = self.succeed(*arguments, "--json")
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def fail_with(self, code, *arguments):
        """stderr of a run that must fail with that exit code and say why in one line, behind notes."""
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        name = os.path.basename(self.program)
        said = [line for line in result.stderr.splitlines() if not line.startswith(f"{name}: note: ")]
        self.assertRegex(said[0], rf"^{name}: error: .+: .+")
        return result.stderr


def random_rows(rows, columns, seed, integers=False):
    """Rows of values that binary32 holds exactly."""
    generator = random.Random(seed)
    if integers:
        return [[float(generator.randrange(-20, 21)) for _ in range(columns)] for _ in range(rows)]
    return [[rounded(generator.random()) for _ in range(columns)] for _ in range(rows)]


def rounded(value):
    """The nearest binary32 value. Sums, differences and products of two binary32
    values that were formed in binary64 are rounded correctly by this."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def write_npy(path, rows):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows), len(rows[0]))
    header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            file.write(struct.pack("<%df" % len(row), *row))


def read_npy_values(path):
    """(type, shape, values) of a little-endian 4-byte .npy file."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:6] == b"\x93NUMPY"
    size = struct.unpack("<H" if data[6] == 1 else "<I", data[8:10 if data[6] == 1 else 12])[0]
    start = (10 if data[6] == 1 else 12) + size
    header = eval(data[start - size:start].decode(), {"__builtins__": {}})
    assert not header["fortran_order"]
    kind = header["descr"].lstrip("<|=")
    letter = {"f4": "f", "u4": "I", "i4": "i"}[kind]
    shape = header["shape"]
    return kind, shape, list(struct.unpack("<%d%s" % (math.prod(shape), letter), data[start:]))


def read_npy(path):
    """(type, rows) of one of two dimensions."""
    kind, (count, columns), values = read_npy_values(path)
    return kind, [list(values[row * columns:(row + 1) * columns]) for row in range(count)]


def distance(metric, query, row):
    """Canonical: binary32, one rounding per operation, dimension by dimension."""
    total = 0.0
    for q, r in zip(query, row):
        if metric == "ip":
            total = rounded(total + rounded(q * r))
            continue
        difference = rounded(q - r)
        if metric == "l1":
            total = rounded(total + abs(difference))
        elif metric == "linf":
            total = max(total, abs(difference))
        else:
            total = rounded(total + rounded(difference * difference))
    return rounded(total ** 0.5) if metric == "l2" else total


def brute_force(metric, database, queries, k):
    """(indices, distances), padded where k exceeds the number of rows."""
    indices, distances = [], []
    largest_first = metric == "ip"
    # l2 takes the root of the results only, so rows are ordered by l2sq.
    ordering = "l2sq" if metric == "l2" else metric
    for query in queries:
        found = sorted((-d if largest_first else d, index)
                       for index, d in enumerate(distance(ordering, query, row) for row in database))
        chosen = [index for _, index in found[:k]]
        padding = k - len(chosen)
        end = float("-inf") if largest_first else float("inf")
        indices.append(chosen + [NO_NEIGHBOR] * padding)
        distances.append([distance(metric, query, database[i]) for i in chosen] + [end] * padding)
    return indices, distances
