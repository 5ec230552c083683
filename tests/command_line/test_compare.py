"""proxel compare: verdict, golden JSON, every kind of search, classification, report."""

import copy
import json
import os
import tempfile
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

    def test_devices_that_search_together_say_what_each_was_given(self):
        several = [*self.prepare(), "--device", "cpu+cpu:reference", "--method", "scan"]
        answer = self.succeed_json(*several, "--shares", "1,1")["answers"][1]
        self.assertEqual(answer["divided"], "rows")
        # Parts are whole tiles of 128 rows.
        self.assertEqual([(one["id"], one["rows"]) for one in answer["devices"]], [("cpu", 128), ("cpu:reference", 72)])
        out = self.succeed(*several, "--shares", "1,1").stdout
        self.assertRegex(out, r"cpu\+cpu:reference scan: rows divided: cpu 50.00 % in .* ms, cpu:reference 50.00 % in")
        out = self.succeed(*several, "--shares", "1,9").stdout
        self.assertIn("cpu 10.00 % (no rows), cpu:reference 90.00 % in", out)
        answer = self.succeed_json(*several, "--shares", "1,2", "--divide", "queries")["answers"][1]
        self.assertEqual(answer["divided"], "queries")
        self.assertEqual([one["rows"] for one in answer["devices"]], [200, 200])
        for wrong in (("--shares", "1,2,3"), ("--shares", "0,0"), ("--shares", "1,-1"), ("--divide", "columns")):
            self.assertIn(wrong[0], self.fail_with(2, *several, *wrong))
        for alone in (("--shares", "1"), ("--divide", "rows")):
            self.assertIn(alone[0], self.fail_with(2, *self.prepare(), "--device", "cpu", *alone))

    def test_nothing_to_compare_is_an_error(self):
        arguments = [*self.prepare(), "--method", "scan", "--device", "cpu:reference"]
        result = self.run_program(*arguments, "--json")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(json.loads(result.stdout)["identical"], False)
        self.assertIn("proxel: error: --device: nothing was compared: there is only one answer", result.stderr)
        self.assertIn("verdict: nothing was compared", self.run_program(*arguments).stdout)

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


