"""proxel accuracy, and --raw where it is allowed."""

import csv
import io
import unittest

from support import CommandLineTest, random_rows


class Accuracy(CommandLineTest):
    def by_method(self, document, data):
        return {line["method"]: line for line in document["results"] if line["data"] == data}

    def test_the_published_failure_is_shown_and_proxel_has_none(self):
        document = self.succeed_json("accuracy", "--k", 3)
        two = self.by_method(document, "10000 and 10001")
        self.assertEqual(two["garcia-gemm --raw"]["wrong"], 1)
        self.assertEqual(two["garcia-gemm --raw"]["k"], 1)
        self.assertEqual(two["garcia-direct --raw"]["wrong"], 0)
        offset = self.by_method(document, "large offset")
        self.assertGreater(offset["garcia-gemm --raw"]["share"], 0.9)
        self.assertGreater(offset["float32 expansion (cdist's order, here)"]["share"], 0.9)
        sift = self.by_method(document, "SIFT-like")
        self.assertEqual(sift["garcia-gemm --raw"]["wrong"], 0)
        for line in document["results"]:
            if line["method"] == "proxel":
                self.assertEqual(line["wrong"], 0, line)
                self.assertLess(line["largest_relative_error"], 1e-5)

    def test_a_file_of_the_users(self):
        rows = [[1000 + value / 100 for value in row] for row in random_rows(200, 4, 1)]
        with open(self.path("rows.csv"), "w", encoding="utf-8") as file:
            for row in rows:
                file.write(",".join(map(str, row)) + "\n")
        out = self.succeed("accuracy", "--only-data", "--data", "rows.csv", "--query-count", 20,
                           "--metric", "l2", "--k", 2, "--csv").stdout
        lines = list(csv.DictReader(io.StringIO(out)))
        methods = {line["method"]: line for line in lines}
        self.assertEqual({line["data"] for line in lines}, {"rows.csv"})
        self.assertEqual(methods["proxel"]["rows"], "180")
        self.assertEqual(methods["proxel"]["neighbors"], "40")
        self.assertGreater(int(methods["garcia-gemm --raw"]["wrong"]), 0)

    def test_raw_is_a_choice_of_search_that_others_refuse(self):
        with open(self.path("points.csv"), "w", encoding="utf-8") as file:
            file.write("10000\n10001\n")
        arguments = ["search", "--database", "points.csv", "--queries", "points.csv", "--k", 1]
        raw = self.succeed_json(*arguments, "--method", "garcia-gemm", "--raw")
        self.assertTrue(raw["raw"])
        self.assertEqual(raw["neighbors"][1]["indices"], [0])
        exact = self.succeed_json(*arguments, "--method", "garcia-gemm")
        self.assertEqual(exact["neighbors"][1]["indices"], [1])
        self.assertIn("raw", self.fail_with(2, *arguments, "--method", "scan", "--raw"))

    def test_compare_shows_what_raw_loses(self):
        with open(self.path("points.csv"), "w", encoding="utf-8") as file:
            file.write("10000\n10001\n")
        arguments = ["compare", "--database", "points.csv", "--queries", "points.csv", "--k", 1,
                     "--device", "cpu", "--method", "garcia-gemm", "--repeats", 1]
        self.succeed(*arguments)
        self.assertEqual(self.run_program(*arguments, "--raw").returncode, 1)

    def test_bad_usage_is_told(self):
        self.fail_with(2, "accuracy", "--only-data")
        self.fail_with(2, "accuracy", "--data", "nothing.npy", "--only-data")
        self.assertEqual(self.run_program("accuracy", "--metric", "l1").returncode, 2)


if __name__ == "__main__":
    unittest.main()
