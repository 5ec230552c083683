"""groundtruth: the bytes of one search, whatever the blocks, devices and formats; what is verified; what is refused."""

import os
import fcntl
import hashlib
import json
import struct
import time
import unittest

from support import CommandLineTest, brute_force, random_rows, write_npy


def read_ibin(path):
    """(ids, distances) of big-ann-benchmarks' layout; no distances where the file ends behind the ids."""
    with open(path, "rb") as file:
        data = file.read()
    queries, k = struct.unpack("<II", data[:8])
    slots = queries * k
    ids = struct.unpack("<%di" % slots, data[8:8 + 4 * slots])
    rest = data[8 + 4 * slots:]
    assert len(rest) in (0, 4 * slots)
    distances = struct.unpack("<%df" % slots, rest) if rest else None
    rows = lambda values: values and [list(values[query * k:(query + 1) * k]) for query in range(queries)]
    return rows(ids), rows(distances)


def write_ibin(path, ids, distances=None):
    with open(path, "wb") as file:
        file.write(struct.pack("<II", len(ids), len(ids[0])))
        for row in ids:
            file.write(struct.pack("<%di" % len(row), *row))
        for row in distances or []:
            file.write(struct.pack("<%df" % len(row), *row))


class GroundTruth(CommandLineTest):
    def setUp(self):
        super().setUp()
        # Few different values: ties within blocks and across their borders, and duplicates of rows.
        self.rows, self.queries = random_rows(300, 2, seed=1, integers=True), random_rows(7, 2, seed=2, integers=True)
        self.rows[200:240] = self.rows[0:40]
        write_npy(self.path("rows.npy"), self.rows)
        write_npy(self.path("queries.npy"), self.queries)
        self.files = ("--database", "rows.npy", "--queries", "queries.npy")

    def sha(self, name):
        with open(self.path(name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def searched(self, *arguments):
        self.succeed("search", *self.files, "--format", "ibin", "--output", "found", "--force", *arguments)
        return self.sha("found.ibin")

    def truth(self, *arguments, output="gt.ibin"):
        self.succeed("groundtruth", *arguments, "--output", output)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(output + ".")], [])
        return self.sha(output)

    def test_the_bytes_of_a_search_at_every_size_of_blocks(self):
        for k in (1, 40, 299, 300, 301):
            expected = self.searched("-k", k)
            for block in (1, 127, 128, 129, 299, 300, 301):
                if block == 1 and k != 40:
                    continue  # 300 merges
                with self.subTest(k=k, block=block):
                    self.assertEqual(self.truth(*self.files, "-k", k, "--block-rows", block), expected)
        self.assertEqual(self.truth(*self.files, "-k", 40), self.searched("-k", 40))

    def test_brute_force_and_the_padding_behind_all_rows(self):
        self.truth(*self.files, "-k", 302, "--block-rows", 77)
        expected, distances = brute_force("l2sq", self.rows, self.queries, 302)
        ids, found = read_ibin(self.path("gt.ibin"))
        self.assertEqual(ids, [[-1 if i == 0xFFFFFFFF else i for i in row] for row in expected])
        self.assertEqual(found, distances)

    def test_every_metric(self):
        for metric in ("l1", "l2", "linf", "ip", "cosine", "pearson"):
            with self.subTest(metric=metric):
                self.assertEqual(self.truth(*self.files, "-k", 20, "--metric", metric, "--block-rows", 64),
                                 self.searched("-k", 20, "--metric", metric))
        self.assertEqual(self.truth(*self.files, "--metric", "euclidean"), self.searched("-k", 100, "--metric", "l2sq"))
        self.assertEqual(self.truth(*self.files, "--metric", "angular"), self.searched("-k", 100, "--metric", "cosine"))

    def test_several_devices(self):
        expected = self.searched("-k", 30)
        for divide in ("rows", "queries"):
            self.assertEqual(self.truth(*self.files, "-k", 30, "--block-rows", 150, "--device", "cpu,cpu:reference",
                                        "--divide", divide), expected)

    def test_a_part_of_the_rows_and_of_the_queries(self):
        part = ("--first-row", 11, "--rows", 200, "--first-query", 2, "--query-rows", 1, "-k", 9)
        self.assertEqual(self.truth(*self.files, *part, "--block-rows", 60), self.searched(*part))

    def test_every_format_of_the_output(self):
        self.searched("-k", 15)
        self.succeed("search", *self.files, "--format", "vecs", "--output", "found", "-k", 15)
        self.truth(*self.files, "-k", 15, "--distances", "gt.fvecs", output="gt.ivecs")
        self.assertEqual(self.sha("gt.ivecs"), self.sha("found.indices.ivecs"))
        self.assertEqual(self.sha("gt.fvecs"), self.sha("found.distances.fvecs"))
        ids, distances = read_ibin(self.path("found.ibin"))
        self.truth(*self.files, "-k", 15, output="gt.npy")
        with open(self.path("gt.npy"), "rb") as file:
            data = file.read()
        self.assertIn(b"'<i8'", data[:128])
        self.assertEqual(list(struct.unpack("<105q", data[-105 * 8:])), sum(ids, []))
        # cuVS has ids and distances apart.
        self.truth(*self.files, "-k", 15, "--distances", "gt.fbin", output="gt.ibin")
        self.assertEqual(read_ibin(self.path("gt.ibin")), (ids, None))
        self.assertIn("written as .ibin", self.fail_with(2, "groundtruth", *self.files, "--output", "gt.csv"))

    def test_hdf5_as_ann_benchmarks_has_it(self):
        result = self.run_program("groundtruth", *self.files, "-k", 15, "--metric", "l2", "--output", "gt.hdf5")
        if result.returncode == 2 and "no HDF5" in result.stderr:
            self.skipTest("skipped: this build has no HDF5")
        self.assertEqual(result.returncode, 0, result.stderr)
        before = self.sha("gt.hdf5")
        self.assertLess(os.path.getsize(self.path("gt.hdf5")), 8192)
        time.sleep(1.1)  # HDF5 would note the second
        self.assertEqual(self.truth(*self.files, "-k", 15, "--metric", "l2", output="gt.hdf5"), before)
        self.searched("-k", 15, "--metric", "l2")
        ids, distances = read_ibin(self.path("found.ibin"))
        self.succeed("data", "convert", "gt.hdf5#neighbors", "ids.ibin")
        self.assertEqual(read_ibin(self.path("ids.ibin")), (ids, None))
        self.succeed("data", "convert", "gt.hdf5#distances", "distances.fbin")
        with open(self.path("distances.fbin"), "rb") as file:
            self.assertEqual(list(struct.unpack("<105f", file.read()[8:])), sum(distances, []))
        with open(self.path("gt.hdf5"), "rb") as file:
            self.assertIn(b"euclidean", file.read())
        self.succeed("groundtruth", *self.files, "--metric", "l2", "--verify", "gt.hdf5")

    def test_every_format_of_the_rows(self):
        values = [[int(value) for value in row] for row in self.rows]
        counts = struct.pack("<II", 300, 2)
        small = [value % 100 for row in values for value in row]
        self.write("a.u8bin", counts + bytes(small))
        self.write("a.i8bin", counts + struct.pack("<600b", *sum(values, [])))
        self.write("a.f16bin", counts + struct.pack("<600e", *sum(values, [])))
        self.write("a.fbin", counts + struct.pack("<600f", *sum(values, [])))
        self.write("a.fvecs", b"".join(struct.pack("<i2f", 2, *row) for row in values))
        self.write("a.ivecs", b"".join(struct.pack("<i2i", 2, *row) for row in values))
        self.write("a.csv", "\n".join(",".join(map(str, row)) for row in values))
        for name, storage in (("a.u8bin", "uint8"), ("a.i8bin", "int8"), ("a.f16bin", "float16"), ("a.fbin", None),
                              ("a.fvecs", None), ("a.ivecs", None), ("a.csv", None), ("a.u8bin", "float16"),
                              ("a.i8bin", "float16")):
            files = ("--database", name, "--queries", "queries.npy", "-k", 25)
            self.succeed("search", *files, "--format", "ibin", "--output", "found", "--force")
            for stored in ("float32", storage) if storage else ("float32",):
                with self.subTest(name=name, storage=stored):
                    self.assertEqual(self.truth(*files, "--block-rows", 90, "--storage", stored), self.sha("found.ibin"))
        self.assertIn("round", self.fail_with(2, "groundtruth", *self.files, "--output", "x.ibin", "--storage", "float16"))

    def test_made_rows_are_those_that_data_make_writes(self):
        self.succeed("data", "make", "500x8", "made.fbin", "--seed", 3)
        self.succeed("data", "make", "5x8", "asked.fbin")
        for shape in ("10", "0x8", "5x", "10x99999999999"):
            self.assertIn(f"SHAPE: {shape} was given", self.fail_with(2, "data", "make", shape, "other.fbin"))
        self.assertIn("are needed, and ", self.fail_with(4, "data", "make", "4294967295x16000000", "other.fbin"))
        written = self.truth("--database", "made.fbin", "--queries", "asked.fbin", "-k", 10)
        made = self.truth("--database", "made:500x8:3", "--queries", "made:5x8", "-k", 10, "--block-rows", 99)
        self.assertEqual(made, written)
        for name in ("made:", "made:5", "made:0x8", "made:5x8:", "made:5x8:1x", "made:99999999999999999999x1"):
            self.assertIn("ROWSxCOLUMNS", self.fail_with(2, "groundtruth", "--database", name, "--queries", "made:1x8",
                                                         "--output", "x.ibin"))

    def test_what_was_checked_is_told(self):
        document = self.succeed_json("groundtruth", *self.files, "-k", 5, "--output", "gt.ibin", "--check", 4)
        self.assertEqual(document["check"]["queries"], 4)
        self.assertTrue(document["check"]["all_rows"])
        self.assertEqual(document["check"]["listed"], 20)
        self.assertEqual(document["walk"]["first_row"], 0)
        text = self.succeed("groundtruth", *self.files, "-k", 5, "--output", "gt.ibin", "--check", 4, "--check-rows", 64)
        self.assertRegex(text.stdout, "checked: 4 queries, 20 listed .* 64 sampled rows .* the same to the bit")
        text = self.succeed("groundtruth", *self.files, "-k", 5, "--output", "gt.ibin", "--check", 0)
        self.assertIn("not checked", text.stdout)

    def verified(self, code, *arguments):
        result = self.run_program("groundtruth", *self.files, "--verify", "theirs.ibin", "--json", *arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return json.loads(result.stdout)["verify"]

    def test_ground_truth_of_others_is_verified(self):
        self.truth(*self.files, "-k", 12)
        ids, distances = read_ibin(self.path("gt.ibin"))
        write_ibin(self.path("theirs.ibin"), ids, distances)
        same = self.verified(0)
        self.assertEqual((same["same_place"], same["other_distances"], same["errors"]), (84, 0, 0))
        write_ibin(self.path("theirs.ibin"), ids)
        self.assertEqual(self.verified(0)["distances"], 0)

        all_distances = brute_force("l2sq", self.rows, self.queries, 300)
        order, far = all_distances[0][0], all_distances[1][0]
        ours = [list(row) for row in ids]
        ours[0][11] = order[299]
        write_ibin(self.path("theirs.ibin"), ours, distances)
        wrong = self.verified(1)
        self.assertEqual((wrong["other_ids"], wrong["errors"], wrong["ties"]), (1, 1, 0))
        self.assertAlmostEqual(wrong["largest_relative_excess"], far[299] / far[11] - 1, 5)
        ours[0][11] = 300  # no row
        write_ibin(self.path("theirs.ibin"), ours, distances)
        self.assertEqual(self.verified(1)["errors"], 1)
        ours[0][11] = ours[0][0]  # twice
        write_ibin(self.path("theirs.ibin"), ours, distances)
        self.assertEqual(self.verified(1)["errors"], 1)

    def test_a_distance_that_is_no_number_is_an_error(self):
        self.truth(*self.files, "-k", 12)
        ids, distances = read_ibin(self.path("gt.ibin"))
        distances = [list(row) for row in distances]
        distances[1][2] = float("nan")
        write_ibin(self.path("theirs.ibin"), ids, distances)
        result = self.run_program("groundtruth", *self.files, "--verify", "theirs.ibin", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        told = json.loads(result.stdout)["verify"]
        self.assertEqual((told["errors"], told["other_distances"]), (1, 0))
        self.assertIn("query 1 gives row", told["first_error"])
        self.fail_with(2, "groundtruth", *self.files, "--verify", "theirs.ibin", "--tolerance", "nan")

    def test_ties_are_no_errors(self):
        # Rows 0 … 9 at distance 1, 4 others farther.
        write_npy(self.path("rows.npy"), [[1.0, 0.0]] * 10 + [[2.0, 0.0]] * 4)
        write_npy(self.path("queries.npy"), [[0.0, 0.0]])
        write_ibin(self.path("theirs.ibin"), [[9, 1, 0, 7]])
        told = self.verified(0)
        self.assertEqual((told["same_place"], told["other_place"], told["other_ids"], told["ties"]), (1, 1, 2, 2))
        write_ibin(self.path("theirs.ibin"), [[0, 1, 2, 13]])
        self.assertEqual(self.verified(1)["errors"], 1)
        self.assertEqual(self.verified(1, "--tolerance", "0.5")["errors"], 1)
        self.assertEqual(self.verified(0, "-k", 3)["errors"], 0)

    def test_rows_within_rounding_are_told_apart(self):
        write_npy(self.path("rows.npy"), [[1.0], [1.0000001]])
        write_npy(self.path("queries.npy"), [[0.0]])
        write_ibin(self.path("theirs.ibin"), [[1]])
        self.assertEqual(self.verified(1)["errors"], 1)
        self.assertEqual(self.verified(0, "--tolerance", "1e-5")["within_tolerance"], 1)

    def test_ids_that_32_bits_do_not_hold_are_refused_before_work(self):
        huge = ("--database", "made:3000000000x1", "--queries", "made:1x1:2")
        self.assertIn("32 bits", self.fail_with(2, "groundtruth", *huge, "--output", "gt.ibin"))
        self.assertIn("32 bits", self.fail_with(2, "groundtruth", *huge, "--output", "gt.ivecs"))

    def test_what_is_refused(self):
        for arguments, words in ((("--output", "rows.npy"), "is read by this command"),
                                 (("--output", "nowhere/gt.ibin"), "does not exist"),
                                 (("--output", "/dev/full"), "ground truth can be written as"),
                                 ((), "--output"),
                                 (("--verify", "rows.npy", "--distances", "d.fbin"), "--distances"),
                                 (("--output", "gt.ibin", "--distances", "gt.ibin"), "one file"),
                                 (("--output", "gt.ibin", "--distances", "d.txt"), "floats can be written as"),
                                 (("--output", "gt.ibin", "--checkpoint-interval", "nan"), "finite"),
                                 (("--output", "gt.ibin", "-k", 2000000000), "--k: 2,000,000,000 neighbours"),
                                 (("--verify", "rows.npy"), "rows.npy"), (("--verify", "none.ibin"), "none.ibin")):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.fail_with(2, "groundtruth", *self.files, *arguments))
        write_npy(self.path("empty.npy"), [[0.0]])
        self.write("none.fbin", struct.pack("<II", 0, 2))
        self.write("cut.fbin", struct.pack("<II", 5, 2) + bytes(30))
        for database, queries in (("none.fbin", "queries.npy"), ("rows.npy", "none.fbin"), ("cut.fbin", "queries.npy"),
                                  ("rows.npy", "empty.npy"), ("-", "queries.npy")):
            with self.subTest(database=database, queries=queries):
                self.fail_with(2, "groundtruth", "--database", database, "--queries", queries, "--output", "gt.ibin")
        self.assertFalse(os.path.exists(self.path("gt.ibin")))

    def test_no_file_of_somebody_is_replaced_or_removed(self):
        for name in ("gt.ibin.lock", "gt.ibin.checkpoint", "gt.ibin"):
            with self.subTest(name=name):
                self.write(name, "mine, and more than that")
                self.fail_with(2, "groundtruth", *self.files, "--output", "gt.ibin", "--restart")
                with open(self.path(name), "rb") as file:
                    self.assertEqual(file.read(), b"mine, and more than that")
                os.remove(self.path(name))

    def test_what_is_no_file_is_not_taken_for_a_lock(self):
        os.mkfifo(self.path("gt.ibin.lock"))
        self.fail_with(2, "groundtruth", *self.files, "--output", "gt.ibin")
        self.assertTrue(os.path.exists(self.path("gt.ibin.lock")))

    def test_one_run_at_a_time_has_an_output(self):
        with open(self.path("gt.ibin.lock"), "wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assertIn("another run", self.fail_with(2, "groundtruth", *self.files, "--output", "gt.ibin"))
        self.truth(*self.files)  # whoever had it has ended

    def test_a_range_search_is_written_as_big_ann_benchmarks_has_it(self):
        self.succeed("range", *self.files, "--radius", "9", "--output", "found", "--format", "rangeres")
        with open(self.path("found.rangeres"), "rb") as file:
            data = file.read()
        queries, total = struct.unpack("<ii", data[:8])
        counts = struct.unpack("<7i", data[8:36])
        ids = struct.unpack("<%di" % total, data[36:36 + 4 * total])
        distances = struct.unpack("<%df" % total, data[36 + 4 * total:])
        self.assertEqual((queries, sum(counts)), (7, total))
        expected, values = brute_force("l2sq", self.rows, self.queries, 300)
        within = [sum(value <= 9 for value in row) for row in values]
        self.assertEqual(list(counts), within)
        self.assertEqual(list(ids), sum((row[:count] for row, count in zip(expected, within)), []))
        self.assertEqual(list(distances), sum((row[:count] for row, count in zip(values, within)), []))


if __name__ == "__main__":
    unittest.main()
