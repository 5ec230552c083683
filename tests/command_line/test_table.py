"""--table: one long table from every search, with all digits of the distances."""

import csv
import gzip
import io
import os
import struct
import unittest

from support import CommandLineTest, brute_force, random_rows, read_npy, rounded, write_npy

HEADING = ["query", "rank", "id", "distance"]


class Table(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.database, self.queries = random_rows(70, 5, 1), random_rows(9, 5, 2)
        write_npy(self.path("base.npy"), self.database)
        write_npy(self.path("query.npy"), self.queries)
        self.files = ["--database", "base.npy", "--queries", "query.npy"]

    def rows_of(self, text):
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(rows[0][:4], HEADING)
        return rows[1:]

    def neighbors(self, text):
        return [(int(query), int(rank), int(row), rounded(float(distance)))
                for query, rank, row, distance in self.rows_of(text)]

    def read(self, name):
        opened = gzip.open if name.endswith(".gz") else open
        with opened(self.path(name), "rt", encoding="utf-8", newline="") as file:
            return file.read()

    def expected(self, metric="l2sq", k=6, database=None, queries=None):
        indices, distances = brute_force(metric, database or self.database, queries or self.queries, k)
        return [(query, rank + 1, row, length) for query in range(len(indices))
                for rank, (row, length) in enumerate(zip(indices[query], distances[query])) if row != 0xFFFFFFFF]

    def test_a_search_has_a_line_for_every_neighbour(self):
        for name in ("t.csv", "t.csv.gz"):
            out = self.succeed("search", *self.files, "--k", 6, "--table", name).stdout
            self.assertIn("wrote " + name, out)
            self.assertEqual(self.neighbors(self.read(name)), self.expected())
        with open(self.path("t.csv.gz"), "rb") as file:
            self.assertEqual(file.read(2), b"\x1f\x8b")
        with open(self.path("t.csv"), "rb") as file:
            self.assertEqual(file.read(5), b"query")

    def test_stdout_has_the_table_and_nothing_else(self):
        for metric in ("l1", "ip", "l2"):
            result = self.succeed("search", *self.files, "--metric", metric, "--k", 3, "--table", "-")
            self.assertEqual(self.neighbors(result.stdout), self.expected(metric, 3))
            self.assertEqual(result.stderr, "")
        self.assertIn("standard output", self.fail_with(2, "search", *self.files, "--table", "-", "--json"))

    def test_distances_read_back_to_the_bit(self):
        self.succeed("search", *self.files, "--k", 20, "--metric", "l2", "--table", "t.csv", "--output", "o")
        distances = [value for row in read_npy(self.path("o.distances.npy"))[1] for value in row]
        texts = [row[3] for row in self.rows_of(self.read("t.csv"))]
        for text, distance in zip(texts, distances, strict=True):
            self.assertEqual(struct.pack("<f", float(text)), struct.pack("<f", distance))
            # No text with fewer digits reads back so.
            digits = len(text.replace("0.", "").replace(".", "").lstrip("0"))
            if digits > 1:
                shorter = float("%.*g" % (digits - 1, distance))
                self.assertNotEqual(struct.pack("<f", shorter), struct.pack("<f", distance), text)

    def test_slots_without_a_neighbour_have_no_line(self):
        write_npy(self.path("few.npy"), self.database[:2])
        out = self.succeed("search", "--database", "few.npy", "--queries", "query.npy", "--k", 5, "--table", "-").stdout
        self.assertEqual(self.neighbors(out), self.expected(k=5, database=self.database[:2]))

    def test_a_range_search_and_a_graph_have_one_too(self):
        self.succeed("range", *self.files, "--radius", 0.4, "--table", "r.csv.gz")
        near = [row for row in self.expected(k=70) if row[3] <= 0.4]
        self.assertEqual(self.neighbors(self.read("r.csv.gz")), near)
        out = self.succeed("graph", "base.npy", "-k", 3, "--table", "-").stdout
        all_of = self.expected(k=70, queries=self.database)
        edges = [row for row in all_of if row[0] != row[2]]
        expected = [(q, rank + 1, row, length) for query in range(70)
                    for rank, (q, _, row, length) in enumerate([e for e in edges if e[0] == query][:3])]
        self.assertEqual(self.neighbors(out), expected)

    def test_words_bring_their_text(self):
        with open(self.path("words.txt"), "w", encoding="utf-8") as file:
            file.write('kitten\nmitten\nsay "no", or\nStraße\n')
        words = ["words", "words.txt", "-k", 1, "--table"]
        self.succeed(*words, "t.csv", "--query", "sitten", "--query", 'say "no", o', "--query", "straße")
        rows = list(csv.reader(io.StringIO(self.read("t.csv"))))
        self.assertEqual(rows, [HEADING + ["label"], ["sitten", "1", "0", "1", "kitten"],
                                ['say "no", o', "1", "2", "1", 'say "no", or'], ["straße", "1", "3", "1", "Straße"]])
        self.assertEqual(self.succeed(*words, "-", "--query", "sitten").stdout,
                         "query,rank,id,distance,label\nsitten,1,0,1,kitten\n")

    def test_the_document_names_the_table(self):
        for arguments in (["search", *self.files], ["range", *self.files, "--radius", "1"], ["graph", "base.npy"]):
            document = self.succeed_json(*arguments, "--table", "t.csv")
            self.assertEqual(document["files"], ["t.csv"])
            self.assertNotIn("neighbors", document)
            os.unlink(self.path("t.csv"))


if __name__ == "__main__":
    unittest.main()
