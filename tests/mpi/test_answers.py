"""search, range and graph on several ranks: the files of one device, of one SHA-256."""

import hashlib
import json
import os
import random
import unittest

from ranks import RANKS, MpiTest
from support import random_rows, write_npy


class Answers(MpiTest):
    def setUp(self):
        super().setUp()
        self.rows, self.queries = self.path("rows.npy"), self.path("queries.npy")
        # Whole numbers: ties, which the numbers of rows decide; and every tenth row once more.
        rows = random_rows(403, 3, seed=1, integers=True)
        rows += rows[::10]
        write_npy(self.rows, rows)
        self.written = rows
        write_npy(self.queries, random_rows(9, 3, seed=2, integers=True))
        usable = [device["id"] for device in self.succeed_json("devices")["devices"] if device["usable"]]
        self.mixed = ["cpu", *[device for device in usable if device.startswith("vulkan")][:2], "cpu:reference"]

    def devices(self, ranks):
        return ",".join(self.mixed[rank % len(self.mixed)] for rank in range(ranks))

    def sum(self, prefix="found"):
        digest = hashlib.sha256()
        files = [f"{prefix}.{part}.npy" for part in ("offsets", "indices", "distances")]
        written = [name for name in files if os.path.exists(self.path(name))]
        self.assertGreaterEqual(len(written), 2)
        for name in written:
            with open(self.path(name), "rb") as file:
                digest.update(file.read())
            os.remove(self.path(name))
        return digest.hexdigest()

    def check(self, *arguments, ranks=RANKS, devices=None):
        self.succeed(*arguments, "--output", "found", "--device", "cpu")
        expected = self.sum()
        for count in ranks:
            with self.subTest(ranks=count, arguments=arguments):
                self.on_ranks(count, *arguments, "--output", "found", "--device", devices or self.devices(count))
                self.assertEqual(self.sum(), expected)

    def search(self, *arguments):
        return ("search", "--database", self.rows, "--queries", self.queries, *arguments)

    def test_the_nearest_on_mixed_devices(self):
        self.check(*self.search("-k", 40, "--metric", "l2"))

    def test_metrics(self):
        for ranks, metric in ((3, "l1"), (2, "ip"), (4, "pearson")):
            self.check(*self.search("-k", 7, "--metric", metric), ranks=(ranks,), devices="cpu")

    def test_shards_smaller_than_k_and_empty(self):
        self.check(*self.search("-k", 10, "--rows", 4, "--first-row", 9), ranks=(7,), devices="cpu")

    def test_a_rank_whose_rows_are_few_or_pass_in_blocks(self):
        few = self.search("-k", 111, "--metric", "l2", "--method", "fused")
        self.check(*few, ranks=(3, 7), devices="cpu")
        self.succeed(*few, "--output", "found")
        expected = self.sum()
        # 333 rows are three blocks, and 111 fit.
        streamed = (*few, "--memory-limit", "3KiB", "--shares", "3,1", "--output", "found")
        self.assertIn("in blocks, in 1 of 2 processes", self.on_ranks(2, *streamed))
        self.assertEqual(self.sum(), expected)
        self.assertEqual(json.loads(self.on_ranks(2, *streamed, "--json"))["streaming_ranks"], 1)
        self.assertNotIn("in blocks", self.on_ranks(2, *few))

    def test_shares(self):
        self.succeed(*self.search("-k", 10, "--output", "found"))
        expected = self.sum()
        document = json.loads(self.on_ranks(3, *self.search("-k", 10, "--shares", "0,3,1", "--output", "found", "--json")))
        self.assertEqual([rank["rows"] for rank in document["ranks"]], [0, 333, 111])
        self.assertEqual([rank["device"] for rank in document["ranks"]], ["cpu", "cpu", "cpu"])
        self.assertEqual(document["database"]["rows"], 444)
        self.assertEqual(self.sum(), expected)

    def test_pages_filters_and_a_file_for_each(self):
        page = self.succeed(*self.search("--json", "--metric", "l2")).stdout
        self.write("page.json", page)
        self.check(*self.search("--after", "page.json", "--metric", "l2"), ranks=(5,), devices="cpu")
        choose = random.Random(3)
        self.write("filter.csv", "\n".join(str(choose.randrange(2)) for _ in self.written) + "\n")
        self.check(*self.search("--filter", "filter.csv"), ranks=(3,), devices="cpu")
        self.succeed(*self.search("--output", "found"))
        expected = self.sum()
        for rank, (first, end) in enumerate(((0, 100), (100, 101), (101, 444))):
            write_npy(self.path(f"shard-{rank}.npy"), self.written[first:end])
        self.on_ranks(3, "search", "--database", "shard-{rank}.npy", "--queries", self.queries, "--output", "found")
        self.assertEqual(self.sum(), expected)
        for rank in range(3):
            self.succeed("search", "--database", f"shard-{rank}.npy", "--queries", self.queries, "--save",
                         f"shard-{rank}.index")
        self.on_ranks(3, "search", "--database", "shard-{rank}.index", "--queries", self.queries, "--output", "found")
        self.assertEqual(self.sum(), expected)

    def test_within_a_radius(self):
        arguments = ("range", "--database", self.rows, "--queries", self.queries, "--radius", 9, "--metric", "l2")
        self.check(*arguments, ranks=(3,))

    def test_the_graph(self):
        self.check("graph", self.rows, "-k", 5, ranks=(3,), devices="cpu")

    def test_one_rank_tells(self):
        out = self.on_ranks(3, *self.search())
        self.assertEqual(out.count("queries against"), 1)
        self.assertIn("9 queries against 444 × 3", out)
        self.assertIn("by MPI", out)
        self.assertRegex(out, r"rows divided among ranks: 0 cpu on \S+ 148 rows")
        self.assertEqual(self.on_ranks(2, *self.search("--mpi", "off")).count("queries against"), 2)


if __name__ == "__main__":
    unittest.main()
