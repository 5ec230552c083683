"""proxel conformance: a front on the harness, which has tests of its own."""

import json
import os
import unittest

from support import CommandLineTest, random_rows, write_npy

# RADV compiles for AMD's hardware on a machine that has none.
RADV = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"


class Conformance(CommandLineTest):
    def test_a_family_of_cases_passes_on_the_cpu(self):
        document = self.succeed_json("conformance", "--quick", "--filter", "search/scan/l1",
                                     "--device", "cpu")
        self.assertEqual(document["totals"]["failed"], 0)
        self.assertGreater(document["totals"]["passed"], 0)

    def test_list_names_the_cases_of_a_filter(self):
        out = self.succeed("conformance", "--quick", "--list", "--filter", "search/texel/*").stdout
        self.assertTrue(out.splitlines()[0].startswith("search/texel/"))

    def test_one_in_some_has_the_first_of_each_family_and_a_share_of_the_others(self):
        def names(*arguments):
            return self.succeed("conformance", "--quick", "--list", "--filter", "search/*", *arguments).stdout.splitlines()

        def by_family(cases):
            families = {}
            for name in cases:
                if name.startswith("search/"):
                    families.setdefault(name.split("/")[1], []).append(name)
            return families

        everything, some = by_family(names()), by_family(names("--one-in", 7))
        self.assertGreater(len(everything), 5)
        self.assertEqual({family: cases[0] for family, cases in some.items()},
                         {family: cases[0] for family, cases in everything.items()})
        for family, cases in some.items():
            self.assertLessEqual(set(cases), set(everything[family]))
        count, sampled = (sum(map(len, cases.values())) for cases in (everything, some))
        self.assertTrue(count / 14 < sampled < count / 4, (count, sampled))
        self.assertIn(f"{sampled} cases of the quick tier, one in 7", names("--one-in", 7))
        # What nested loops make is not left out by the step of one of them.
        listed = self.succeed("conformance", "--quick", "--list", "--filter", "pass/normalize_rows/*", "--one-in", 4).stdout
        for kind in ("nan", "denormals", "infinity", "duplicates"):
            self.assertIn(kind, listed)
        self.fail_with(2, "conformance", "--quick", "--list", "--one-in", 0)

    def test_a_filter_that_selects_nothing_is_bad_usage(self):
        self.fail_with(2, "conformance", "--quick", "--filter", "no-such-case")

    def test_a_missing_device_exits_with_3(self):
        result = self.run_program("conformance", "--quick", "--device", "cuda:77", "--json")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(json.loads(result.stdout)["error"]["subject"], "cuda:77")


    def test_a_driver_that_ends_long_loops_never_gives_a_wrong_answer(self):
        # Subgroups of four make the rounds of one row more than llvmpipe of Mesa 22 allows.
        self.environment["LP_NATIVE_VECTOR_WIDTH"] = "128"
        devices = [device for device in self.succeed_json("devices")["devices"]
                   if device["usable"] and device["trial"]["ends_long_loops"]]
        if not devices:
            self.skipTest("no device here ends long loops")
        for device in devices:
            document = self.succeed_json("conformance", "--device", device["id"], "--filter",
                                         "pass/quick_multi_select_subgroup/rows=1,*")
            self.assertGreater(document["totals"]["unsupported"], 0)
            self.assertGreater(document["totals"]["passed"], 0)


def devices_of(document, backend):
    return [device for device in document["devices"] if device["backend"] == backend]


