"""search, range, graph, words and documents over several devices: the answers of one device, byte for byte."""

import unittest

from support import CommandLineTest, random_rows, write_npy

SEVERAL = ("cpu,cpu:reference", "cpu:reference,cpu")


class SeveralDevices(CommandLineTest):
    def setUp(self):
        super().setUp()
        # Whole numbers: ties, which the numbers of rows decide.
        self.rows, self.queries = self.path("rows.npy"), self.path("queries.npy")
        write_npy(self.rows, random_rows(700, 3, seed=1, integers=True))
        write_npy(self.queries, random_rows(9, 3, seed=2, integers=True))
        usable = [device["id"] for device in self.succeed_json("devices")["devices"] if device["usable"]]
        others = [device for device in usable if not device.startswith("cpu")]
        self.several = [*SEVERAL, *(["cpu," + ",".join(others)] if others else [])]

    def files(self, *arguments):
        """What a command writes with --output."""
        self.succeed(*arguments, "--output", "found", "--force")
        found = {}
        for part in ("offsets", "indices", "distances"):
            try:
                with open(self.path(f"found.{part}.npy"), "rb") as file:
                    found[part] = file.read()
            except FileNotFoundError:
                pass
        self.assertTrue(found)
        return found

    def check(self, *arguments):
        expected = self.files(*arguments, "--device", "cpu")
        for devices in self.several:
            for divide in ("rows", "queries"):
                with self.subTest(devices=devices, divide=divide):
                    self.assertEqual(self.files(*arguments, "--device", devices, "--divide", divide), expected)

    def test_the_nearest(self):
        self.check("search", "--database", self.rows, "--queries", self.queries, "-k", 40, "--metric", "l2")

    def test_an_index_that_was_saved(self):
        self.succeed("search", "--database", self.rows, "--queries", self.queries, "--save", "rows.index", "--device", "cpu")
        for more in ((), ("--memory-limit", "3KiB")):
            self.check("search", "--database", "rows.index", "--queries", self.queries, "-k", 40, "--metric", "l1", *more)

    def test_a_method_whose_rows_are_few_on_one_device(self):
        asked = ("search", "--database", self.rows, "--queries", self.queries, "--method", "fused", "--metric", "l2")
        expected = self.files(*asked, "-k", 175, "--device", "cpu")
        for devices in ("cpu,cpu:reference", "cpu:reference,cpu"):
            several = (*asked, "--device", devices, "--shares", "5,1")
            self.assertEqual(self.files(*several, "-k", 175), expected)
            self.assertEqual(self.files(*several, "-k", 175, "--memory-limit", "3KiB"), expected)
            # Of all rows there have to be enough, as on one device.
            error = self.fail_with(2, *several, "-k", 176)
            self.assertIn("--k: the thresholds of fused need four times as many rows as neighbours, 704 for k = 176; there are 700",
                          error)

    def test_rows_that_pass_in_blocks_are_told_of(self):
        limits = ("--memory-limit", "3KiB", "--device", "cpu,cpu:reference", "--shares", "1,1")
        for command in (
            ("search", "--database", self.rows, "--queries", self.queries),
            ("range", "--database", self.rows, "--queries", self.queries, "--radius", 1),
            ("graph", self.rows),
        ):
            with self.subTest(command=command[0]):
                self.assertIn("passed over the rows in blocks of up to 128", self.succeed(*command, *limits).stdout)
                self.assertEqual(self.succeed_json(*command, *limits)["block_rows"], 128)
                self.assertNotIn("in blocks", self.succeed(*command, *limits[2:]).stdout)
        compared = ("compare", "--database", self.rows, "--queries", self.queries, "--method", "scan",
                    "--device", "cpu", "--repeats", 1)
        line = "cpu scan: the search passed over the rows in blocks of up to 128"
        self.assertIn(line, self.succeed(*compared, *limits[:2]).stdout)
        self.assertEqual(self.succeed_json(*compared, *limits[:2])["answers"][-1]["block_rows"], 128)
        self.assertNotIn("in blocks", self.succeed(*compared).stdout)

    def test_rows_that_stay_while_codes_answer_are_told_of(self):
        self.succeed("data", "make", "20000x32", "many.fbin")
        self.succeed("data", "make", "3x32", "few.fbin", "--seed", 2)
        search = ("search", "--database", "many.fbin", "--queries", "few.fbin", "--device", "cpu", "--memory-limit", "1600KiB")
        said = self.succeed(*search, "--method", "fused").stdout
        self.assertIn("the rows stayed in host memory, and 8-bit codes of all of them on the device answered", said)
        self.assertNotIn("in blocks", said)
        self.assertIn("in blocks", self.succeed(*search, "--method", "scan").stdout)

    def test_a_page(self):
        page = self.succeed("search", "--database", self.rows, "--queries", self.queries, "--json").stdout
        self.write("page.json", page)
        self.check("search", "--database", self.rows, "--queries", self.queries, "--after", "page.json")

    def test_all_within_a_radius(self):
        self.check("range", "--database", self.rows, "--queries", self.queries, "--radius", 9, "--metric", "l2")

    def test_the_graph(self):
        self.check("graph", self.rows, "-k", 5)

    def test_what_each_had_is_told(self):
        arguments = ("search", "--database", self.rows, "--queries", self.queries, "--device", "cpu,cpu:reference",
                     "--shares", "0.75,2.5e-1")
        document = self.succeed_json(*arguments)
        self.assertEqual(document["device"], "cpu,cpu:reference")
        self.assertEqual(document["divided"], "rows")
        self.assertEqual([one["id"] for one in document["devices"]], ["cpu", "cpu:reference"])
        self.assertEqual([one["share"] for one in document["devices"]], [0.75, 0.25])
        # Parts are whole tiles of 128 rows.
        self.assertEqual([one["rows"] for one in document["devices"]], [512, 188])
        self.assertRegex(self.succeed(*arguments).stdout, r"rows divided: cpu 75.00 % in .* ms, cpu:reference 25.00 % in")

    def test_one_device_has_no_parts(self):
        document = self.succeed_json("search", "--database", self.rows, "--queries", self.queries)
        self.assertEqual(document["device"], "cpu")
        self.assertNotIn("devices", document)

    def test_what_is_refused(self):
        search = ("search", "--database", self.rows, "--queries", self.queries)
        for option, *arguments in (("--device", "--device", "cpu,cpu"), ("--device", "--device", "cpu,tpu"),
                                   ("--device", "--device", "cpu,"), ("--device", "--device=,cpu"),
                                   ("--shares", "--device", "cpu,cpu:reference", "--shares", "1,,2"),
                                   ("--shares", "--shares", "1,2"), ("--divide", "--divide", "columns"),
                                   ("--shares", "--device", "cpu,cpu:reference", "--shares", "0,0"),
                                   ("--shares", "--device", "cpu,cpu:reference", "--shares", "1,-1"),
                                   ("--save", "--device", "cpu,cpu:reference", "--save", "rows.index"),
                                   ("--divide", "--device", "cpu,cpu:reference", "--permutants", "8", "--divide",
                                    "rows")):
            with self.subTest(arguments=arguments):
                self.assertIn(option, self.fail_with(2, *search, *arguments))

    def test_permutations_divide_queries(self):
        arguments = ("search", "--database", self.rows, "--queries", self.queries, "--permutants", 8, "--recall", 0.9)
        expected = self.files(*arguments, "--device", "cpu")
        for devices in self.several:
            with self.subTest(devices=devices):
                self.assertEqual(self.files(*arguments, "--device", devices), expected)
                self.assertEqual(self.succeed_json(*arguments, "--device", devices)["divided"], "queries")

    def lines(self, *arguments):
        """What a command prints, of one device and of several by every division."""
        expected = self.succeed(*arguments, "--device", "cpu").stdout
        self.assertTrue(expected)
        divisions = ("queries",) if "--permutants" in arguments else ("rows", "queries")
        for devices in self.several:
            for divide in divisions:
                with self.subTest(devices=devices, divide=divide):
                    found = self.succeed(*arguments, "--device", devices, "--divide", divide).stdout
                    self.assertEqual(found, expected)

    def test_words(self):
        words = [f"{a}{b}{c}" for a in "abc" for b in ("", "x", "yy") for c in "abdé"]
        self.write("words.txt", "\n".join(words) + "\n")
        self.write("asked.txt", "ab\nxyz\n\u00e9\ncyyd\nb\n")
        self.write("gone.txt", "aa\ncyyd\n")
        self.write("new.txt", "cyyd\nxyz\n")
        asked = ("words", "words.txt", "--queries-from", "asked.txt")
        self.lines(*asked, "-k", 4)
        self.lines(*asked, "--radius", 2, "--distance", "hamming")
        self.lines(*asked, "-k", 40, "--remove", "gone.txt", "--add", "new.txt", "--batch", 2)
        self.lines(*asked, "-k", 4, "--permutants", 6, "--fraction", 0.3)
        document = self.succeed_json(*asked, "--device", "cpu,cpu:reference", "--shares", "1,2")
        self.assertEqual([device["rows"] for device in document["devices"]], [12, 24])
        self.assertNotIn("devices", self.succeed_json(*asked))
        self.assertRegex(self.succeed(*asked, "--device", "cpu,cpu:reference", "--trace").stdout, "rows divided: cpu ")
        # An index that was saved of several devices is that of one, and is searched by one.
        self.succeed(*asked, "--permutants", 6, "--device", "cpu", "--save", "one.index")
        self.succeed(*asked, "--permutants", 6, "--device", "cpu,cpu:reference", "--save", "several.index")
        with open(self.path("one.index"), "rb") as one, open(self.path("several.index"), "rb") as several:
            self.assertEqual(one.read(), several.read())
        self.assertIn("--device", self.fail_with(2, "words", "one.index", "--query", "a", "--device",
                                                 "cpu,cpu:reference"))

    def test_documents(self):
        for number, text in enumerate(("a red house", "a red car", "the green house", "blue birds sing", "red")):
            self.write(f"texts/{number}.txt", text)
        asked = ("documents", "texts", "--text", "red house", "--like", "texts/3.txt", "-k", 3, "--csv")
        self.lines(*asked)
        self.lines(*asked, "--permutants", 3, "--fraction", 0.7)
        document = self.succeed_json(*asked[:-1], "--device", "cpu,cpu:reference", "--divide", "queries")
        self.assertEqual(document["divided"], "queries")


if __name__ == "__main__":
    unittest.main()
