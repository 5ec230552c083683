"""Signatures of images: built, looked into and searched. The images are made here."""

import base64
import csv
import json
import math
import os
import re
import struct
import subprocess
import unittest
import zlib

from images import png, two_colours
from support import PROGRAM, CommandLineTest


IMAGES = {"red.png": two_colours((250, 10, 10), (20, 20, 20)),
          "reddish.png": two_colours((230, 30, 20), (30, 20, 20)),
          "blue.png": two_colours((10, 10, 250), (20, 20, 20)),
          "below/green.PNG": two_colours((10, 250, 10), (20, 20, 20))}


class SignaturesTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for name, content in IMAGES.items():
            self.write("photos/" + name, content)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def build(self, *arguments):
        return self.succeed_json("signatures", "build", *arguments)


class Build(SignaturesTest):
    def test_a_folder_becomes_a_file_of_signatures(self):
        self.write("photos/notes.txt", b"no image")
        document = self.build("photos", "-o", "photos.sig")
        self.assertEqual(document["signatures"], 4)
        self.assertEqual(document["failures"], [])
        self.assertGreaterEqual(document["centroids"]["least"], 2)
        self.assertLessEqual(document["centroids"]["most"], 64)
        info = self.succeed_json("signatures", "info", "photos.sig")
        self.assertEqual((info["signatures"], info["dimensions"], info["names"]), (4, 7, 4))
        self.assertEqual(info["recipe"]["points"], 2048)
        text = self.succeed("signatures", "info", "photos.sig").stdout
        # In the order of their bytes.
        self.assertIn("photos/below/green.PNG … photos/reddish.png", text)

    def test_neither_threads_nor_the_order_of_names_change_a_byte(self):
        self.build("photos", "-o", "one.sig", "--threads", "1")
        self.build("photos/reddish.png", "photos", "photos/blue.png", "-o", "eight.sig", "--threads", "8")
        self.assertEqual(self.bytes_of("one.sig"), self.bytes_of("eight.sig"))
        self.build("photos", "-o", "other.sig", "--seed", "2")
        self.assertNotEqual(self.bytes_of("one.sig"), self.bytes_of("other.sig"))

    def test_options_are_kept_in_the_file_and_make_a_difference(self):
        self.build("photos", "-o", "colours.sig", "--position", "0", "--texture", "0", "--points", "500",
                   "--centroids", "9", "--sampling", "grid")
        info = self.succeed_json("signatures", "info", "colours.sig")
        recipe = info["recipe"]
        self.assertEqual((recipe["position"], recipe["texture"], recipe["colour"]), (0, 0, 1))
        self.assertEqual((recipe["points"], recipe["centroids"], recipe["sampling"]), (500, 9, "grid"))
        # Two colours, wherever they are.
        self.assertEqual((info["centroids"]["least"], info["centroids"]["most"]), (2, 2))

    def test_files_that_cannot_be_read_are_listed_and_the_others_written(self):
        whole = IMAGES["red.png"]
        hostile = {"cut.png": whole[:60], "empty.jpg": b"", "lying.jpeg": b"no image at all",
                   "cut.jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
                   "huge.png": whole[:16] + struct.pack(">II", 10**6, 10**6) + whole[24:29]
                   + struct.pack(">I", zlib.crc32(b"IHDR" + struct.pack(">II", 10**6, 10**6) + whole[24:29]))
                   + whole[33:]}
        for name, content in hostile.items():
            self.write("photos/" + name, content)
        result = self.run_program("signatures", "build", "photos", "missing.png", "-o", "photos.sig", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(document["signatures"], 4)
        failures = {failure["path"]: failure["reason"] for failure in document["failures"]}
        self.assertEqual(sorted(failures), sorted(["missing.png"] + ["photos/" + name for name in hostile]))
        self.assertEqual(failures["missing.png"], "no such file")
        self.assertEqual(failures["photos/empty.jpg"], "the file is empty")
        self.assertEqual(failures["photos/lying.jpeg"], "neither a JPEG nor a PNG file")
        self.assertIn("damaged PNG", failures["photos/cut.png"])
        self.assertIn("damaged JPEG", failures["photos/cut.jpg"])
        self.assertIn("1000000 x 1000000 pixels", failures["photos/huge.png"])
        result = self.run_program("signatures", "build", "photos", "-o", "photos.sig")
        self.assertEqual(result.returncode, 1)
        self.assertIn("proxel: warning: photos/empty.jpg: the file is empty", result.stderr)
        self.assertIn("5 of 9 could not be read", result.stdout)
        self.assertEqual(self.succeed_json("signatures", "info", "photos.sig")["signatures"], 4)

    def test_nothing_is_written_of_nothing(self):
        self.write("other/cut.png", b"\x89PNG\r\n\x1a\n")
        result = self.run_program("signatures", "build", "other", "-o", "none.sig")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cut.png: damaged PNG", result.stderr)
        self.assertFalse(os.path.exists(self.path("none.sig")))
        os.mkdir(self.path("bare"))
        self.assertIn("no JPEG or PNG file is there", self.fail_with(2, "signatures", "build", "bare", "-o", "none.sig"))
        self.assertIn("--output", self.fail_with(2, "signatures", "build", "photos", "-o", "nowhere/photos.sig"))
        for option in (("--points", "0"), ("--window", "33"), ("--centroids", "257"), ("--colour", "-1"),
                       ("--sampling", "none"), ("--iterations", "0"), ("--joining-distance", "nan")):
            self.fail_with(2, "signatures", "build", "photos", "-o", "none.sig", *option)

    def test_names_of_any_bytes_are_kept(self):
        folder = os.fsencode(self.path("photos"))
        odd = b"\xff\xfe \x1b[31m.png"
        try:
            with open(os.path.join(folder, odd), "wb") as file:
                file.write(IMAGES["red.png"])
        except OSError:
            self.skipTest("this file system takes UTF-8 names alone")
        self.assertEqual(self.build("photos", "-o", "photos.sig")["signatures"], 5)
        self.assertIn(b"photos/" + odd, self.bytes_of("photos.sig"))
        # A terminal is not sent what the name would make of it.
        self.assertNotIn("\x1b", self.run_text("signatures", "info", "photos.sig"))

    def run_text(self, *arguments):
        result = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, env=self.environment)
        self.assertEqual(result.returncode, 0)
        return result.stdout.decode("utf-8", "replace")

    def test_folders_that_link_to_themselves_end(self):
        os.symlink("..", self.path("photos/below/up"))
        self.assertEqual(self.build("photos", "-o", "photos.sig")["signatures"], 4)