class CompileOnly(CommandLineTest):
    def compile(self, *arguments):
        """The report, after checking that every pipeline was compiled."""
        # Drivers may have something to say on stderr.
        document = json.loads(self.succeed("conformance", "--quick", "--compile-only", "--json", *arguments).stdout)
        self.assertEqual(document["totals"]["failed"], 0)
        self.assertGreater(len(document["pipelines"]), 0)
        self.assertEqual([one for one in document["pipelines"] if "error" in one], [])
        return document

    def test_every_vulkan_device_compiles_and_says_what_it_tells(self):
        devices = [device["id"] for device in devices_of(self.succeed_json("devices"), "vulkan")
                   if device["usable"]]
        if not devices:
            self.skipTest("no usable Vulkan device")
        for device in devices:
            document = self.compile("--device", device, "--filter", "pass/merge_lists")
            told = all("statistics" in one for one in document["pipelines"])
            self.assertNotEqual(told, "no_statistics" in document["devices"][0])
            self.assertEqual({one["pass"] for one in document["pipelines"]}, {"merge_lists"})

    def test_the_cpu_compiles_nothing(self):
        result = self.run_program("conformance", "--compile-only", "--device", "cpu", "--json")
        self.assertEqual(result.returncode, 3)
        self.assertIn("part of the program", json.loads(result.stdout)["error"]["message"])

    def test_a_subgroup_size_is_for_compiling_alone(self):
        self.fail_with(2, "conformance", "--quick", "--subgroup-size", "32", "--device", "cpu")


@unittest.skipUnless(os.path.exists(RADV), "RADV is not installed")
class WithoutHardware(CompileOnly):
    """AMD's compiler, and a device that executes nothing."""

    # The default methods, at sizes that choose different kernels.
    METHODS = ("sizes/*/d=128,q=10000,k=100|sizes/*/d=128,q=1,k=10|sizes/range/*/d=128,*|"
               "sizes/bvh/*/d=3,q=100,k=10|strings/levenshtein/*|signatures/screened/*|"
               "pass/permutations/*|pass/counting_select/*")

    def setUp(self):
        super().setUp()
        self.environment["VK_DRIVER_FILES"] = self.environment["VK_ICD_FILENAMES"] = RADV
        self.environment.pop("VK_ADD_DRIVER_FILES", None)
        self.device = self.become("navi21")

    def become(self, *families):
        """The device of the first family of these that this Mesa knows; another ends the program."""
        for family in families:
            self.environment["RADV_FORCE_FAMILY"] = family
            result = self.run_program("devices", "--json")
            if result.returncode != 0:
                continue
            for device in devices_of(json.loads(result.stdout), "vulkan"):
                return device
            self.skipTest("this Mesa has no null device; 26 took it out")
        raise self.failureException(f"RADV knows none of {families}: {result.stderr}")

    def test_devices_says_what_it_cannot_do(self):
        device = self.device
        self.assertFalse(device["usable"])
        self.assertIn("cannot run", device["reason"])
        self.assertIn(device["reason"], self.succeed("devices").stdout)

    def test_a_search_is_refused(self):
        write_npy(self.path("rows.npy"), random_rows(20, 4, 1))
        result = self.run_program("search", "--database", "rows.npy", "--queries", "rows.npy", "--k", "3",
                                  "--device", "vulkan:0", "--output", "found")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("cannot run", result.stderr)

    def test_no_pass_of_a_default_method_spills(self):
        for families, sizes in ((["vega10"], [64]), (["navi21"], [32, 64]),
                                (["navi31", "gfx1100"], [32, 64])):
            family = self.become(*families)["name"]
            for size in sizes:
                document = self.compile("--device", "vulkan:0", "--filter", self.METHODS,
                                        "--subgroup-size", size)
                for one in document["pipelines"]:
                    with self.subTest(family=family, subgroup=size, pipeline=one):
                        self.assertEqual(one["subgroup_size"], size)
                        self.assertEqual(one["statistics"]["Spilled VGPRs"], 0)
                        self.assertEqual(one["statistics"]["Spilled SGPRs"], 0)

    def test_a_subgroup_size_that_the_hardware_lacks_is_refused(self):
        self.become("vega10")
        result = self.run_program("conformance", "--compile-only", "--device", "vulkan:0",
                                  "--subgroup-size", "32")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("subgroups of 32", result.stderr)


if __name__ == "__main__":
    unittest.main()
