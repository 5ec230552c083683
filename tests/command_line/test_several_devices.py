"""search, range and graph over several devices: the files of one device, byte for byte."""

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
                                   ("--shares", "--shares", "1,2"), ("--divide", "--divide", "columns"),
                                   ("--shares", "--device", "cpu,cpu:reference", "--shares", "0,0"),
                                   ("--shares", "--device", "cpu,cpu:reference", "--shares", "1,-1"),
                                   ("--save", "--device", "cpu,cpu:reference", "--save", "rows.index"),
                                   ("--permutants", "--device", "cpu,cpu:reference", "--permutants", "8")):
            with self.subTest(arguments=arguments):
                self.assertIn(option, self.fail_with(2, *search, *arguments))


if __name__ == "__main__":
    unittest.main()
