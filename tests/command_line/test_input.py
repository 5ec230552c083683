"""What files of rows may look like, and what is said of what they became."""

import gzip
import json
import os
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from support import PROGRAM, CommandLineTest, random_rows, read_npy, write_npy


def npy(kind, shape, values):
    """The bytes of a .npy file."""
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
    letter = {"f4": "f", "f8": "d", "i4": "i", "i8": "q"}[kind]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
            struct.pack("<%d%s" % (len(values), letter), *values))


class InputTest(CommandLineTest):
    def write(self, name, content):
        super().write(name, content)
        return name

    def json_and_notes(self, *arguments, **run):
        """The document and the lines of stderr, of a run that must succeed."""
        done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], cwd=self.folder, env=self.environment,
                              capture_output=True, timeout=240, **run)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        notes = done.stderr.decode().splitlines()
        self.assertEqual(["proxel: note: " + note for note in document.get("notes", [])], notes)
        return document, notes

    def convert(self, name, *options):
        """The rows that a file is read as."""
        self.succeed("data", "convert", name, "out.npy", "--force", *options)
        return read_npy(self.path("out.npy"))[1]


class Precision(InputTest):
    """Values that binary32 does not hold are told, or refused."""

    def setUp(self):
        super().setUp()
        self.write("times.npy", npy("i8", (3, 1), [1700000000, 1700000010, 1700000020]))
        self.write("doubles.npy", npy("f8", (2, 2), [0.5, 0.1, 3, 1e-300]))
        self.write("exact.npy", npy("f8", (4, 2), [0.5, 0.25, 3, 16777216, 1, 2, 7, 8]))
        self.write("times.csv", "t\n1700000000\n1700000010\n1700000020\n")

    def commands(self, name):
        return (("search", "--database", name, "--queries", name, "--k", 1),
                ("range", "--database", name, "--queries", name, "--radius", 1),
                ("graph", name, "--k", 1),
                ("compare", "--database", name, "--queries", name, "--k", 1, "--device", "cpu", "--method", "scan"),
                ("data", "convert", name, "out.fvecs"),
                ("accuracy", "--only-data", "--data", name, "--k", 1))

    def test_every_command_says_once_how_many_values_changed(self):
        for arguments in self.commands("times.npy"):
            with self.subTest(command=arguments[0]):
                document, notes = self.json_and_notes(*arguments)
                self.assertEqual(notes, ["proxel: note: times.npy: 2 values that binary32 does not hold; the first, "
                                         "row 1, column 1, is 1700000010 and became 1700000000"])
                self.assertEqual(document["inputs"], [
                    {"path": "times.npy", "rounded_values": 2,
                     "first_rounded": {"row": 1, "column": 0, "stored": "1700000010", "read": 1.7e9}}])

    def test_exact_input_refuses_them_before_anything_is_searched(self):
        for name in ("times.npy", "times.csv"):
            for arguments in self.commands(name):
                with self.subTest(name=name, command=arguments[0]):
                    error = self.fail_with(2, *arguments, "--exact-input")
                    self.assertIn("%s: 2 values" % name, error)
                    self.assertIn("would become", error)
        self.assertFalse(os.path.exists(self.path("out.fvecs")))

    def test_exact_values_are_read_in_silence(self):
        for arguments in self.commands("exact.npy"):
            with self.subTest(command=arguments[0]):
                document = self.succeed_json(*arguments, "--exact-input")
                self.assertNotIn("notes", document)
                self.assertNotIn("inputs", document)

    def test_rounded_doubles_are_counted(self):
        document, _ = self.json_and_notes("graph", "doubles.npy", "--k", 1)
        self.assertEqual(document["inputs"][0]["rounded_values"], 2)

    def test_integers_that_stay_integers_are_exact(self):
        self.write("ids.csv", "a,b\n1700000010,16777217\n")
        self.succeed_json("data", "convert", "ids.csv", "ids.ivecs", "--header", "yes", "--exact-input")


