"""Filters, pages and range searches, checked against a brute force."""

import json
import unittest

from support import (CommandLineTest, NO_NEIGHBOR, brute_force, random_rows, read_npy_values, rounded,
                     write_npy)

METRICS = ("l1", "l2sq", "l2", "linf", "ip")


def number(value):
    return {"Infinity": float("inf"), "-Infinity": float("-inf")}.get(value, value)


class Narrowing(CommandLineTest):
    def prepare(self, command, rows=200, columns=2, queries=4):
        # Integers: many ties.
        self.database = random_rows(rows, columns, 1, True)
        self.queries = random_rows(queries, columns, 2, True)
        write_npy(self.path("base.npy"), self.database)
        write_npy(self.path("query.npy"), self.queries)
        return [command, "--database", "base.npy", "--queries", "query.npy"]

    def answer(self, *arguments):
        document = self.succeed_json(*arguments)
        return document, [([NO_NEIGHBOR if i is None else i for i in row["indices"]],
                           [rounded(number(d)) for d in row["distances"]])
                          for row in document["neighbors"]]

    def test_rows_that_the_filter_leaves_out_are_never_found(self):
        arguments = self.prepare("search")
        kept = [row for row in range(200) if row % 3 == 0]
        with open(self.path("allowed.csv"), "w") as file:
            file.writelines("%d\n" % (row % 3 == 0) for row in range(200))
        for method in ("scan", "texel"):
            for k in (5, 100):
                with self.subTest(method=method, k=k):
                    _, found = self.answer(*arguments, "--metric", "l1", "--k", k, "--method",
                                           method, "--filter", "allowed.csv")
                    indices, distances = brute_force(
                        "l1", [self.database[row] for row in kept], self.queries, k)
                    self.assertEqual([row for row, _ in found],
                                     [[kept[i] if i != NO_NEIGHBOR else i for i in row]
                                      for row in indices])
                    self.assertEqual([row for _, row in found], distances)

    def test_a_filter_of_each_query(self):
        arguments = self.prepare("search")
        write_npy(self.path("allowed.npy"),
                  [[float(row % 4 == query) for row in range(200)] for query in range(4)])
        _, found = self.answer(*arguments, "--k", 60, "--filter", "allowed.npy")
        for query, (indices, _) in enumerate(found):
            self.assertEqual(sorted(i for i in indices if i != NO_NEIGHBOR),
                             list(range(query, 200, 4)))

    def test_pages_joined_are_one_search(self):
        arguments = self.prepare("search")
        for metric in METRICS:
            with self.subTest(metric=metric):
                _, whole = self.answer(*arguments, "--metric", metric, "--k", 210)
                joined = [([], []) for _ in self.queries]
                after = []
                for page in range(7):
                    document, found = self.answer(*arguments, "--metric", metric, "--k", 30, *after)
                    for (indices, distances), (more, further) in zip(joined, found):
                        indices += more
                        distances += further
                    with open(self.path("page.json"), "w") as file:
                        json.dump(document, file)
                    after = ["--after", "page.json"]
                self.assertEqual(joined, whole)

    def test_the_rows_within_a_radius(self):
        arguments = self.prepare("range")
        for metric in METRICS:
            indices, distances = brute_force(metric, self.database, self.queries, 200)
            # A radius that is a distance: what lies at it is within.
            radius = distances[0][40]
            expected = [[(i, d) for i, d in zip(*row)
                         if (d >= radius if metric == "ip" else d <= radius)]
                        for row in zip(indices, distances)]
            with self.subTest(metric=metric):
                document, found = self.answer(*arguments, "--metric", metric, "--radius",
                                              repr(radius))
                self.assertEqual([list(zip(*row)) for row in found], expected)
                self.assertEqual([row["count"] for row in document["neighbors"]],
                                 [len(row) for row in expected])
                self.succeed(*arguments, "--metric", metric, "--radius", repr(radius), "--output",
                             "found")
                self.assertEqual(self.list_of("found.indices.npy"), [i for row in expected for i, _ in row])
                self.assertEqual(self.list_of("found.distances.npy"), [d for row in expected for _, d in row])
                offsets = [0]
                for row in expected:
                    offsets.append(offsets[-1] + len(row))
                self.assertEqual(self.list_of("found.offsets.npy"), offsets)

    def list_of(self, name):
        """What a file of one dimension holds."""
        _, (count,), values = read_npy_values(self.path(name))
        self.assertEqual(count, len(values))
        return values

    def test_rows_that_do_not_fit_have_filters_pages_and_radii(self):
        arguments = self.prepare("range", rows=700)
        for metric in METRICS:
            _, distances = brute_force(metric, self.database, self.queries, 200)
            with self.subTest(metric=metric):
                asked = (*arguments, "--metric", metric, "--radius", repr(distances[0][90]))
                _, whole = self.answer(*asked)
                _, streamed = self.answer(*asked, "--memory-limit", "2KiB")
                self.assertEqual(streamed, whole)
        arguments = self.prepare("search", rows=700)
        document, first = self.answer(*arguments, "--metric", "l2", "--k", 300)
        with open(self.path("page.json"), "w") as file:
            json.dump(document, file)
        after = (*arguments, "--metric", "l2", "--k", 300, "--after", "page.json")
        _, second = self.answer(*after)
        _, streamed = self.answer(*after, "--memory-limit", "2KiB")
        self.assertEqual(streamed, second)
        self.assertNotEqual(streamed, first)

    def test_a_radius_that_nothing_or_everything_is_within(self):
        arguments = self.prepare("range")
        self.assertEqual(self.succeed_json(*arguments, "--radius", "1e-30")["found"], 0)
        self.assertEqual(self.succeed_json(*arguments, "--radius", "inf")["found"], 800)
        with open(self.path("allowed.csv"), "w") as file:
            file.write(",".join("1" if row == 7 else "0" for row in range(200)) + "\n")
        document = self.succeed_json(*arguments, "--radius", "inf", "--filter", "allowed.csv")
        self.assertEqual([row["indices"] for row in document["neighbors"]], [[7]] * 4)

    def test_the_table_tells_counts_and_ranks(self):
        out = self.succeed(*self.prepare("range"), "--radius", "inf", "--show", 1).stdout
        self.assertIn("200", out.splitlines()[1])
        self.assertIn("and 3 more queries", out)
        self.assertIn("800 neighbours of 4 queries", out)


if __name__ == "__main__":
    unittest.main()
