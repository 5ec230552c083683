"""Mistyped commands and options are named, with what was meant."""

import json
import unittest

from support import CommandLineTest


class Typos(CommandLineTest):
    def says(self, text, *arguments):
        error = self.fail_with(2, *arguments)
        self.assertIn(text, error)
        return error

    def test_commands(self):
        for typed, meant in (("serach", "search"), ("saerch", "search"), ("grahp", "graph"), ("word", "words"),
                             ("conform", "conformance"), ("device", "devices")):
            with self.subTest(typed=typed):
                self.says(f"'{typed}' is no command; did you mean '{meant}'?", typed, "--database", "x")
        self.says("'biuld' is no command; did you mean 'build'?", "signatures", "biuld", "a.png")
        self.says("'inof' is no command; did you mean 'info'?", "data", "inof", "base.npy")
        self.assertNotIn("did you mean", self.says("'elephant' is no command", "elephant"))

    def test_options(self):
        search = ["search", "--database", "a.npy"]
        for typed, meant in (("--qeuries", "--queries"), ("--metirc", "--metric"), ("--outptu=o", "--output"),
                             ("--dev", "--device"), ("--querys", "--queries")):
            with self.subTest(typed=typed):
                self.says(f"'{typed.split('=')[0]}' is no option of 'proxel search'; did you mean '{meant}'?",
                          *search, typed, "b.npy")
        self.says("'--permutant' is no option of 'proxel words'; did you mean '--permutants'?", "words", "w", "--permutant", 3)
        self.says("'--jsno' is no option of 'proxel data info'; did you mean '--json'?", "data", "info", "x", "--jsno")
        self.assertNotIn("did you mean", self.says("'--elephant' is no option", *search, "--elephant"))

    def test_values_are_not_taken_for_words_that_are_unknown(self):
        self.assertIn("--queries is required", self.fail_with(2, "search", "--database", "serach"))
        self.assertIn("--k", self.fail_with(2, "search", "--database", "a", "--queries", "b", "--k", "none"))

    def test_json_says_it_too(self):
        result = self.run_program("serach", "--json")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(json.loads(result.stdout)["error"]["message"], "'serach' is no command; did you mean 'search'?")


if __name__ == "__main__":
    unittest.main()
