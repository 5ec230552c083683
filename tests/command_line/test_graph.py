"""proxel graph: its files, read back and checked against a brute force."""

import json
import struct
import unittest
import zipfile

from support import (CommandLineTest, NO_NEIGHBOR, brute_force, random_rows, read_npy, write_npy)

try:
    import numpy
except ImportError:
    numpy = None
try:
    import scipy.sparse
except ImportError:
    scipy = None


def read_array(data):
    """(descr, shape, values) of the bytes of a little-endian .npy file."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    (size,) = struct.unpack("<H", data[8:10])
    assert (10 + size) % 64 == 0
    header = eval(data[10:10 + size].decode(), {"__builtins__": {}})
    assert not header["fortran_order"]
    values = data[10 + size:]
    kind = header["descr"]
    if kind != "|S3":
        letter = {"<i4": "i", "<i8": "q", "<f4": "f"}[kind]
        values = list(struct.unpack("<%d%s" % (len(values) // int(kind[2:]), letter), values))
    return kind, header["shape"], values


def read_csr(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: read_array(archive.read(name)) for name in archive.namelist()}


def graph_of(metric, rows, k, keep):
    """What each row's neighbours are, by brute force."""
    indices, distances = brute_force(metric, rows, rows, len(rows))
    graph = []
    for row, (found, lengths) in enumerate(zip(indices, distances)):
        edges = [edge for edge in zip(found, lengths) if keep or edge[0] != row]
        graph.append(edges[:k])
    return graph


def clusters_of(graph, cut, mutual):
    """The smallest row of each row's component, by joining sets."""
    component = list(range(len(graph)))
    neighbours = [{index for index, _ in edges} for edges in graph]
    for row, edges in enumerate(graph):
        for index, length in edges:
            if (cut is not None and length > cut) or (mutual and row not in neighbours[index]):
                continue
            smaller, larger = sorted((component[row], component[index]))
            component = [smaller if one == larger else one for one in component]
    return component


