"""proxel conformance: a front on the harness, which has tests of its own."""

import json
import unittest

from support import CommandLineTest


class Conformance(CommandLineTest):
    def test_a_family_of_cases_passes_on_the_cpu(self):
        document = self.succeed_json("conformance", "--quick", "--filter", "search/scan/l1",
                                     "--device", "cpu")
        self.assertEqual(document["totals"]["failed"], 0)
        self.assertGreater(document["totals"]["passed"], 0)

    def test_list_names_the_cases_of_a_filter(self):
        out = self.succeed("conformance", "--quick", "--list", "--filter", "search/texel/*").stdout
        self.assertTrue(out.splitlines()[0].startswith("search/texel/"))

    def test_a_filter_that_selects_nothing_is_bad_usage(self):
        self.fail_with(2, "conformance", "--quick", "--filter", "no-such-case")

    def test_a_missing_device_exits_with_3(self):
        result = self.run_program("conformance", "--quick", "--device", "cuda:77", "--json")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(json.loads(result.stdout)["error"]["subject"], "cuda:77")


if __name__ == "__main__":
    unittest.main()
