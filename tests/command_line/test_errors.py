"""Bad usage and bad input: exit code, one line on stderr, an object with --json."""

import json
import os
import unittest

from support import CommandLineTest, random_rows, write_npy


class Errors(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_npy(self.path("base.npy"), random_rows(10, 4, 1))
        write_npy(self.path("narrow.npy"), random_rows(10, 3, 1))
        self.search = ["search", "--database", "base.npy", "--queries", "base.npy"]
        self.range = ["range", "--database", "base.npy", "--queries", "base.npy"]

    def test_bad_usage_exits_with_2(self):
        for arguments in ([], ["no-such-command"], ["search"], self.search + ["--no-such-option"],
                          self.search + ["--k", "0"], self.search + ["--k", "many"], self.search + ["--rows", "0"],
                          self.search + ["--query-rows", "0"],
                          self.search + ["--metric", "l3"], self.search + ["--method", "magic"],
                          self.search + ["--scratch-limit", "2 potatoes"],
                          self.search + ["--scratch-limit", "1KiB"],
                          self.search + ["--dimensions-per-pass", "17"],
                          ["compare", "--database", "base.npy", "--queries", "base.npy", "--time-limit", "nan"],
                          self.search + ["--device", "gpu"], self.search + ["--device", "cuda:x"],
                          ["range", "--database", "base.npy", "--queries", "base.npy"],
                          self.range + ["--radius", "far"], self.range + ["--radius", "nan"],
                          ["data"], ["data", "info"]):
            with self.subTest(arguments=arguments):
                self.fail_with(2, *arguments)

    def test_a_number_that_is_too_small_is_told_in_few_words(self):
        for option, number, refusal in (("--rows", "0", "is not above 0"), ("--query-rows", "-2", "is not above 0")):
            with self.subTest(option=option):
                self.assertIn(f"{option}: {number} {refusal}", self.fail_with(2, *self.search, option, number))

    def test_what_the_library_refuses_has_the_name_of_the_option(self):
        for option, arguments in (
            ("--k", ["--method", "fused", "--k", "3"]),
            ("--metric", ["--method", "bvh", "--metric", "ip"]),
            ("--storage", ["--storage", "int8"]),
            ("--memory-limit", ["--memory-limit", "1"]),
            ("--divide", ["--permutants", "3", "--divide", "rows"]),
        ):
            with self.subTest(option=option):
                error = self.fail_with(2, *self.search, *arguments)
                self.assertIn(f"proxel: error: {option}: ", error)
                document = json.loads(self.run_program(*self.search, *arguments, "--json").stdout)
                self.assertEqual(document["error"]["subject"], option)
        # What each of several devices refuses is not said of one; what a lone device refuses may be its own matter.
        for shares, subject in (("1,1", "--k: "), ("1,0", "cpu: --k: ")):
            error = self.fail_with(
                2, *self.search, "--device", "cpu,cpu:reference", "--shares", shares, "--method", "fused", "--k", "3",
                "--divide", "queries"
            )
            self.assertIn(f"proxel: error: {subject}", error)

    def test_bad_input_exits_with_2_and_names_the_file(self):
        with open(self.path("broken.npy"), "wb") as file:
            file.write(b"\x93NUMPY\x01\x00\xff\xff{'descr'")
        with open(self.path("broken.csv"), "w") as file:
            file.write("1,2,3,4\n1,2,three,4\n")
        with open(self.path("short.fvecs"), "wb") as file:
            file.write(b"\x04\x00\x00\x00\x00\x00")
        for name in ("missing.npy", "broken.npy", "broken.csv", "short.fvecs", "."):
            with self.subTest(name=name):
                self.assertIn(name, self.fail_with(2, "search", "--database", name, "--queries", "base.npy"))
                self.assertIn(name, self.fail_with(2, "data", "info" if name != "broken.csv" else "convert",
                                                   name, *(["x.npy"] if name == "broken.csv" else [])))

    def test_filters_and_pages_must_fit_database_and_queries(self):
        write_npy(self.path("short.npy"), [[1.0] * 9])
        self.assertIn("1 x 9", self.fail_with(2, *self.search, "--filter", "short.npy"))
        for name, text in (("text", "no JSON"), ("list", "[]"), ("other", '{"next": 5}'),
                           ("pairs", json.dumps({"next": [{"index": 0}] * 10})),
                           ("index", json.dumps({"next": [{"index": -1, "distance": 1}] * 10})),
                           ("far", json.dumps({"next": [{"index": 1, "distance": "far"}] * 10})),
                           ("swapped", json.dumps({"next": [{"query": 1, "index": 1, "distance": 1}] * 10}))):
            with open(self.path(name), "w") as file:
                file.write(text)
            with self.subTest(name=name):
                self.assertIn(name, self.fail_with(2, *self.search, "--after", name))
        with open(self.path("few"), "w") as file:
            file.write(json.dumps({"next": [{"index": 1, "distance": 1}] * 9}))
        self.assertIn("9 queries, 10", self.fail_with(2, *self.search, "--after", "few"))
        self.assertIn("missing", self.fail_with(2, *self.search, "--after", "missing"))

    def test_a_page_of_another_search_is_refused(self):
        page = self.succeed(*self.search, "--json").stdout
        with open(self.path("page"), "w") as file:
            file.write(page)
        self.succeed(*self.search, "--after", "page")
        self.assertIn('its metric is "l2sq", this one\'s "l1"',
                      self.fail_with(2, *self.search, "--after", "page", "--metric", "l1"))
        self.assertIn("its rows are 10, this one's 9", self.fail_with(2, *self.search, "--after", "page", "--rows", "9"))

    def test_a_variable_that_is_not_set_is_no_value(self):
        for option in ("--filter", "--after", "--output", "--table", "--k", "--seed", "--recall", "--rows"):
            with self.subTest(option=option):
                self.fail_with(2, *self.search, option, "")
        self.fail_with(2, *self.range, "--radius", "")
        self.fail_with(2, "conformance", "--list", "--filter", "")

    def test_numbers_are_what_they_look_like(self):
        for text in ("010", "0x2", "1_0", "1'0", "0b11", "-1", "+1", " 1", "99999999999999999999"):
            for option in ("--k", "--rows", "--query-rows", "--first-row", "--seed"):
                with self.subTest(option=option, text=text):
                    self.fail_with(2, *self.search, f"{option}={text}")
        self.fail_with(2, "compare", *self.search[1:], "--hold-out", "-1")
        self.assertIn('"k":1,', self.succeed(*self.search, "--k", "1", "--first-row", "0", "--json").stdout.replace(" ", ""))

    def test_wrong_usage_names_the_help_of_the_command(self):
        self.assertIn("'proxel search --help' shows", self.fail_with(2, *self.search, "--k", "0"))
        self.assertIn("'proxel data info --help' shows", self.fail_with(2, "data", "info"))
        self.assertIn("'proxel --help' shows", self.fail_with(2, "no-such-command"))

    def test_without_a_driver_it_says_so(self):
        self.environment = dict(self.environment, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent",
                                VK_ADD_DRIVER_FILES="")
        said = self.fail_with(3, *self.search, "--device", "vulkan")
        self.assertIn("error: vulkan: the Vulkan loader found no driver", said)

    def test_an_output_with_too_long_a_name(self):
        said = self.fail_with(4, *self.search, "--output", "y" * 300)
        self.assertIn("File name too long", said)

    def test_texel_search_says_what_it_does_not_continue(self):
        page = self.succeed(*self.search, "--k", 2, "--metric", "l2", "--json").stdout
        with open(self.path("page.json"), "w") as file:
            file.write(page)
        self.assertIn("does not continue l2", self.fail_with(
            2, *self.search, "--metric", "l2", "--method", "texel", "--after", "page.json"))

    def test_queries_must_fit_the_database(self):
        error = self.fail_with(2, "search", "--database", "base.npy", "--queries", "narrow.npy")
        self.assertIn("3 dimensions", error)
        self.assertIn("4", error)

    def test_rows_past_the_end(self):
        self.assertIn("no rows", self.fail_with(2, *self.search, "--first-row", 10))

    def test_a_missing_output_folder_is_noticed_before_the_search(self):
        self.assertIn("nowhere", self.fail_with(2, *self.search, "--output", "nowhere/found"))
        self.assertIn("nowhere", self.fail_with(
            2, "compare", *self.search[1:], "--report", "nowhere/report.html"))

    def test_a_missing_device_exits_with_3(self):
        self.assertIn("cuda:77", self.fail_with(3, *self.search, "--device", "cuda:77"))

    def test_json_errors_are_objects_on_stdout(self):
        for code, arguments, subject, name in (
                (2, ["search", "--database", "missing.npy", "--queries", "base.npy"], "missing.npy", "not_found"),
                (2, self.search + ["--k", "0"], "command line", "usage"),
                (2, self.search + ["--device", "gpu"], "--device", "invalid_argument"),
                (3, self.search + ["--device", "cuda:77"], "cuda:77", "not_found")):
            with self.subTest(arguments=arguments):
                result = self.run_program(*arguments, "--json")
                self.assertEqual(result.returncode, code)
                error = json.loads(result.stdout)["error"]
                self.assertEqual(set(error), {"code", "subject", "message"})
                self.assertEqual(error["subject"], subject)
                self.assertEqual(error["code"], name)
                self.assertTrue(error["message"])
                self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_failed_run_leaves_no_files(self):
        before = set(os.listdir(self.folder))
        self.fail_with(2, "search", "--database", "base.npy", "--queries", "narrow.npy", "--output", "found")
        self.assertEqual(set(os.listdir(self.folder)) - before - {"cache"}, set())

    def test_control_characters_in_names_do_not_reach_the_terminal(self):
        error = self.fail_with(2, "data", "info", "evil\n\033[31m.npy")
        self.assertEqual(len(error.splitlines()), 1)
        self.assertNotIn("\033", error)


if __name__ == "__main__":
    unittest.main()