class Text(InputTest):
    def test_the_index_of_pandas_is_no_dimension(self):
        self.write("table.csv", ",x,y\n0,1.5,2.0\n1,3.0,4.0\n")
        document, notes = self.json_and_notes("graph", "table.csv", "--k", 1)
        self.assertEqual(document["rows"]["dimensions"], 2)
        self.assertEqual(document["inputs"], [{"path": "table.csv", "header": True, "delimiter": ",",
                                               "columns": ["x", "y"]}])
        self.assertIn("the first line names the columns; commas between 2 columns that are read: x, y", notes[0])
        self.assertIn("--ids 1", notes[1])
        self.assertEqual(self.convert("table.csv", "--columns", "1-"), [[0, 1.5, 2], [1, 3, 4]])

    def test_numbers_above_fractions_are_names_unless_told_otherwise(self):
        self.write("table.csv", "0,1,2\n0.5,1.5,2.5\n")
        self.assertEqual(len(self.convert("table.csv")), 1)
        self.assertEqual(len(self.convert("table.csv", "--header", "no")), 2)
        _, notes = self.json_and_notes("data", "convert", "table.csv", "out.npy", "--force")
        self.assertIn("--header no", notes[0])
        self.write("grid.csv", "0,1,2\n3,4,5\n")
        document, notes = self.json_and_notes("data", "convert", "grid.csv", "out.npy", "--force")
        self.assertEqual(document["rows"], 2)
        self.assertIn("--header yes", notes[0])

    def test_columns_and_what_names_and_labels_the_rows(self):
        self.write("table.csv", "name,x,y,class\n\"a, b\",1,2,cat\nc,3,4,dog\n")
        self.assertEqual(self.convert("table.csv", "--columns", "y,x"), [[2, 1], [4, 3]])
        self.assertEqual(self.convert("table.csv", "--columns", "2-3"), [[1, 2], [3, 4]])
        document, _ = self.json_and_notes("graph", "table.csv", "--k", 1, "--ids", "name", "--labels", "last")
        self.assertEqual(document["rows"]["dimensions"], 2)
        self.assertIn("no column \"z\"; its columns are 1 to 4: name, x, y, class",
                      self.fail_with(2, "graph", "table.csv", "--columns", "z"))
        self.assertIn("line 2, column 1 (\"name\"): \"a, b\" is not a number", self.fail_with(2, "graph", "table.csv"))

    def test_results_show_ids_and_labels(self):
        self.write("base.csv", "name,x,class\n\"a, b\",1,cat\nc,5,dog\n")
        self.write("query.csv", "name,x\nq,4\n")
        search = ("search", "--database", "base.csv", "--queries", "query.csv", "--k", 2, "--ids", "name",
                  "--labels", "class", "--columns", "x")
        document, _ = self.json_and_notes(*search)
        answer = {"query": 0, "indices": [1, 0], "distances": [1, 9], "query_id": "q", "ids": ["c", "a, b"],
                  "labels": ["dog", "cat"]}
        self.assertEqual(document["neighbors"], [answer])
        self.succeed(*search, "--output", "found", "--format", "json")
        with open(self.path("found.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), [answer])
        lines = "query,rank,id,distance,label\nq,1,c,1,dog\nq,2,\"a, b\",9,cat\n"
        self.assertEqual(self.succeed(*search, "--table", "-").stdout, lines)
        # A row that was left out has no name, and the others keep theirs.
        self.write("base.csv", "name,x,class\nnone,,cow\n\"a, b\",1,cat\nc,5,dog\n")
        self.assertEqual(self.succeed(*search, "--missing", "drop", "--table", "-").stdout, lines)
        self.write("base.csv", "name,x,class\n\"a, b\",1,cat\nc,5,dog\n")
        self.assertEqual(self.succeed("range", *search[1:5], *search[7:], "--radius", 2, "--table", "-").stdout,
                         "query,rank,id,distance,label\nq,1,c,1,dog\n")

    def test_queries_have_the_database_s_columns_or_others(self):
        self.write("base.csv", "id,x,y\na,1,2\nb,3,4\n")
        self.write("named.csv", "y,id,x\n2,q,1\n")
        self.write("plain.csv", "x,y\n3,4\n")
        self.write("other.csv", "a,b,c\nq,1,2\n")
        write_npy(self.path("plain.npy"), [[3.0, 4.0]])
        for queries, options, nearest in (("named.csv", (), 0), ("plain.csv", (), 1),
                                          ("plain.npy", (), 1),
                                          ("other.csv", ("--query-columns", "b,c", "--query-ids", "a"), 0)):
            with self.subTest(queries=queries):
                document, _ = self.json_and_notes("search", "--database", "base.csv", "--queries", queries, "--k", 1,
                                                  "--columns", "x,y", "--ids", "id", *options)
                self.assertEqual(document["neighbors"][0]["distances"], [0])
                self.assertEqual(document["neighbors"][0]["indices"], [nearest])

    def test_delimiters_decimal_marks_and_missing_values(self):
        self.write("measured.csv", "a;b\r\n1,5;\r\n2,25;3\r\n")
        options = ("--decimal", ",")
        self.assertIn("line 2, column 2 (\"b\"): the field is empty", self.fail_with(2, "graph", "measured.csv", *options))
        self.assertEqual(self.convert("measured.csv", *options, "--missing", "drop"), [[2.25, 3]])
        self.assertEqual(self.convert("measured.csv", *options, "--missing", "-1"), [[1.5, -1], [2.25, 3]])
        self.assertEqual(str(self.convert("measured.csv", *options, "--missing", "nan")[0]), "[1.5, nan]")
        document, _ = self.json_and_notes("data", "convert", "measured.csv", "out.npy", "--force", *options, "--missing", "drop")
        self.assertEqual(document["inputs"][0]["dropped_rows"], 1)
        self.write("pipes.txt", "1|2\n")
        self.assertEqual(self.convert("pipes.txt", "--delimiter", "pipe"), [[1, 2]])
        self.write("tabs.txt", "1 0\t2\n")
        self.assertIn("\"1 0\"", self.fail_with(2, "graph", "tabs.txt", "--delimiter", "tab"))
        for wrong in (("--delimiter", "ab"), ("--decimal", ";"), ("--missing", "guess"), ("--header", "maybe")):
            self.assertIn(wrong[0], self.fail_with(2, "graph", "pipes.txt", *wrong))

    def test_scaling_is_fitted_to_the_database(self):
        self.write("base.csv", "0,100\n10,300\n")
        self.write("query.csv", "5,500\n")
        search = ("search", "--database", "base.csv", "--queries", "query.csv", "--k", 2, "--scale")
        self.assertEqual(self.succeed_json(*search, "minmax")["neighbors"][0]["distances"], [1.25, 4.25])
        # Mean 5 and 200, deviation 5 and 100: (0, 3) against (1, 1) and (-1, -1).
        self.assertEqual(self.succeed_json(*search, "standard")["neighbors"][0],
                         {"query": 0, "indices": [1, 0], "distances": [5, 17]})

    def test_info_says_what_was_taken(self):
        self.write("table.tsv", "\tx\ty\n0\t1\t2\n")
        document = self.succeed_json("data", "info", "table.tsv")
        self.assertEqual((document["columns"], document["header"], document["delimiter"], document["column_names"]),
                         (2, True, "\t", ["x", "y"]))
        self.assertIn("the first column, which has no name", self.succeed("data", "info", "table.tsv").stdout)

    def test_labels_that_are_texts_are_classified(self):
        lines = []
        for number, row in enumerate(random_rows(60, 2, 5)):
            lines.append("%s,%r,%r\n" % ("near far".split()[number % 2], row[0] + number % 2 * 64, row[1]))
        self.write("labelled.csv", "".join(lines))
        document, _ = self.json_and_notes("compare", "--database", "labelled.csv", "--labels", 1, "--hold-out", 20, "--k", 3,
                                          "--device", "cpu", "--method", "scan")
        self.assertEqual(document["classification"]["classes"], ["far", "near"])
        self.assertEqual(document["classification"]["accuracy"], 1)

    def test_formats_without_a_reader_say_what_to_do(self):
        error = self.fail_with(2, "data", "info", "rows.parquet")
        self.assertIn("Parquet", error)
        self.assertIn("numpy.save", error)


class Archives(InputTest):
    def test_an_array_of_an_archive(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with zipfile.ZipFile(self.path("arrays.npz"), "w", method) as archive:
                archive.writestr("base.npy", npy("f4", (3, 2), [1, 2, 3, 4, 5, 6]))
                archive.writestr("query.npy", npy("f8", (2,), [3, 4]))
            document, notes = self.json_and_notes("search", "--database", "arrays.npz#base", "--queries",
                                                  "arrays.npz#query", "--k", 1)
            self.assertEqual(document["neighbors"], [{"query": 0, "indices": [1], "distances": [0]}])
            self.assertIn("a vector of 2 values, taken for one query", notes[0])
            self.assertEqual(self.succeed_json("data", "info", "arrays.npz#base")["parts"], ["base", "query"])
            self.assertIn("it holds: base, query", self.fail_with(2, "data", "info", "arrays.npz"))

    def test_a_vector_is_one_query(self):
        write_npy(self.path("base.npy"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        self.write("query.npy", npy("f4", (3,), [4, 5, 6]))
        document, notes = self.json_and_notes("search", "--database", "base.npy", "--queries", "query.npy", "--k", 1)
        self.assertEqual(document["neighbors"], [{"query": 0, "indices": [1], "distances": [0]}])
        self.assertEqual(len(notes), 1)
        shown = self.succeed("search", "--database", "base.npy", "--queries", "query.npy", "--k", 1).stdout
        self.assertIn("1 query against 2 × 3", shown)
        self.write("query.npy", npy("f4", (4,), [4, 5, 6, 7]))
        self.assertIn("--queries", self.fail_with(2, "search", "--database", "base.npy", "--queries", "query.npy"))


class Streams(InputTest):
    """Standard input and pipes."""

    def test_standard_input_is_told_by_its_first_bytes(self):
        write_npy(self.path("base.npy"), [[1.0, 2.0], [3.0, 4.0]])
        with open(self.path("base.npy"), "rb") as file:
            array = file.read()
        for content in (array, b"x,y\n1,2\n3,4\n", gzip.compress(b"1 2\n3 4\n")):
            with self.subTest(begin=content[:4]):
                document, _ = self.json_and_notes("search", "--database", "base.npy", "--queries", "-", "--k", 1,
                                                  input=content)
                self.assertEqual([one["indices"] for one in document["neighbors"]], [[0], [1]])
                document, _ = self.json_and_notes("data", "info", "-", input=content)
                self.assertEqual((document["rows"], document["columns"]), (2, 2))
        done = subprocess.run([PROGRAM, "search", "--database", "-", "--queries", "-"], input=b"1,2\n",
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard input: was read already", done.stderr)
        done = subprocess.run([PROGRAM, "graph", "-"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard input: the file holds no row", done.stderr)

    def test_a_pipe_is_read_whatever_its_size(self):
        pipe = self.path("rows.csv")
        os.mkfifo(pipe)
        # One more and one less than what is read at once, and than what a pipe holds.
        for size in (4095, 4096, 4097, 65535, 65536, 65537, 1 << 20):
            rows = (size + 3) // 4
            with self.subTest(size=size):
                program = subprocess.Popen([PROGRAM, "data", "convert", pipe, "out.npy", "--force", "--json"], cwd=self.folder,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                with open(pipe, "wb") as file:
                    file.write((b"1,2\n" * rows)[:size])
                out, error = program.communicate(timeout=60)
                whole = size % 4 in (0, 3)
                self.assertEqual(program.returncode, 0 if whole else 2, error)
                if whole:
                    self.assertEqual(json.loads(out)["rows"], rows)

    def test_a_pipe_that_nobody_writes_to_can_be_interrupted(self):
        os.mkfifo(self.path("rows.csv"))
        os.mkfifo(self.path("words.txt"))
        for arguments in (("graph", "rows.csv"), ("words", "words.txt", "--query", "x")):
            with self.subTest(command=arguments[0]):
                with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as program:
                    time.sleep(0.5)
                    self.assertIsNone(program.poll())
                    program.send_signal(signal.SIGINT)
                    self.assertEqual(program.wait(timeout=10), 130)


if __name__ == "__main__":
    unittest.main()
