"""Numbers that make no sense, and what would not fit."""

import json
import os
import re
import shutil
import unittest

from support import CommandLineTest, random_rows, write_npy


def write_hole(path, size):
    with open(path, "wb") as file:
        file.truncate(size)


class Limits(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_npy(self.path("base.npy"), random_rows(10, 4, 1))
        self.files = ["--database", "base.npy", "--queries", "base.npy"]

    def test_a_radius_below_every_distance_is_refused(self):
        for metric in ("l1", "l2sq", "l2", "linf"):
            for radius in ("-1", "-1e-30", "-inf"):
                error = self.fail_with(2, "range", *self.files, "--metric", metric, f"--radius={radius}")
                self.assertIn(f"no {metric} distance is negative", error)
        for metric, radius in (("ip", "-1"), ("cosine", "-1e-7"), ("l2sq", "0"), ("l2sq", "-0.0")):
            self.succeed("range", *self.files, "--metric", metric, f"--radius={radius}")

    def test_an_answer_that_does_not_fit_is_refused_with_its_size(self):
        write_npy(self.path("many.npy"), random_rows(2000, 4, 1))
        for arguments in (["search", "--database", "base.npy", "--queries", "many.npy"], ["graph", "many.npy"]):
            error = self.fail_with(2, *arguments, "--k", 1000000000)
            self.assertIn("--k: 1,000,000,000 neighbours of 2,000 queries are 14.6 TiB", error)
            self.assertRegex(error, r"\d (GiB|MiB) are free")
        self.assertIn("there are 10 rows", self.fail_with(
            2, "search", "--database", "base.npy", "--queries", "many.npy", "--k", 1000000000))

    def test_much_padding_is_worth_a_word_and_little_is_not(self):
        result = self.succeed("search", *self.files, "--k", 2000000, "--query-rows", 5, "--output", "o")
        self.assertIn("76.3 MiB of the answer are padding", result.stderr)
        self.assertEqual(self.succeed("search", *self.files, "--k", 20).stderr, "")

    def test_a_folder_in_the_place_of_kept_pipelines_ends_no_search(self):
        devices = json.loads(self.succeed("devices", "--json").stdout)["devices"]
        vulkan = [device["id"] for device in devices if device["backend"] == "vulkan" and device["usable"]]
        if not vulkan:
            self.skipTest("there is no Vulkan device here")
        search = ["search", *self.files, "--device", vulkan[0]]
        kept = os.path.join(self.environment["XDG_CACHE_HOME"], "proxel")
        shutil.rmtree(kept)  # Listing the devices kept a file for each.
        answer = self.succeed_json(*search)["neighbors"]
        (name,) = os.listdir(kept)
        os.unlink(os.path.join(kept, name))
        os.mkdir(os.path.join(kept, name))
        result = self.succeed(*search, "--json")
        self.assertEqual(json.loads(result.stdout)["neighbors"], answer)
        self.assertTrue(re.search(r"warning: .*\.bin is a folder", result.stderr), result.stderr)
        self.assertEqual(os.listdir(kept), [name])
        # Nor is a pipe waited for, or a device or a file of any size read to its end.
        os.rmdir(os.path.join(kept, name))
        for place in (lambda path: os.mkfifo(path), lambda path: os.symlink("/dev/zero", path),
                      lambda path: write_hole(path, 1 << 36)):
            place(os.path.join(kept, name))
            self.assertEqual(self.succeed_json(*search)["neighbors"], answer)
            os.unlink(os.path.join(kept, name))
        # Nor does a file in the place of the whole folder.
        os.rmdir(kept)
        with open(kept, "w"):
            pass
        self.assertEqual(self.succeed_json(*search)["neighbors"], answer)


if __name__ == "__main__":
    unittest.main()