def read_signatures(content):
    """[[(weight, centroid), ...], ...] of a file of signatures, after docs/signature-file.md."""
    sections, first = {}, 116
    for entry in range(16, 112, 16):
        tag, _, size = struct.unpack_from("<4sIQ", content, entry)
        sections[tag] = content[first:first + size]
        first += size
    dimensions, count, centroids = struct.unpack("<IQQ", sections[b"INFO"])
    coordinates = struct.iter_unpack("<%df" % dimensions, sections[b"CENT"])
    weights = struct.iter_unpack("<f", sections[b"WGHT"])
    lengths = struct.unpack("<%dI" % count, sections[b"LENS"])
    assert sum(lengths) == centroids
    return [[(next(weights)[0], next(coordinates)) for _ in range(length)] for length in lengths]


def distance(a, b, alpha):
    """The signature quadratic form distance from its definition, in binary64."""
    both = a + [(-weight, centroid) for weight, centroid in b]
    return math.sqrt(max(0.0, sum(
        v * w * math.exp(-alpha * sum((x - y) ** 2 for x, y in zip(r, s))) for v, r in both for w, s in both)))


class Search(SignaturesTest):
    def setUp(self):
        super().setUp()
        self.build("photos", "-o", "photos.sig")
        self.names = ["photos/below/green.PNG", "photos/blue.png", "photos/red.png", "photos/reddish.png"]

    def search(self, *arguments, file="photos.sig"):
        return self.succeed_json("signatures", "search", file, *arguments)

    def nearest(self, *arguments):
        return [[n["name"] for n in a["nearest"]] for a in self.search(*arguments)["answers"]]

    def test_the_answer_is_that_of_the_definition(self):
        signatures = read_signatures(self.bytes_of("photos.sig"))
        for alpha in (0.2, 3, 10):
            document = self.search("--queries", "photos.sig", "-k", "4", "--alpha", alpha)
            for query, answer in zip(signatures, document["answers"]):
                expected = [distance(query, other, alpha) for other in signatures]
                found = answer["nearest"]
                self.assertEqual(sorted(n["index"] for n in found), [0, 1, 2, 3])
                self.assertEqual([n["distance"] for n in found], sorted(n["distance"] for n in found))
                for n in found:
                    self.assertAlmostEqual(n["distance"], expected[n["index"]], delta=1e-5)
                    self.assertEqual(n["name"], self.names[n["index"]])

    def test_an_image_finds_itself_and_then_what_is_alike(self):
        document = self.search("--image", "photos/red.png", "-k", "2")
        self.assertEqual([(n["name"], n["distance"] == 0) for n in document["answers"][0]["nearest"]],
                         [("photos/red.png", True), ("photos/reddish.png", False)])
        self.assertEqual(document["answers"], self.search("--query", "2", "-k", "2")["answers"])
        # Made as the file's were, whatever the defaults are.
        self.build("photos", "-o", "grid.sig", "--sampling", "grid", "--points", "100", "--window", "2")
        self.assertEqual(self.search("--image", "photos/blue.png", "-k", "1", file="grid.sig")
                         ["answers"][0]["nearest"][0]["distance"], 0)

    def test_others_leaves_the_query_out(self):
        self.assertEqual(self.nearest("--query", "2", "--query", "3", "--others", "-k", "1"),
                         [["photos/reddish.png"], ["photos/red.png"]])
        self.assertEqual([len(names) for names in self.nearest("--query", "0", "--others", "-k", "9")], [3])
        self.assertEqual([len(names) for names in self.nearest("--query", "0", "-k", "9")], [4])

    def test_a_radius_finds_all_within(self):
        near = self.search("--query", "2", "-k", "2")["answers"][0]["nearest"][1]["distance"]
        self.assertEqual(self.nearest("--query", "2", "--radius", near), [["photos/red.png", "photos/reddish.png"]])
        self.assertEqual(self.nearest("--query", "2", "--radius", near * 0.99), [["photos/red.png"]])
        self.assertEqual(self.nearest("--query", "2", "--radius", near, "--others"), [["photos/reddish.png"]])
        self.fail_with(2, "signatures", "search", "photos.sig", "--query", "2", "--radius", "1", "-k", "2")

    def test_methods_and_similarities(self):
        for similarity in ("gaussian", "heuristic", "minus"):
            answers = [self.search("--queries", "photos.sig", "--similarity", similarity, "--method", method)["answers"]
                       for method in ("canonical", "auto")]
            self.assertEqual(answers[0], answers[1])
            self.assertEqual(answers[0][2]["nearest"][1]["name"], "photos/reddish.png")

    def test_the_search_of_krulis_finds_the_same(self):
        usual = self.search("--queries", "photos.sig", "-k", "3")["answers"]
        answers = []
        for arguments in ((), ("--filter", "pivots", "--pivots", "2"), ("--filter", "ptolemaic", "--pivots", "3"),
                          ("--device", "cpu,cpu:reference"), ("--memory-limit", "5 KB")):
            document = self.search("--queries", "photos.sig", "-k", "3", "--method", "krulis", *arguments)
            self.assertTrue(document["method"].startswith("krulis, "))
            answers.append(document["answers"])
        for one in answers:
            self.assertEqual(one, answers[0])
            for own, other in zip(one, usual):
                self.assertEqual([n["index"] for n in own["nearest"]], [n["index"] for n in other["nearest"]])
        precise = self.search("--queries", "photos.sig", "-k", "3", "--method", "krulis", "--precision", "float64")
        for own, other in zip(precise["answers"], answers[0]):
            for n, m in zip(own["nearest"], other["nearest"]):
                self.assertAlmostEqual(n["distance"], m["distance"], delta=1e-2)
        self.assertIn("gaussian", self.fail_with(2, "signatures", "search", "photos.sig", "--query", "0", "--method",
                                                 "krulis", "--similarity", "minus"))
        self.assertIn("--memory-limit: 30 on cpu was given",
                      self.fail_with(2, "signatures", "search", "photos.sig", "--query", "0", "--method", "krulis",
                                     "--memory-limit", "30"))
        self.assertIn("--method krulis", self.fail_with(2, "signatures", "search", "photos.sig", "--query", "0",
                                                        "--memory-limit", "5 KB"))
        for option in (("--divide", "rows"), ("--shares", "1,2")):
            self.assertIn("krulis", self.fail_with(2, "signatures", "search", "photos.sig", "--query", "0", "--device",
                                                   "cpu,cpu:reference", "--method", "krulis", *option))

    def test_several_devices_find_the_same(self):
        one = self.search("--queries", "photos.sig", "-k", "3")
        self.assertNotIn("devices", one)
        within = self.search("--queries", "photos.sig", "--radius", "0.418")["answers"]
        permuted = ("--queries", "photos.sig", "-k", "3", "--permutants", "3", "--fraction", "0.6")
        for divide in ("rows", "queries"):
            several = ("--device", "cpu,cpu:reference", "--divide", divide, "--shares", "1,3")
            document = self.search("--queries", "photos.sig", "-k", "3", *several)
            self.assertEqual(document["answers"], one["answers"])
            self.assertEqual(document["divided"], divide)
            self.assertEqual([device["share"] for device in document["devices"]], [0.25, 0.75])
            self.assertEqual(self.search("--queries", "photos.sig", "--radius", "0.418", *several)["answers"], within)
        self.assertEqual(self.search(*permuted, "--device", "cpu,cpu:reference")["answers"],
                         self.search(*permuted)["answers"])
        self.assertIn("candidates", self.fail_with(2, "signatures", "search", "photos.sig", *permuted, "--device",
                                                   "cpu,cpu:reference", "--divide", "rows"))

    def test_csv_and_the_table_say_what_json_does(self):
        answers = self.search("--queries", "photos.sig", "-k", "2")["answers"]
        lines = self.succeed("signatures", "search", "photos.sig", "--queries", "photos.sig", "-k", "2", "--csv").stdout
        rows = list(csv.DictReader(lines.splitlines()))
        self.assertEqual([(row["query"], int(row["index"]), row["name"], float(row["distance"])) for row in rows],
                         [(a["query"], n["index"], n["name"], n["distance"]) for a in answers for n in a["nearest"]])
        table = self.succeed("signatures", "search", "photos.sig", "--queries", "photos.sig", "-k", "2", "--trace").stdout
        self.assertIn("photos/reddish.png", table)
        self.assertIn("… and 1 more query;", table)

    def test_a_sheet_shows_the_query_and_its_neighbours(self):
        self.search("--image", "photos/red.png", "-k", "3", "--sheet", "red.html")
        page = self.bytes_of("red.html").decode()
        pictures = re.findall('src="data:image/png;base64,([^"]*)"', page)
        self.assertEqual(len(pictures), 4)
        self.assertEqual(base64.b64decode(pictures[0])[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(pictures[0], pictures[1])  # the image itself is its nearest
        self.assertIn("1: 0.0000 photos/red.png", page)
        self.assertNotIn("http", page.replace("http://www.w3.org", ""))
        self.search("--query", "0", "--query", "1", "-k", "3", "--sheet", "two.png", "--thumbnail", "64")
        content = self.bytes_of("two.png")
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        # Two rows of the query and three others.
        self.assertEqual(struct.unpack(">II", content[16:24]), (4 * 72 + 8, 2 * (72 + 14) + 8))
        # What a sheet cannot show is said, and the rest is there.
        os.remove(self.path("photos/blue.png"))
        result = self.succeed("signatures", "search", "photos.sig", "--query", "0", "-k", "4", "--sheet", "rest.html")
        self.assertIn("1 images could not be read", result.stderr)
        self.assertEqual(self.bytes_of("rest.html").count(b"data:image/png"), 4)
        os.rename(self.path("photos"), self.path("moved"))
        os.mkdir(self.path("elsewhere"))
        os.rename(self.path("moved"), self.path("elsewhere/photos"))
        self.succeed("signatures", "search", "photos.sig", "--query", "0", "-k", "1", "--sheet", "rest.html",
                     "--images", "elsewhere")
        self.assertEqual(self.bytes_of("rest.html").count(b"data:image/png"), 2)

    def test_what_cannot_be_searched_is_told(self):
        def refusal(*arguments):
            return self.fail_with(2, "signatures", "search", *arguments)
        self.assertIn("none were given", refusal("photos.sig"))
        self.assertIn("4 was given; photos.sig has signatures 0 to 3", refusal("photos.sig", "--query", "4"))
        self.assertIn("no such file", refusal("photos.sig", "--image", "none.png"))
        self.assertIn(".png or .html", refusal("photos.sig", "--query", "0", "--sheet", "sheet.gif"))
        self.assertIn("--sheet", refusal("photos.sig", "--query", "0", "--sheet", "none/sheet.png"))
        refusal("photos.sig", "--query", "0", "--alpha", "0")
        refusal("photos.sig", "--query", "0", "--alpha", "nan")
        refusal("photos.sig", "--query", "0", "--similarity", "none")
        self.write("sqfd.txt", b"1 2 1000\n\nfirst\n0.5 1 1\n\nsecond\n0.5 2 1\n\n")
        self.assertIn("does not say how its signatures were made", refusal("sqfd.txt", "--image", "photos/red.png"))
        self.assertIn("have 2 dimensions, those that are searched have 7", refusal("photos.sig", "--queries", "sqfd.txt"))
        self.assertEqual(self.search("--query", "1", file="sqfd.txt")["answers"][0]["nearest"][0]["name"], "second")
        self.write("none.txt", b"1 2 1000\n\n")
        self.assertIn("has no signatures", refusal("none.txt", "--query", "0"))


class Info(SignaturesTest):
    def test_damage_is_told_with_its_place(self):
        self.build("photos", "-o", "photos.sig")
        whole = self.bytes_of("photos.sig")
        for place in (3, 20, 200, len(whole) // 2, len(whole) - 1):
            self.write("damaged.sig", whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1:])
            self.fail_with(2, "signatures", "info", "damaged.sig")
        self.assertIn("section WGHT (weights) is damaged", self.damaged_weights(whole))
        self.write("cut.sig", whole[:-1])
        self.assertIn("ends within section RCPE", self.fail_with(2, "signatures", "info", "cut.sig"))
        self.assertIn("no such file", self.fail_with(2, "signatures", "info", "none.sig"))
        self.assertIn("kind 3", self.fail_with(2, "words", "photos.sig", "--query", "x"))

    def damaged_weights(self, whole):
        before = sum(struct.unpack_from("<Q", whole, 16 + section * 16 + 8)[0] for section in range(3))
        place = 116 + before
        self.write("damaged.sig", whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1:])
        return self.fail_with(2, "signatures", "info", "damaged.sig")

    def test_the_text_of_nmslib_is_read(self):
        self.write("sqfd.txt", b"1 2 1000\n\nfirst\n0.5 1 1\n\nsecond\n0.5 2 1\n\n")
        info = self.succeed_json("signatures", "info", "sqfd.txt")
        self.assertEqual((info["signatures"], info["dimensions"], info["names"], info["recipe"]), (2, 2, 2, ""))
        self.write("sqfd.txt", b"1 2 1000\n\nfirst\n0.5 1\n\n")
        self.assertIn("line 4", self.fail_with(2, "signatures", "info", "sqfd.txt"))


if __name__ == "__main__":
    unittest.main()
