"""Precision of image search by signatures, over made images of classes."""

import json
import os
import unittest

from images import two_colours
from support import CommandLineTest

COLOURS = {"red": (230, 20, 20), "green": (20, 230, 20), "blue": (20, 20, 230)}


class EvaluateTest(CommandLineTest):
    def classes(self, folder, images):
        """Each class is a folder of images of one colour, a little darker from image to image."""
        for name, colour in COLOURS.items():
            for i in range(images):
                shade = tuple(max(0, channel - 3 * i) for channel in colour)
                self.write(f"{folder}/{name}/{i}.png", two_colours(shade, (10 + i, 10, 10)))

    def evaluate(self, *arguments):
        return self.succeed_json("signatures", "evaluate", *arguments)


class Evaluate(EvaluateTest):
    def test_classes_that_look_different_are_told_apart(self):
        self.classes("set", 11)
        document = self.evaluate("set")
        self.assertEqual(document["images"], 33)
        self.assertEqual(document["all"]["queries"], 33)
        self.assertEqual(document["all"]["precision"], {"at_1": 1, "at_5": 1, "at_10": 1})
        self.assertEqual(document["all"]["standard_error"], {"at_1": 0, "at_5": 0, "at_10": 0})
        self.assertAlmostEqual(document["all"]["chance"], 10 / 32)
        self.assertEqual([(one["class"], one["images"], one["queries"]) for one in document["classes"]],
                         [("blue", 11, 11), ("green", 11, 11), ("red", 11, 11)])

    def test_precision_is_that_of_a_search_counted_here(self):
        self.classes("set", 5)
        # Red ones among the green, so that neighbours are of several classes.
        for i in range(3):
            os.rename(self.path(f"set/red/{i}.png"), self.path(f"set/green/red{i}.png"))
        self.succeed("signatures", "build", "set", "-o", "set.sig")
        document = self.evaluate("set.sig", "--alpha", "3")
        self.assertEqual(document["all"], self.evaluate("set", "--alpha", "3")["all"])
        command = ["signatures", "search", "set.sig", "--alpha", "3", "--others", "-k", "10"]
        answers = self.succeed_json(*command, *[word for i in range(15) for word in ("--query", i)])["answers"]
        of = lambda name: name.split("/")[1]
        for rank in (1, 5, 10):
            shares = {}
            for answer in answers:
                right = [of(n["name"]) == of(answer["query"]) for n in answer["nearest"][:rank]]
                shares.setdefault(of(answer["query"]), []).append(sum(right) / rank)
            every = [share for of_class in shares.values() for share in of_class]
            self.assertTrue(0 < sum(every) < 15)
            self.assertAlmostEqual(document["all"]["precision"][f"at_{rank}"], sum(every) / 15)
            for one in document["classes"]:
                expected = shares[one["class"]]
                self.assertAlmostEqual(one["precision"][f"at_{rank}"], sum(expected) / len(expected))
        self.assertAlmostEqual(document["all"]["chance"], (2 * 1 + 8 * 7 + 5 * 4) / 15 / 14)

    def test_queries_are_drawn_by_their_seed(self):
        self.classes("set", 8)
        self.succeed("signatures", "build", "set", "-o", "set.sig")
        drawn = self.evaluate("set.sig", "--queries", "6")
        self.assertEqual(drawn["all"]["queries"], 6)
        self.assertEqual(sum(one["queries"] for one in drawn["classes"]), 6)
        of_classes = lambda document: [one["queries"] for one in document["classes"]]
        self.assertEqual(of_classes(drawn), of_classes(self.evaluate("set.sig", "--queries", "6", "--seed", "1")))
        others = [of_classes(self.evaluate("set.sig", "--queries", "6", "--seed", seed)) for seed in (2, 3, 4)]
        self.assertTrue(any(other != of_classes(drawn) for other in others))
        one = self.evaluate("set.sig", "--queries", "1")
        self.assertEqual(one["all"]["standard_error"], {"at_1": None, "at_5": None, "at_10": None})
        self.assertIn(None, [of_class["precision"] for of_class in one["classes"]])

    def test_a_file_says_classes_too(self):
        self.classes("set", 4)
        names = sorted(f"{name}/{i}.png" for name in COLOURS for i in range(4))
        self.write("set.csv", "".join(f"{name},{'warm' if name[0] == 'r' else 'cold'}\n" for name in names).encode())
        document = self.evaluate("set", "--labels", "set.csv")
        self.assertEqual([(one["class"], one["images"]) for one in document["classes"]], [("cold", 8), ("warm", 4)])
        self.assertEqual(document["all"]["precision"]["at_1"], 1)
        self.write("set.csv", b"red/0.png,warm\n")
        self.assertIn("does not say the class of 'blue/0.png'",
                      self.fail_with(2, "signatures", "evaluate", "set", "--labels", "set.csv"))
        self.write("set.csv", b"red/0.png,warm\nred/1.png\n")
        self.assertIn("line 2", self.fail_with(2, "signatures", "evaluate", "set", "--labels", "set.csv"))
        self.write("set.csv", b"a,warm\na,cold\n")
        self.assertIn("'a' is of the class warm and of cold",
                      self.fail_with(2, "signatures", "evaluate", "set", "--labels", "set.csv"))

    def test_the_table_says_what_json_does(self):
        self.classes("set", 4)
        out = self.succeed("signatures", "evaluate", "set").stdout
        precision = self.evaluate("set")["all"]["precision"]
        shown = "  +".join(f"{100 * precision[f'at_{rank}']:.1f} %" for rank in (1, 5, 10))
        self.assertRegex(out, rf"all +12 +12 +{shown} +27.3 %")
        self.assertIn("12 of 12 images looked for", out)

    def test_images_that_cannot_be_read_are_left_out_and_told(self):
        self.classes("set", 4)
        self.write("set/red/cut.png", b"\x89PNG\r\n\x1a\n")
        result = self.run_program("signatures", "evaluate", "set", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("set/red/cut.png: damaged PNG", result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual((document["images"], document["not_read"]), (12, 1))

    def test_what_cannot_be_measured_is_told(self):
        self.classes("few", 3)
        self.assertIn("9 images; at least 11 are needed", self.fail_with(2, "signatures", "evaluate", "few"))
        for i in range(11):
            self.write(f"one/red/{i}.png", two_colours((200, i, 0), (0, 0, 0)))
        self.assertIn("every image is of the class red", self.fail_with(2, "signatures", "evaluate", "one"))
        os.mkdir(self.path("bare"))
        self.assertIn("no JPEG or PNG file", self.fail_with(2, "signatures", "evaluate", "bare"))
        self.assertIn("no such file", self.fail_with(2, "signatures", "evaluate", "none.sig"))
        self.write("text/sqfd.txt", b"1 2 1000\n\n" + b"".join(b"name%d\n0.5 1 1\n\n" % i for i in range(12)))
        self.assertIn("name0: lies in no folder", self.fail_with(2, "signatures", "evaluate", "text/sqfd.txt"))
        self.fail_with(2, "signatures", "evaluate", "few", "--queries", "0")
        self.fail_with(3, "signatures", "evaluate", "few", "--device", "vulkan:99")


if __name__ == "__main__":
    unittest.main()
