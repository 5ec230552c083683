"""Help that teaches by example, and the list of commands."""

import re
import unittest

from support import CommandLineTest


class Help(CommandLineTest):
    def test_every_command_explains_itself_with_examples(self):
        for command in ("devices", "search", "range", "graph", "words", "signatures",
                        "signatures build", "signatures info", "signatures search", "signatures evaluate",
                        "photos", "groundtruth", "compare", "accuracy",
                        "conformance", "data", "data info", "data convert", "data make", "data features",
                        "data features shapes", "data features sift", "data features documents", "data features dna"):
            with self.subTest(command=command):
                result = self.succeed(*command.split(), "--help")
                self.assertEqual(result.stderr, "")
                self.assertIn("Examples:\n  proxel " + command.split()[0], result.stdout)

    def test_the_overview_names_every_command_and_the_exit_codes(self):
        out = self.succeed("--help").stdout
        for word in ("devices", "search", "range", "graph", "words", "signatures", "photos", "groundtruth", "compare", "proxel-bench",
                     "conformance", "data", "Exit codes, of every command:", "4 an output cannot be written",
                     "130 ended by Ctrl-C", "143 by SIGTERM"):
            self.assertIn(word, out)

    def test_a_long_table_has_an_example_wherever_there_is_one(self):
        for command in ("search", "range", "graph", "words"):
            out = self.succeed(command, "--help").stdout
            self.assertRegex(out, rf"(?s)--table FILE.*--force.*\n  proxel {command} [^\n]*--table [a-z]+\.csv")

    def test_options_of_search_are_shown_with_defaults_and_units(self):
        out = self.succeed("search", "--help").stdout
        for word in ("--database", "--queries", "--metric", "--k", "--device", "--method",
                     "--output", "--format", "--trace", "--dimensions-per-pass", "--block-rows",
                     "--scratch-limit", "256MiB", "--filter", "--after", "--rows", "--first-row", "--json", "vulkan:N"):
            self.assertIn(word, out)

    def test_the_metric_option_explains_every_metric(self):
        out = self.succeed("search", "--help").stdout
        # CLI11 writes the default as "=l2sq", and from 2.4 on as "[l2sq]".
        names, explained = re.search(r"(?s)  --metric NAME:\{([\w,]+)\} ?[=[]\w+(.*?)\n  -", out).groups()
        for name in names.split(","):
            self.assertRegex(explained, rf"\b{name}\b")

    def test_the_version_is_a_number(self):
        self.assertRegex(self.succeed("--version").stdout, r"^proxel \d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