class EveryKind(CommandLineTest):
    """Every kind of search, over made data and over files, on the processor and a Vulkan device."""

    KINDS = ["vectors", "range", "graph", "words", "signatures", "permutations"]
    WORDS = ["recieve", "receive", "relieve", "deceive", "believe", "sieve", "give", "given", "3rd", "live"] * 20

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Pipelines are made once for all tests.
        cache = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cache.cleanup)
        cls.cache = cache.name

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.cache
        write_npy(self.path("base.npy"), random_rows(300, 6, 1))
        write_npy(self.path("query.npy"), random_rows(9, 6, 2))
        with open(self.path("words"), "w") as file:
            file.write("\n".join(self.WORDS) + "\n")
        with open(self.path("signatures.txt"), "w") as file:
            file.write("2 2 1000\n\n" + "".join("name%d\n%r %r 0.5\n%r %r 0.25\n\n" % (number, *row)
                                               for number, row in enumerate(random_rows(60, 4, 3))))
        self.rows = ["--database", "base.npy", "--queries", "query.npy"]

    def devices(self):
        listed = self.succeed_json("devices")["devices"]
        return ["cpu"] + [one["id"] for one in listed if one["backend"] == "vulkan" and one["usable"]][:1]

    def everywhere(self, *arguments):
        return self.succeed_json("compare", *arguments, "--device", ",".join(self.devices()), "--repeats", 1)

    def compare(self, *arguments):
        return self.succeed_json("compare", *arguments, "--device", "cpu", "--repeats", 1)

    def check(self, document, what, methods, devices):
        self.assertEqual(document["what"], what)
        self.assertEqual([(answer["device"], answer["method"]) for answer in document["answers"]],
                         [("cpu:reference", methods[0])] + [(device, method) for device in devices for method in methods])
        self.assertEqual([answer["outcome"] for answer in document["answers"]],
                         ["reference"] + ["identical"] * len(devices) * len(methods))
        count = 1 + len(devices) * len(methods)
        self.assertTrue(document["verdict"].startswith(f"all {count} answers are identical to the bit"), document["verdict"])
        self.assertEqual(document["compared"], count - 1)
        self.assertTrue(document["identical"])
        for answer in document["answers"]:
            self.assertGreater(answer["total_ms"], 0)

    def test_what_is_made(self):
        methods = {"vectors": ["scan", "texel"], "range": ["scan"], "graph": ["scan", "texel"], "words": ["exact"],
                   "signatures": ["canonical", "screened"], "permutations": ["permutation"]}
        document = self.everywhere("--query-count", 7)
        self.assertEqual(document["what"], self.KINDS)
        self.assertEqual(len(document["comparisons"]), len(self.KINDS))
        for one in document["comparisons"]:
            with self.subTest(what=one["what"]):
                self.check(one, one["what"], methods[one["what"]], self.devices())
                self.assertEqual(one["queries"], one["database"]["rows"] if one["what"] == "graph" else 7)
                self.assertEqual(one["database"]["path"].split()[0], "made")
        compared = sum(one["compared"] for one in document["comparisons"])
        self.assertEqual(document["compared"], compared)
        self.assertEqual(document["verdict"], f"all {compared + 6} answers to 6 searches are identical to the bit")
        self.assertTrue(document["identical"])

    def test_the_file_decides(self):
        for arguments, what, methods in ((self.rows, "vectors", ["scan", "texel"]),
                                         (["--database", "words"], "words", ["exact"]),
                                         (["--database", "signatures.txt"], "signatures", ["canonical", "screened"])):
            with self.subTest(what=what):
                self.check(self.everywhere(*arguments), what, methods, self.devices())
        self.assertEqual(self.compare(*self.rows, "--what", "all")["what"], ["vectors", "range", "graph", "permutations"])
        self.assertEqual(self.compare("--database", "words", "--what", "all")["what"], ["range", "words", "permutations"])
        self.assertEqual(self.compare("--database", "signatures.txt", "--what", "all")["what"], ["range", "signatures"])

    def test_a_text_of_numbers_is_no_list_of_words(self):
        for name, text in (("plain.txt", "1.5 2 3\n4 5 6.5\n"), ("named.txt", "x,y\n1.5,2\n3,4\n"), ("one.txt", "1.5 2")):
            with open(self.path(name), "w") as file:
                file.write(text)
            with self.subTest(name=name):
                # What reading decided is noted on stderr.
                found = self.succeed("compare", "--database", name, "--queries", name, "--k", 1, "--device", "cpu", "--json")
                self.assertEqual(json.loads(found.stdout)["what"], "vectors")
                self.assertEqual(self.compare("--database", name, "--what", "words", "--k", 1)["what"], "words")

    def test_within_a_radius(self):
        for arguments in (self.rows, ["--database", "words"], ["--database", "signatures.txt"]):
            with self.subTest(arguments=arguments):
                given = self.everywhere(*arguments, "--what", "range", "--radius", 0.5)
                self.assertTrue(given["identical"])
                self.assertEqual((given["radius"], given["what"]), (0.5, "range"))
                self.assertNotIn("k", given)
                found = self.compare(*arguments, "--what", "range", "-k", 4)
                self.assertTrue(found["identical"])
                self.assertGreater(found["radius"], 0)
        # Half of the queries have k within the radius that is found.
        radius = self.compare(*self.rows, "--what", "range", "-k", 4, "--metric", "l1")["radius"]
        counts = [one["count"] for one in self.succeed_json(
            "range", *self.rows, "--metric", "l1", "--radius", repr(radius))["neighbors"]]
        self.assertGreaterEqual(sorted(counts)[len(counts) // 2], 4)
        self.assertLess(sorted(counts)[0], 4)

    def test_a_graph_needs_no_queries(self):
        document = self.compare("--database", "base.npy", "--what", "graph", "-k", 3, "--self", "keep")
        self.assertEqual((document["queries"], document["how"]), (300, "self kept"))

    def test_permutations_tell_their_recall(self):
        for arguments in (self.rows, ["--database", "words"]):
            for fraction, least in ((0.02, 0), (1, 1)):
                with self.subTest(arguments=arguments, fraction=fraction):
                    document = self.everywhere(*arguments, "--what", "permutations", "--permutants", 4, "-k", 5,
                                               "--fraction", fraction)
                    self.check(document, "permutations", ["permutation"], self.devices())
                    recalls = {answer["recall"] for answer in document["answers"]}
                    self.assertEqual(len(recalls), 1)
                    self.assertTrue(least <= min(recalls) <= 1, recalls)
                    self.assertIn("; recall ", document["verdict"])
        few = self.compare(*self.rows, "--what", "permutations", "--permutants", 4, "-k", 5, "--fraction", 0.02)
        self.assertLess(few["answers"][0]["recall"], 1)

    def test_devices_that_search_together(self):
        for what in ("vectors", "range", "graph", "words", "signatures", "permutations"):
            with self.subTest(what=what):
                document = self.succeed_json("compare", "--what", what, "--device", "cpu", "--device",
                                             "cpu+cpu:reference", "--query-count", 4)
                self.assertTrue(document["identical"])
                together = [answer for answer in document["answers"] if answer["device"] == "cpu+cpu:reference"]
                self.assertEqual([one["id"] for one in together[0]["devices"]], ["cpu", "cpu:reference"])
        self.assertIn("twice", self.fail_with(2, "compare", "--what", "words", "--device", "cpu+cpu"))

    def test_methods_and_measures_of_a_kind(self):
        document = self.compare("--database", "signatures.txt", "--method", "screened,auto", "--similarity", "heuristic",
                                "--alpha", 0.5)
        self.assertEqual(document["how"], "heuristic alpha = 0.5")
        self.assertEqual(document["metric"], "sqfd")
        self.assertEqual(self.compare("--database", "words", "--distance", "hamming")["metric"], "hamming")
        self.assertEqual([answer["method"] for answer in self.compare(
            "--database", "base.npy", "--what", "graph", "--method", "fused")["answers"]][:2], ["scan", "fused"])

    def test_auto_is_what_a_search_chooses_and_says_what_that_was(self):
        self.succeed("data", "make", "3000x3", "few.fbin")
        few = ("--database", "few.fbin", "--queries", "few.fbin", "--method", "auto,scan")
        chosen = [answer["method"] for answer in self.compare(*few)["answers"] if answer.get("chosen")]
        self.assertEqual(chosen, ["bvh"])
        self.assertIn("bvh (auto)", self.succeed("compare", *few, "--device", "cpu").stdout)
        # What was chosen may be what others are compared with.
        for few in (("--database", "signatures.txt"), ("--database", "base.npy", "--queries", "query.npy")):
            answers = [answer for answer in self.compare(*few, "--method", "auto")["answers"] if answer.get("chosen")]
            self.assertEqual([answer["speed_up"] for answer in answers], [1])

    def test_the_text_has_a_verdict_for_each_and_one_for_all(self):
        out = self.succeed("compare", *self.rows, "--what", "vectors,graph,permutations", "--device", "cpu").stdout
        lines = out.splitlines()
        self.assertEqual(lines[-4:-1], [
            "vectors: all 3 answers are identical to the bit", "graph: all 3 answers are identical to the bit",
            lines[-2]])
        self.assertRegex(lines[-2], r"^permutations: all 2 answers are identical to the bit; recall [0-9.]+ %$")
        self.assertEqual(lines[-1], "verdict: all 8 answers to 3 searches are identical to the bit")
        self.assertRegex(out, r"(?m)^search  +backend .* recall  answer")

    def test_the_report_has_a_part_for_each(self):
        self.succeed("compare", *self.rows, "--what", "all", "--device", "cpu", "--repeats", 1, "--report", "all.html")
        with open(self.path("all.html")) as file:
            text = file.read()
        page = Page()
        page.feed(text)
        self.assertEqual((page.open, page.loads), ([], []))
        self.assertEqual(page.tags.count("svg"), 8)
        for what in ("vectors", "range", "graph", "permutations"):
            self.assertIn(f"{what}: 300 × 6, ", page.text)
        self.assertIn("all 10 answers to 4 searches are identical to the bit", page.text)

    def test_a_missing_device_fails_every_kind(self):
        result = self.run_program("compare", *self.rows, "--what", "all", "--device", "cpu,cuda:77", "--json")
        self.assertEqual(result.returncode, 3)
        document = json.loads(result.stdout)
        self.assertRegex(document["verdict"], r"; \d+ failed$")
        for one in document["comparisons"]:
            self.assertIn("failed", [answer["outcome"] for answer in one["answers"]])

    def test_options_of_other_kinds_are_refused(self):
        for option, arguments in (("--metric", ["--what", "words", "--metric", "l1"]),
                                  ("--distance", [*self.rows, "--distance", "hamming"]),
                                  ("--radius", [*self.rows, "--radius", 1]),
                                  ("--self", [*self.rows, "--self", "keep"]),
                                  ("--alpha", ["--database", "words", "--alpha", 1]),
                                  ("--fraction", ["--what", "words", "--fraction", 0.5]),
                                  ("--rows", ["--what", "signatures", "--rows", 5]),
                                  ("--method", ["--what", "words", "--method", "scan"]),
                                  ("--method", ["--what", "all", "--method", "texel"]),
                                  ("--raw", ["--what", "graph", "--raw"]),
                                  ("--permutants", ["--what", "permutations", "--permutants", 0]),
                                  ("--queries", ["--database", "base.npy", "--what", "graph", "--queries", "query.npy"]),
                                  ("--database", ["--queries", "query.npy"]),
                                  ("--what", ["--database", "signatures.sig", "--what", "graph"])):
            with self.subTest(arguments=arguments):
                self.assertIn(option, self.fail_with(2, "compare", *arguments))
        self.fail_with(2, "compare", "--what", "potatoes")


if __name__ == "__main__":
    unittest.main()