class Graph(CommandLineTest):
    def prepare(self, rows=60, columns=5, integers=False):
        self.rows = random_rows(rows, columns, 3, integers)
        write_npy(self.path("rows.npy"), self.rows)
        return ["graph", "rows.npy"]

    def check_csr(self, path, expected):
        arrays = read_csr(self.path(path))
        self.assertEqual(sorted(arrays), ["data.npy", "format.npy", "indices.npy", "indptr.npy",
                                          "shape.npy"])
        self.assertEqual(arrays["format.npy"], ("|S3", (), b"csr"))
        self.assertEqual(arrays["shape.npy"], ("<i8", (2,), [len(self.rows)] * 2))
        first = [0]
        for edges in expected:
            first.append(first[-1] + len(edges))
        self.assertEqual(arrays["indptr.npy"], ("<i4", (len(first),), first))
        self.assertEqual(arrays["indices.npy"],
                         ("<i4", (first[-1],), [index for edges in expected for index, _ in edges]))
        self.assertEqual(arrays["data.npy"],
                         ("<f4", (first[-1],), [length for edges in expected for _, length in edges]))

    def test_a_layout_is_a_map_or_positions_the_same_on_every_device(self):
        rows = [[centre + value for value in row]
                for centre in (0.0, 50.0) for row in random_rows(40, 3, 5 + int(centre))]
        lines = [f"{'near' if i < 40 else 'far'},{x},{y},{z}" for i, (x, y, z) in enumerate(rows)]
        self.write('rows.csv', '\n'.join(['kind,x,y,z', *lines]))
        document = json.loads(self.succeed('graph', 'rows.csv', '--labels', 'kind', '-k', '5', '--layout', 'map.svg',
                                           '--layout-steps', '50', '--json').stdout)
        self.assertEqual(document['layout']['dimensions'], 2)
        self.assertEqual(document['files'], ['map.svg'])
        with open(self.path('map.svg')) as file:
            drawn = file.read()
        self.assertEqual(drawn.count('M'), 80 + drawn.count('MHz'))
        self.assertIn('>near</text>', drawn)
        # Its own map is written over, another file is not.
        self.succeed('graph', 'rows.csv', '--labels', 'kind', '-k', '5', '--layout', 'map.svg')
        self.write('other.svg', '<svg/>')
        self.fail_with(2, 'graph', 'rows.csv', '--labels', 'kind', '-k', '5', '--layout', 'other.svg')
        positions = {}
        devices = [one['id'] for one in self.succeed_json('devices')['devices'] if one.get('usable', True)]
        for device in devices:
            self.succeed('graph', 'rows.csv', '--labels', 'kind', '-k', '5', '--device', device, '--layout', 'at.npy', '--force',
                         '--layout-dimensions', '3', '--layout-seed', '9')
            with open(self.path('at.npy'), 'rb') as file:
                positions[device] = file.read()
        self.assertEqual(len(set(positions.values())), 1, list(positions))
        self.fail_with(2, 'graph', 'rows.csv', '--labels', 'kind', '--layout', 'map.svg', '--layout-dimensions', '3')

    def test_what_could_not_be_done_is_refused_before_the_search(self):
        arguments = self.prepare()
        for option, value, why in (("--clusters", "c.xyz", "integers can be written as .npy"),
                                   ("--layout", "m.png", "floats can be written as .npy"),
                                   ("--layout", "none/m.npy", "--layout: the folder 'none' does not exist")):
            error = self.fail_with(2, *arguments, option, value, "--device", "cpu")
            self.assertIn(why, error)
            self.assertLessEqual(error.count("--layout"), 1)
        clusters = [*arguments, "--clusters", "c.npy", "--cut"]
        self.assertIn("--cut: nan was given", self.fail_with(2, *clusters, "nan"))
        self.assertIn("--cut: -1 was given; no l2sq distance is negative", self.fail_with(2, *clusters, "-1"))
        self.succeed(*clusters, "-1", "--metric", "ip", "--device", "cpu")

    def test_every_row_finds_its_nearest_others_by_any_method(self):
        arguments = self.prepare()
        for metric, method in (("l2sq", "auto"), ("l1", "scan"), ("l2", "texel"), ("ip", "auto"),
                               ("linf", "scan"), ("l2sq", "komarov"), ("l2", "komarov")):
            for self_edges in ("exclude", "keep"):
                with self.subTest(metric=metric, method=method, self_edges=self_edges):
                    self.succeed(*arguments, "-k", 7, "--metric", metric, "--method", method,
                                 "--self", self_edges, "--output", "graph.npz")
                    self.check_csr("graph.npz",
                                   graph_of(metric, self.rows, 7, self_edges == "keep"))

    def test_duplicates_of_a_row_stay_when_it_is_left_out_itself(self):
        arguments = self.prepare()
        self.rows = self.rows[:3] * 20
        write_npy(self.path("rows.npy"), self.rows)
        self.succeed(*arguments, "-k", 4, "--output", "graph.npz")
        self.check_csr("graph.npz", graph_of("l2sq", self.rows, 4, False))

    def test_missing_neighbours_are_no_edges_but_padding_in_the_matrices(self):
        arguments = self.prepare(rows=3)
        self.succeed(*arguments, "-k", 4, "--output", "graph.npz")
        self.check_csr("graph.npz", graph_of("l2sq", self.rows, 4, False))
        self.succeed(*arguments, "-k", 4, "--output", "graph")
        kind, indices = read_npy(self.path("graph.indices.npy"))
        self.assertEqual(kind, "u4")
        expected = [[index for index, _ in edges] + [NO_NEIGHBOR] * 2
                    for edges in graph_of("l2sq", self.rows, 4, False)]
        self.assertEqual(indices, expected)
        _, distances = read_npy(self.path("graph.distances.npy"))
        self.assertEqual([row[2:] for row in distances], [[float("inf")] * 2] * 3)

    def test_json_has_the_neighbours_or_the_file(self):
        arguments = self.prepare()
        document = self.succeed_json(*arguments, "-k", 3)
        self.assertEqual([row["indices"] for row in document["neighbors"]],
                         [[index for index, _ in edges]
                          for edges in graph_of("l2sq", self.rows, 3, False)])
        self.assertEqual((document["command"], document["k"], document["self"], document["edges"]),
                         ("graph", 3, "exclude", 180))
        document = self.succeed_json(*arguments, "-k", 3, "--output", "graph.npz")
        self.assertNotIn("neighbors", document)
        self.assertEqual(document["files"], ["graph.npz"])

    def test_clusters_are_what_hangs_together(self):
        arguments = self.prepare()
        graph = graph_of("l2", self.rows, 3, False)
        lengths = sorted(length for edges in graph for _, length in edges)
        counts = set()
        for cut in (None, lengths[len(lengths) // 3], lengths[0] / 2):
            for mutual in (False, True):
                with self.subTest(cut=cut, mutual=mutual):
                    expected = clusters_of(graph, cut, mutual)
                    options = (["--cut", repr(cut)] if cut is not None else []) + ["--mutual"] * mutual
                    document = self.succeed_json(*arguments, "-k", 3, "--metric", "l2", "--force",
                                                 "--clusters", "clusters.npy", *options)
                    _, written = read_npy(self.path("clusters.npy"))
                    self.assertEqual([row[0] for row in written], expected)
                    clusters = document["clusters"]
                    self.assertEqual(clusters["count"], len(set(expected)))
                    self.assertEqual(clusters["alone"],
                                     sum(expected.count(one) == 1 for one in set(expected)))
                    largest = max(sorted(set(expected)), key=expected.count)
                    self.assertEqual(clusters["largest"][0],
                                     {"first_row": largest, "rows": expected.count(largest)})
                    self.assertEqual(document["files"], ["clusters.npy"])
                    counts.add(clusters["count"])
        self.assertGreater(len(counts), 2)
        out = self.succeed(*arguments, "-k", 3, "--clusters", "clusters.csv").stdout
        self.assertIn("single row", out)
        self.assertNotIn("neighbour", out)
        self.assertIn("--clusters", self.fail_with(2, *arguments, "--cut", "1"))

    def test_the_trace_names_passes_and_the_table_shows_rows(self):
        arguments = self.prepare()
        out = self.succeed(*arguments, "-k", 2, "--trace").stdout
        self.assertIn("neighbour", out)
        self.assertIn("120 edges among 60 rows", out)
        self.assertIn("select", out)

    def test_bad_input_is_refused_before_the_work(self):
        arguments = self.prepare()
        self.assertIn("no/such", self.fail_with(2, *arguments, "--output", "no/such/graph.npz"))
        self.assertIn("'best'", self.fail_with(2, *arguments, "--method", "best"))
        self.assertIn("--self", self.fail_with(2, *arguments, "--self", "maybe"))
        self.fail_with(2, "graph", "missing.npy")

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy_reads_the_archive(self):
        arguments = self.prepare()
        self.succeed(*arguments, "-k", 7, "--output", "graph.npz")
        with numpy.load(self.path("graph.npz")) as arrays:
            self.assertEqual(arrays["format"].item(), b"csr")
            self.assertEqual(arrays["indptr"].tolist(), list(range(0, 427, 7)))

    @unittest.skipIf(scipy is None, "SciPy is not installed")
    def test_scipy_reads_a_csr_matrix(self):
        arguments = self.prepare()
        self.succeed(*arguments, "-k", 7, "--output", "graph.npz")
        matrix = scipy.sparse.load_npz(self.path("graph.npz"))
        self.assertEqual((matrix.format, matrix.shape, matrix.nnz), ("csr", (60, 60), 420))


if __name__ == "__main__":
    unittest.main()
