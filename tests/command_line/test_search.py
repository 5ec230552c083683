"""proxel search: its result files, read back and checked against a brute force."""

import csv
import errno
import json
import math
import os
import struct
import subprocess
import time
import unittest

from support import (CommandLineTest, NO_NEIGHBOR, brute_force, random_rows, read_npy, write_npy)


def read_vecs(path, letter):
    rows = []
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        (count,) = struct.unpack_from("<i", data, at)
        rows.append(list(struct.unpack_from("<%d%s" % (count, letter), data, at + 4)))
        at += 4 + 4 * count
    return rows


def angular_distance(metric, query, row):
    if metric == "pearson":
        query = [x - sum(query) / len(query) for x in query]
        row = [x - sum(row) / len(row) for x in row]
    product = sum(a * b for a, b in zip(query, row))
    return 1 - product / math.sqrt(sum(a * a for a in query) * sum(b * b for b in row))


class Search(CommandLineTest):
    def prepare(self, rows=300, columns=7, queries=5, integers=False):
        self.database = random_rows(rows, columns, 1, integers)
        self.queries = random_rows(queries, columns, 2, integers)
        write_npy(self.path("base.npy"), self.database)
        write_npy(self.path("query.npy"), self.queries)
        return ["search", "--database", "base.npy", "--queries", "query.npy"]

    def test_an_index_is_saved_and_searched_from_its_file(self):
        search = self.prepare()
        for storage in ("float32", "float16"):
            expected = self.succeed_json(*search, "--storage", storage)
            saved = self.succeed_json(*search, "--storage", storage, "--save", "base.index", "--force")
            self.assertEqual(saved["neighbors"], expected["neighbors"])
            self.assertEqual(saved["files"], ["base.index"])
            search_saved = ["search", "--database", "base.index", "--queries", "query.npy"]
            found = self.succeed_json(*search_saved)
            self.assertEqual(found["neighbors"], expected["neighbors"])
            self.assertEqual(found["database"], {"path": "base.index", "rows": 300, "dimensions": 7})
        self.succeed_json(*search, "--save", "base.index", "--force")
        streamed = self.succeed_json(*search_saved, "--memory-limit", "8KiB")
        self.assertEqual(streamed["neighbors"], self.succeed_json(*search)["neighbors"])
        self.assertGreater(streamed["block_rows"], 0)
        # Options of files of rows are refused, and so is what is there already.
        for option in (["--rows", "3"], ["--columns", "1-2"], ["--storage", "int8"], ["--permutants", "3"],
                       ["--scale", "standard"]):
            with self.subTest(option=option):
                self.fail_with(2, *search_saved, *option)
        self.fail_with(2, *search, "--save", "base.npy")
        # Only search takes it, and the others say so.
        for command in (
            ["graph", "base.index"],
            ["range", "--database", "base.index", "--queries", "query.npy", "--radius", "1"],
        ):
            with self.subTest(command=command[0]):
                self.assertIn(
                    "base.index: is an index that was saved, which 'proxel search' alone searches",
                    self.fail_with(2, *command),
                )
        with open(self.path("base.index"), "r+b") as file:
            file.seek(200)
            byte = file.read(1)
            file.seek(200)
            file.write(bytes([byte[0] ^ 1]))
        self.assertIn("section ROWS (rows) is damaged", self.fail_with(2, *search_saved))

    def check_npy(self, metric, k):
        indices, distances = brute_force(metric, self.database, self.queries, k)
        kind, found = read_npy(self.path("found.indices.npy"))
        self.assertIn(kind, ("u4", "i4"))
        self.assertEqual([[i & NO_NEIGHBOR for i in row] for row in found], indices)
        kind, found = read_npy(self.path("found.distances.npy"))
        self.assertEqual(kind, "f4")
        self.assertEqual(found, distances)

    def test_every_metric_and_method_finds_what_brute_force_finds(self):
        arguments = self.prepare()
        for metric in ("l1", "l2sq", "l2", "linf", "ip"):
            for method in ("auto", "scan", "texel"):
                with self.subTest(metric=metric, method=method):
                    self.succeed(*arguments, "--metric", metric, "--method", method, "--k", 6,
                                 "--output", "found")
                    self.check_npy(metric, 6)

    def test_cosine_and_pearson_find_the_real_distances(self):
        arguments = self.prepare(rows=60, columns=9)
        for metric in ("cosine", "pearson"):
            for k in (1, 60, 61):
                with self.subTest(metric=metric, k=k):
                    self.succeed(*arguments, "--metric", metric, "--k", k, "--output", "found")
                    _, indices = read_npy(self.path("found.indices.npy"))
                    _, distances = read_npy(self.path("found.distances.npy"))
                    for query, row, found in zip(self.queries, indices, distances):
                        real = [angular_distance(metric, query, other) for other in self.database]
                        nearest = sorted(real)[:k]
                        self.assertEqual(len(set(row)), k)
                        for i, distance, wanted in zip(row, found, nearest):
                            self.assertAlmostEqual(distance, wanted, delta=2e-5)
                            self.assertAlmostEqual(distance, real[i], delta=2e-5)
                        if k == 61:
                            self.assertEqual(row[60] & NO_NEIGHBOR, NO_NEIGHBOR)
                            self.assertEqual(found[60], float("inf"))

    def test_a_permutation_index_compares_a_part(self):
        arguments = self.prepare()
        for metric in ("l1", "l2", "ip"):
            with self.subTest(metric=metric):
                self.succeed(*arguments, "--metric", metric, "--permutants", 16, "--fraction", 1,
                             "--k", 6, "--output", "found")
                self.check_npy(metric, 6)
        document = self.succeed_json(*arguments, "--permutants", 16, "--fraction", 0.2, "--k", 6)
        self.assertEqual(document["method"], "permutation")
        self.assertEqual(document["permutants"], 16)
        self.assertEqual(document["compared_per_query"], 60)
        real, _ = brute_force("l2sq", self.database, self.queries, 300)
        for row, found in zip(real, document["neighbors"]):
            places = [row.index(i) for i in found["indices"]]
            self.assertEqual(places, sorted(places))

    def test_the_fraction_for_a_recall_is_chosen_and_told(self):
        arguments = self.prepare() + ["--permutants", 20, "--recall", 0.8]
        choice = self.succeed_json(*arguments)["choice"]
        self.assertGreaterEqual(choice["recall"], 0.8)
        self.assertLess(choice["fraction"], 1)
        self.assertEqual(choice["queries"], 300)
        self.assertIn("of the rows, for a recall of", self.succeed(*arguments).stdout)

    def test_what_a_permutation_index_does_not_do_is_refused(self):
        arguments = self.prepare()
        for option in (("--fraction", 0.1), ("--recall", 0.9), ("--prefix", 3)):
            self.assertIn("--permutants says how many", self.fail_with(2, *arguments, *option))
        arguments += ["--permutants", 8]
        for option in (("--fraction", 0), ("--recall", 2), ("--fraction", "nan"), ("--method", "scan"),
                       ("--raw",), ("--storage", "int8"), ("--after", "page.json"), ("--filter", "f.csv"), ("--prefix", 9)):
            self.assertIn(option[0], self.fail_with(2, *arguments, *option))

    def test_options_of_other_methods_are_refused(self):
        arguments = self.prepare()
        for option in (("--dimensions-per-pass", 3), ("--block-rows", 64), ("--reductions-per-pass", 1),
                       ("--row-selection", "subgroup"), ("--distances-only",)):
            with self.subTest(option=option[0]):
                self.assertIn(f"{option[0]}: is of the method ", self.fail_with(2, *arguments, *option, "--method", "scan"))
        self.fail_with(2, *arguments, "--distances-only", "--method", "garcia-gemm")
        self.succeed(*arguments, "--distances-only", "--method", "garcia-gemm", "--raw", "--metric", "l2sq")

    def test_a_method_that_cannot_serve_a_metric_says_why(self):
        arguments = self.prepare()
        error = self.fail_with(2, *arguments, "--metric", "cosine", "--method", "texel")
        self.assertIn("metric: texel search keeps its rows as they are", error)

    def test_ties_go_to_the_lower_index(self):
        arguments = self.prepare(columns=2, integers=True)
        self.succeed(*arguments, "--metric", "l1", "--k", 40, "--output", "found")
        self.check_npy("l1", 40)

    def test_slots_past_the_rows_are_padded(self):
        arguments = self.prepare(rows=3)
        for metric in ("l2sq", "ip"):
            self.succeed(*arguments, "--metric", metric, "--k", 5, "--output", "found")
            self.check_npy(metric, 5)

    def test_formats_hold_the_same_answer(self):
        arguments = self.prepare()
        indices, distances = brute_force("l1", self.database, self.queries, 4)
        arguments += ["--metric", "l1", "--k", 4, "--output", "found", "--format"]
        self.succeed(*arguments, "vecs")
        self.assertEqual(read_vecs(self.path("found.indices.ivecs"), "i"), indices)
        self.assertEqual(read_vecs(self.path("found.distances.fvecs"), "f"), distances)
        self.succeed(*arguments, "csv")
        with open(self.path("found.indices.csv")) as file:
            self.assertEqual([[int(x) for x in row] for row in csv.reader(file)], indices)
        self.succeed(*arguments, "json")
        with open(self.path("found.json")) as file:
            document = json.load(file)
        self.assertEqual([row["indices"] for row in document], indices)
        self.assertEqual([[struct.unpack("<f", struct.pack("<f", d))[0] for d in row["distances"]]
                          for row in document], distances)

    def test_json_holds_every_neighbour_and_padding_is_null(self):
        arguments = self.prepare(rows=2, queries=6)
        document = self.succeed_json(*arguments, "--metric", "l1", "--k", 3)
        indices, _ = brute_force("l1", self.database, self.queries, 3)
        self.assertEqual([row["indices"] for row in document["neighbors"]],
                         [[i if i != NO_NEIGHBOR else None for i in row] for row in indices])
        self.assertEqual({row["distances"][2] for row in document["neighbors"]}, {"Infinity"})
        self.assertEqual(document["database"], {"path": "base.npy", "rows": 2, "dimensions": 7})
        self.assertEqual(len(self.succeed_json(*arguments, "--show", 2)["neighbors"]), 2)

    def test_rows_are_skipped_and_limited(self):
        arguments = self.prepare()
        self.succeed(*arguments, "--metric", "l1", "--k", 3, "--output", "found", "--first-row", 50,
                     "--rows", 100, "--first-query", 1, "--query-rows", 2)
        self.database = self.database[50:150]
        self.queries = self.queries[1:3]
        self.check_npy("l1", 3)

    def test_options_of_the_index_do_not_change_the_answer(self):
        arguments = self.prepare()
        self.succeed(*arguments, "--metric", "l1", "--k", 3, "--method", "texel", "--output",
                     "found", "--dimensions-per-pass", 3, "--block-rows", 64, "--scratch-limit",
                     "1MiB", "--reductions-per-pass", 1)
        self.check_npy("l1", 3)

    def test_rows_that_do_not_fit_are_streamed(self):
        arguments = self.prepare(rows=700)
        self.succeed("data", "convert", "base.npy", "base.fvecs")
        self.succeed("data", "convert", "base.npy", "base.csv")
        self.succeed("data", "convert", "base.npy", "base.fbin")
        for name in ("base.npy", "base.fvecs", "base.fbin", "base.csv"):
            arguments[2] = name
            for metric in ("l2", "ip"):
                with self.subTest(name=name, metric=metric):
                    out = self.succeed(*arguments, "--metric", metric, "--k", 6, "--memory-limit",
                                       "8KiB", "--output", "found").stdout
                    self.assertIn("in blocks of up to 128", out)
                    self.check_npy(metric, 6)
        for command in (["range", *arguments[1:], "--radius", "1"], ["graph", "base.npy"]):
            with self.subTest(command=command[0]):
                self.assertIn("in blocks of up to 128", self.succeed(*command, "--memory-limit", "8KiB").stdout)
                self.assertEqual(self.succeed_json(*command, "--memory-limit", "8KiB")["block_rows"], 128)
                self.assertNotIn("in blocks", self.succeed(*command).stdout)
        arguments[2] = "base.fvecs"
        document = self.succeed_json(*arguments, "--memory-limit", "16KiB", "--first-row", 3)
        self.assertEqual(document["block_rows"], 256)
        self.assertEqual(document["database"]["rows"], 697)
        error = self.fail_with(2, *arguments, "--memory-limit", "1KiB")
        self.assertIn("proxel: error: --memory-limit: 1024 was given", error)
        error = self.fail_with(2, *arguments, "--memory-limit", "8KiB", "--method", "texel")
        self.assertIn("use the scan", error)

    def test_a_size_is_a_number_and_a_unit(self):
        arguments = [*self.prepare(rows=700), "--k", 1]
        for size, rows in (
            ("8192", 128),
            ("8KiB", 128),
            ("8 kb", 128),
            ("7.5k", 128),
            ("16.5KiB", 256),
            ("0.0157MiB", 256),
        ):
            with self.subTest(size=size):
                self.assertEqual(self.succeed_json(*arguments, "--memory-limit", size)["block_rows"], rows)
        self.assertNotIn("block_rows", self.succeed_json(*arguments, "--memory-limit", "1.5GiB"))
        for size in ("0", "8KiBs", "KiB", "1e3", "inf", "-1", "0.5", "2PiB", "1,5GiB"):
            with self.subTest(size=size):
                self.assertIn("--memory-limit", self.fail_with(2, *arguments, "--memory-limit", size))
        self.assertIn("1.0 MiB to 1 PiB", self.fail_with(2, *arguments, "--scratch-limit", "0.5MiB"))
        self.succeed(*arguments, "--scratch-limit", "1.5MiB")

    def search_while(self, database, change, device="cpu"):
        """A search whose database is changed once it has been opened, when the program waits for its queries."""
        queries = self.path("queries.csv")
        if not os.path.exists(queries):
            os.mkfifo(queries)
        process = subprocess.Popen(
            [self.program, "search", "--database", database, "--queries", queries, "--header", "no", "-k", "3", "--device", device,
             "--memory-limit", "64KiB", "--output", "found"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while True:
            try:
                pipe = os.open(queries, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError as error:  # nobody reads it yet
                self.assertEqual(error.errno, errno.ENXIO)
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
        change(self.path(database))
        os.write(pipe, b"1,2,3,4\n5,6,7,8\n")
        os.close(pipe)
        out, error = process.communicate(timeout=60)
        return process.returncode, error

    def test_a_file_that_changes_while_it_is_searched_is_no_database(self):
        rows = struct.pack("<2i", 100_000, 4) + bytes(100_000 * 16)
        self.write("held.fbin", rows)

        def name_again(path):
            os.chmod(path, 0o600)
            os.link(path, path + ".link")

        for change in (lambda path: None, name_again):
            code, error = self.search_while("held.fbin", change)
            self.assertEqual((code, error), (0, ""))
            os.remove(self.path("found.indices.npy"))
            os.remove(self.path("found.distances.npy"))

        def overwrite(path):
            with open(path, "r+b") as file:
                file.seek(len(rows) - 400)
                file.write(b"\x01" * 16)
            os.utime(path, (1, 1))

        def overwrite_unseen(path):
            before = os.stat(path)
            overwrite(path)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

        for change, said in ((overwrite, "held.fbin: changed while it was searched; nothing was written"),
                             (overwrite_unseen, "held.fbin: changed while it was searched; nothing was written"),
                             (lambda path: os.truncate(path, 5000), "held.fbin: became shorter while it was searched")):
            self.write("held.fbin", rows)
            code, error = self.search_while("held.fbin", change)
            self.assertEqual(code, 2, error)
            self.assertIn(said, error)
            self.assertEqual([], [name for name in os.listdir(self.folder) if name.startswith("found")])

    def test_a_file_that_changes_while_it_is_read_is_no_database(self):
        self.write("held.csv", "1,2,3,4\n" * 200_000)
        self.write("one.csv", "1,2,3,4\n")
        process = subprocess.Popen(
            [self.program, "search", "--database", "held.csv", "--queries", "one.csv", "--header", "no", "--device", "cpu",
             "--output", "found"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        second = 0
        while process.poll() is None:
            second += 1
            os.utime(self.path("held.csv"), (1, second))
        out, error = process.communicate()
        self.assertEqual(process.returncode, 2, out)
        self.assertIn("held.csv: changed while it was read; nothing was written", error)
        self.assertEqual([], [name for name in os.listdir(self.folder) if name.startswith("found")])

    def test_a_saved_index_that_changes_while_devices_search_it_is_no_database(self):
        self.write("held.fbin", struct.pack("<2i", 100_000, 4) + bytes(100_000 * 16))
        self.write("one.csv", "1,2,3,4\n")
        self.succeed("search", "--database", "held.fbin", "--queries", "one.csv", "--header", "no", "--save", "held.index")
        for written, device in enumerate(("cpu", "cpu,cpu:reference"), 1):
            code, error = self.search_while("held.index", lambda path: None, device)
            self.assertEqual((code, error), (0, ""))
            os.remove(self.path("found.indices.npy"))
            os.remove(self.path("found.distances.npy"))
            code, error = self.search_while("held.index", lambda path: os.utime(path, (1, written)), device)
            self.assertEqual(code, 2, error)
            self.assertIn("held.index: changed while it was searched; nothing was written", error)

    def test_narrower_rows_have_to_fit(self):
        arguments = [*self.prepare(rows=129, integers=True), "--storage", "float16", "--k", 1]
        columns = self.succeed_json(*arguments)["database"]["dimensions"]
        needed = 256 * columns * 2
        error = self.fail_with(2, *arguments, "--memory-limit", needed - 1)
        self.assertIn(f"--storage: 129 x {columns} values as float16 take {needed} bytes", error)
        # They are widened all at once.
        self.assertNotIn("in blocks", self.succeed(*arguments, "--memory-limit", needed).stdout)

    def test_a_permutation_index_is_not_streamed(self):
        error = self.fail_with(2, *self.prepare(rows=700), "--permutants", 8, "--memory-limit", "8KiB")
        self.assertIn("--memory-limit", error)

    def test_narrower_storage_keeps_the_distances_exact(self):
        arguments = self.prepare(rows=300, integers=True)
        for storage in ("float16", "int8", "float32"):
            for metric in ("l1", "l2sq", "ip"):
                with self.subTest(storage=storage, metric=metric):
                    self.succeed(*arguments, "--metric", metric, "--k", 6, "--storage", storage,
                                 "--output", "found")
                    self.check_npy(metric, 6)
        self.prepare()
        error = self.fail_with(2, *arguments, "--storage", "uint8")
        self.assertRegex(error, "storage: -?0.* at row 0, dimension 0 cannot be stored as uint8")
        error = self.fail_with(2, *arguments, "--storage", "float16", "--method", "texel")
        self.assertIn("use the scan", error)

    def test_bytes_are_stored_as_the_file_holds_them(self):
        arguments = self.prepare(rows=300, integers=True)
        self.database = [[x % 251 for x in map(abs, map(int, row))] for row in self.database]
        rows, columns = len(self.database), len(self.database[0])
        with open(self.path("base.u8bin"), "wb") as file:
            file.write(struct.pack("<II", rows, columns) + b"".join(map(bytes, self.database)))
        with open(self.path("base.bvecs"), "wb") as file:
            for row in self.database:
                file.write(struct.pack("<i", columns) + bytes(row))
        for name in ("base.u8bin", "base.bvecs"):
            with self.subTest(name=name):
                arguments[2] = name
                self.succeed(*arguments, "--metric", "l1", "--k", 6, "--storage", "uint8",
                             "--output", "found")
                self.check_npy("l1", 6)

    def test_trace_names_every_pass(self):
        arguments = self.prepare()
        out = self.succeed(*arguments, "--method", "texel", "--trace").stdout
        for word in ("label", "pass", "calls", "ms", "share", "texel_accumulate", "texel_minimum",
                     "all passes"):
            self.assertIn(word, out)
        passes = self.succeed_json(*arguments, "--method", "texel", "--trace")["times"]["passes"]
        self.assertIn("texel_accumulate", [one["pass"] for one in passes])
        self.assertNotIn("passes", self.succeed_json(*arguments)["times"])

    def test_without_output_the_first_neighbours_are_printed(self):
        out = self.succeed(*self.prepare(), "--metric", "l1", "--k", 2).stdout
        indices, _ = brute_force("l1", self.database, self.queries, 2)
        first = out.splitlines()[1].split()
        self.assertEqual(first[:3], ["0", "1", str(indices[0][0])])
        self.assertIn("and 2 more queries", out)


if __name__ == "__main__":
    unittest.main()
