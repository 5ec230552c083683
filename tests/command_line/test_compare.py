"""proxel compare: verdict, golden JSON, classification, report."""

import copy
import json
import os
import unittest
from html.parser import HTMLParser

from support import CommandLineTest, random_rows, rounded, write_npy

MEASURED = ("build_ms", "upload_ms", "compute_ms", "readback_ms", "total_ms", "repeats",
            "queries_per_second", "speed_up")


def masked(document):
    """The document with what depends on the machine replaced by its type."""
    document = copy.deepcopy(document)
    for answer in document["answers"]:
        answer["device_name"] = "NAME"
        for key in MEASURED:
            if key in answer:
                answer[key] = type(answer[key]).__name__
    return document


class Page(HTMLParser):
    """Notes what a page loads and draws, and that its elements nest."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.loads, self.text = [], [], [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href")]

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


class Compare(CommandLineTest):
    def prepare(self):
        write_npy(self.path("base.npy"), random_rows(200, 6, 1))
        write_npy(self.path("query.npy"), random_rows(9, 6, 2))
        return ["compare", "--database", "base.npy", "--queries", "query.npy", "--metric", "l1",
                "--k", 3]

    def test_json_is_as_written_down(self):
        document = self.succeed_json(*self.prepare(), "--device", "cpu")
        with open(os.path.join(os.path.dirname(__file__), "golden", "compare.json")) as file:
            self.assertEqual(masked(document), json.load(file))

    def test_all_devices_of_this_machine_agree(self):
        document = self.succeed_json(*self.prepare())
        outcomes = {answer["outcome"] for answer in document["answers"]}
        self.assertEqual(outcomes, {"reference", "identical"})
        self.assertTrue(document["identical"])

    def test_text_ends_with_the_verdict(self):
        out = self.succeed(*self.prepare(), "--device", "cpu").stdout
        self.assertEqual(out.splitlines()[-1], "verdict: all 3 answers are identical to the bit")
        for heading in ("backend", "device", "method", "build ms", "upload ms", "compute ms",
                        "read-back ms", "queries/s", "speed-up", "answer"):
            self.assertIn(heading, out)

    def test_a_device_that_is_missing_is_a_device_failure(self):
        result = self.run_program(*self.prepare(), "--device", "cpu,cuda:77", "--json")
        self.assertEqual(result.returncode, 3)
        answers = json.loads(result.stdout)["answers"]
        self.assertEqual([answer["outcome"] for answer in answers[-2:]], ["failed", "failed"])
        self.assertIn("cuda:77", answers[-1]["reason"])

    def test_what_a_method_cannot_serve_is_listed_with_its_reason(self):
        arguments = self.prepare()
        arguments[arguments.index("--k") + 1] = 1500
        write_npy(self.path("base.npy"), random_rows(2000, 6, 1))
        document = self.succeed_json(*arguments, "--device", "cpu")
        self.assertEqual([answer["outcome"] for answer in document["answers"]],
                         ["reference", "identical", "not_supported"])
        self.assertIn("1024", document["answers"][-1]["reason"].replace(",", ""))

    def labelled(self):
        # Two clusters far apart: the label is which one, so every neighbour votes right.
        rows = random_rows(60, 3, 5)
        with open(self.path("labelled.csv"), "w") as file:
            for number, row in enumerate(rows):
                label = number % 2 + 1
                file.write(",".join(repr(rounded(x + 128 * label)) for x in row) + ",%d\n" % label)
        return ["compare", "--database", "labelled.csv", "--labels", "last", "--hold-out", 20,
                "--k", 3, "--device", "cpu", "--method", "scan"]

    def test_held_out_rows_are_classified(self):
        classes = self.succeed_json(*self.labelled())["classification"]
        self.assertEqual(classes["classes"], [1, 2])
        self.assertEqual(classes["accuracy"], 1)
        self.assertEqual(classes["confusion"][0][1], 0)
        self.assertEqual(sum(map(sum, classes["confusion"])), 20)

    def test_the_seed_decides_what_is_held_out(self):
        def confusion(seed):
            arguments = self.labelled() + ["--seed", seed]
            return self.succeed_json(*arguments)["classification"]["confusion"]
        self.assertEqual(confusion(1), confusion(1))
        self.assertGreater(len({str(confusion(seed)) for seed in range(6)}), 1)

    def test_scaling_by_range_changes_which_neighbours_are_near(self):
        # The label follows the first column; the second is larger by far and is noise.
        rows = random_rows(200, 2, 8)
        with open(self.path("noise.csv"), "w") as file:
            for first, second in rows:
                file.write("%r,%r,%d\n" % (first, rounded(second * 1e6), first > 0.5))
        arguments = ["compare", "--database", "noise.csv", "--labels", "last", "--hold-out", 100,
                     "--k", 3, "--device", "cpu", "--method", "scan"]
        plain = self.succeed_json(*arguments)["classification"]["accuracy"]
        scaled = self.succeed_json(*arguments, "--scale", "range")["classification"]["accuracy"]
        self.assertLess(plain, 0.75)
        self.assertGreater(scaled, 0.85)

    def test_the_report_is_one_page_that_loads_nothing(self):
        self.succeed(*self.labelled(), "--report", "report.html")
        with open(self.path("report.html")) as file:
            text = file.read()
        page = Page()
        page.feed(text)
        self.assertEqual(page.open, [])
        self.assertEqual(page.loads, [])
        self.assertEqual(page.tags.count("svg"), 2)
        self.assertEqual(text.count('role="img"'), 2)
        self.assertIn("prefers-color-scheme:dark", text)
        self.assertIn("identical to the bit", page.text)
        self.assertIn("accuracy 100.00 %", page.text)
        self.assertIn("proxel compare --database labelled.csv --labels last", page.text)

    def test_bad_combinations_are_refused(self):
        arguments = self.prepare()
        self.assertIn("--hold-out", self.fail_with(2, *arguments, "--hold-out", 3))
        self.assertIn("--queries", self.fail_with(2, *arguments[:3]))
        labelled = self.labelled()
        self.assertIn("--hold-out", self.fail_with(2, *labelled, "--hold-out", 60))
        labelled[labelled.index("last")] = "9"
        self.assertIn("no column \"9\"; its columns are 1 to 4", self.fail_with(2, *labelled))


if __name__ == "__main__":
    unittest.main()
