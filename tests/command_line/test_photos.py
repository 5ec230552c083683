"""Photographs found by signature, by local features, and by both. The pictures are made here."""

import json
import math
import os
import random
import struct
import unittest
import zlib

from images import png
from support import CommandLineTest

SIDE = 120


def discs(seed):
    """Forty discs of a few colours that every picture has, in places that the seed says."""
    generator = random.Random(seed)
    return [(generator.uniform(0, SIDE), generator.uniform(0, SIDE), generator.uniform(3, 12),
             generator.choice([(200, 60, 60), (60, 160, 60), (60, 60, 200), (230, 230, 60), (20, 20, 20)]))
            for _ in range(40)]


def view(seed, turn=0.0, scale=1.0, swapped=False):
    """The picture of that seed, turned about its middle and scaled; with its channels in another order."""
    shown, middle = discs(seed), SIDE / 2
    cosine, sine = math.cos(turn) / scale, math.sin(turn) / scale

    def colour(x, y):
        u = middle + cosine * (x - middle) + sine * (y - middle)
        v = middle - sine * (x - middle) + cosine * (y - middle)
        found = (160, 160, 160)
        for disc_x, disc_y, radius, of_disc in shown:
            if (u - disc_x) ** 2 + (v - disc_y) ** 2 < radius ** 2:
                found = of_disc
        return (found[2], found[0], found[1]) if swapped else found

    return png(SIDE, SIDE, colour)


VIEWS = {"plain": {}, "turned": {"turn": 0.4}, "smaller": {"scale": 0.8}, "turned_larger": {"turn": -0.3, "scale": 1.2}}


class PhotosTest(CommandLineTest):
    @classmethod
    def setUpClass(cls):
        # Making them takes longer than searching them.
        cls.pictures = {f"{name}/{view_name}.png": view(seed, **options)
                        for seed, name in enumerate(("harbour", "market", "tower"))
                        for view_name, options in VIEWS.items()}

    def setUp(self):
        super().setUp()
        for name, content in self.pictures.items():
            self.write("photos/" + name, content)

    def photos(self, *arguments):
        """The JSON document; nothing is said beside it but, in a build without VLFeat, that."""
        result = self.succeed("photos", *arguments, "--json")
        self.assertEqual([line for line in result.stderr.splitlines()
                          if not line.startswith("proxel: note: photos: by signature alone: ")], [])
        return json.loads(result.stdout)

    def has_features(self):
        result = self.run_program("photos", "photos", "--image", "photos/tower/plain.png", "--by", "features")
        if result.returncode == 2:
            self.assertIn("--by features: this program was built without VLFeat", result.stderr)
        return result.returncode == 0


class Find(PhotosTest):
    def test_features_find_other_views_of_the_same_and_verify_them(self):
        if not self.has_features():
            self.skipTest("built without VLFeat")
        document = self.photos("photos", "--image", "photos/tower/plain.png", "--by", "features", "-k", "5")
        found = document["found"]
        self.assertEqual({photo["name"] for photo in found[:3]},
                         {f"photos/tower/{name}.png" for name in ("turned", "smaller", "turned_larger")})
        self.assertTrue(all(photo["verified"] and photo["inliers"] >= 6 for photo in found[:3]))
        self.assertTrue(all(not photo["verified"] for photo in found[3:]))
        self.assertTrue(all(photo["votes"] >= photo["inliers"] for photo in found))
        self.assertEqual([photo["rank"] for photo in found], list(range(1, len(found) + 1)))
        self.assertEqual([photo["inliers"] for photo in found],
                         sorted((photo["inliers"] for photo in found), reverse=True))
        self.assertNotIn("photos/tower/plain.png", [photo["name"] for photo in found])

    def test_by_signature_the_distances_are_those_of_signatures_search(self):
        found = self.photos("photos", "--image", "photos/tower/plain.png", "--by", "signature", "-k", "11")["found"]
        self.succeed("signatures", "build", "photos", "-o", "photos.sig")
        nearest = self.succeed_json("signatures", "search", "photos.sig", "--image", "photos/tower/plain.png",
                                    "-k", "12")["answers"][0]["nearest"]
        self.assertEqual([(photo["name"], photo["distance"]) for photo in found],
                         [(n["name"], n["distance"]) for n in nearest if n["name"] != "photos/tower/plain.png"])

    def test_both_puts_verified_ones_before_those_of_like_colours(self):
        if not self.has_features():
            self.skipTest("built without VLFeat")
        self.write("photos/tower/swapped.png", view(2, turn=0.2, swapped=True))
        by = lambda way: [photo["name"] for photo in
                          self.photos("photos", "--image", "photos/tower/plain.png", "--by", way, "-k", "12")["found"]]
        swapped = "photos/tower/swapped.png"
        self.assertGreater(by("signature").index(swapped), 3)
        both = by("both")
        self.assertLess(both.index(swapped), 4)
        self.assertEqual(sorted(both), sorted(by("signature")))
        self.assertEqual(both[4:], [name for name in by("signature") if "tower" not in name])
        # That is the way where none is named.
        self.assertEqual(self.photos("photos", "--image", "photos/tower/plain.png")["by"], "both")

    def test_an_image_from_elsewhere_finds_all_of_them(self):
        self.write("asked.png", self.pictures["market/plain.png"])
        found = self.photos("photos", "--image", "asked.png", "--by", "signature", "-k", "1")["found"]
        self.assertEqual([(photo["name"], photo["distance"]) for photo in found], [("photos/market/plain.png", 0)])

    def test_the_table_and_the_sheet_say_what_json_does(self):
        found = self.photos("photos", "--image", "photos/tower/plain.png", "-k", "4", "--sheet", "like.html")["found"]
        out = self.succeed("photos", "photos", "--image", "photos/tower/plain.png", "-k", "4").stdout
        with open(self.path("like.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("data:image/png"), 5)
        for photo in found:
            self.assertIn(photo["name"], out)
            if photo.get("verified"):
                self.assertIn(f"{photo['rank']}: {photo['inliers']} inliers {photo['name']}", page)
                self.assertRegex(out, rf"{photo['votes']} +{photo['inliers']} +{photo['name']}")
            else:
                self.assertIn(f"{photo['rank']}: {photo['distance']:.4f} {photo['name']}", page)

    def test_images_too_small_for_features_are_found_by_signature(self):
        self.write("photos/small.png", png(8, 8, lambda x, y: (200, 60, 60)))
        if self.has_features():
            result = self.succeed("photos", "photos", "--image", "photos/small.png", "--by", "features")
            self.assertIn("nothing was found; the image has 0 local features", result.stdout)
        found = self.photos("photos", "--image", "photos/small.png", "-k", "2")["found"]
        self.assertEqual(len(found), 2)
        self.assertIn("photos/small.png",
                      [p["name"] for p in self.photos("photos", "--image", "photos/tower/plain.png", "-k", "12")["found"]])

    def test_what_cannot_be_searched_is_told(self):
        self.assertIn("no such folder", self.fail_with(2, "photos", "none", "--image", "photos/tower/plain.png"))
        self.assertIn("is not a folder",
                      self.fail_with(2, "photos", "photos/tower/plain.png", "--image", "photos/tower/plain.png"))
        self.assertIn("no such file", self.fail_with(2, "photos", "photos", "--image", "none.png"))
        self.assertIn("--image FILE", self.fail_with(2, "photos", "photos"))
        os.mkdir(self.path("bare"))
        self.assertIn("no JPEG or PNG file", self.fail_with(2, "photos", "bare", "--image", "photos/tower/plain.png"))
        for words in (("--by", "smell"), ("-k", "0"), ("--evaluate",), ("--queries", "3"),
                      ("--sheet", "photos/tower/turned.png"), ("--sheet", "like.gif")):
            self.fail_with(2, "photos", "photos", "--image", "photos/tower/plain.png", *words)

    def test_images_that_cannot_be_read_are_left_out_and_told(self):
        self.write("photos/cut.png", b"\x89PNG\r\n\x1a\n")
        result = self.run_program("photos", "photos", "--image", "photos/tower/plain.png")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("photos/cut.png: damaged PNG", result.stderr)
        self.assertIn("12 photographs", result.stdout)


class Kept(PhotosTest):
    def kept(self, *arguments):
        return self.photos("photos", "--image", "photos/tower/plain.png", "--index", "kept.photos", *arguments)

    def bytes_of_kept(self):
        with open(self.path("kept.photos"), "rb") as file:
            return file.read()

    def test_a_second_search_reads_nothing_again_and_finds_the_same(self):
        plain = self.photos("photos", "--image", "photos/tower/plain.png")
        first, content = self.kept(), self.bytes_of_kept()
        second = self.kept()
        self.assertEqual((first["kept"], second["kept"]), (0, 12))
        self.assertEqual(first["found"], plain["found"])
        self.assertEqual(second["found"], plain["found"])
        self.assertEqual(self.bytes_of_kept(), content)
        # Each way is served by the same file.
        for way in ("signature", "both") if not self.has_features() else ("signature", "features", "both"):
            if way == "both" and not self.has_features():
                continue
            again = self.kept("--by", way)
            self.assertEqual(again["kept"], 12)
            self.assertEqual(again["found"],
                             self.photos("photos", "--image", "photos/tower/plain.png", "--by", way)["found"])

    def test_it_follows_the_folder(self):
        self.kept()
        os.remove(self.path("photos/market/plain.png"))
        self.write("photos/market/new.png", view(1, turn=1))
        self.write("photos/tower/turned.png", self.pictures["harbour/turned.png"])
        os.utime(self.path("photos/tower/turned.png"), (1, 1))  # whatever the clock shows, another time
        document = self.kept()
        self.assertEqual((document["photos"], document["kept"]), (12, 10))
        self.assertEqual(document["found"], self.photos("photos", "--image", "photos/tower/plain.png")["found"])
        self.assertEqual(self.kept()["kept"], 12)
        os.remove(self.path("photos/market/new.png"))
        self.assertEqual((self.kept()["kept"], self.kept()["photos"]), (11, 11))

    def test_other_options_and_other_folders_are_read_anew(self):
        self.kept()
        result = self.succeed("photos", "photos", "--image", "photos/tower/plain.png", "--index", "kept.photos",
                              "--most-features", "50")
        self.assertIn("kept.photos: was made with other options", result.stderr)
        self.assertEqual(self.kept("--most-features", "50")["kept"], 12)
        os.rename(self.path("photos"), self.path("moved"))
        moved = self.photos("moved", "--image", "moved/tower/plain.png", "--index", "kept.photos",
                            "--most-features", "50")
        self.assertEqual(moved["kept"], 12)  # names are relative to the folder
        self.assertTrue(all(photo["name"].startswith("moved/") for photo in moved["found"]))

    def test_damage_is_told_and_nothing_else_is_replaced(self):
        self.kept()
        whole = self.bytes_of_kept()
        command = ("photos", "photos", "--image", "photos/tower/plain.png", "--index", "kept.photos")
        # Lists within lists, and maps, of which a reader that calls itself for each ends badly.
        nested = [whole.split(b"\n")[0] + b"\n" + body + struct.pack("<I", zlib.crc32(body))
                  for body in (b"\x81" * 2_000_000, b"\xa1\x61a" * 1_000_000, b"\x7f" * 1_000_000, b"\x5f" * 1_000_000,
                               b"\xc0" * 1_000_000, b"\x9f" * 1_000_000, b"\xbb" + b"\xff" * 8, b"\x80\x80")]
        for content in (whole[:-1], whole[:40], whole[:20], whole[:900] + bytes([whole[900] ^ 1]) + whole[901:], *nested):
            self.write("kept.photos", content)
            self.assertIn("kept.photos: is damaged; --force makes it anew", self.fail_with(2, *command))
            self.assertEqual(self.bytes_of_kept(), content)
        self.succeed(*command, "--force")
        self.assertEqual(self.bytes_of_kept(), whole)
        self.write("kept.photos", b"something else")
        self.assertIn("kept.photos", self.fail_with(2, *command))
        self.assertEqual(self.bytes_of_kept(), b"something else")


class Evaluate(PhotosTest):
    def test_every_way_is_measured(self):
        document = self.photos("photos", "--evaluate")
        ways = document["ways"]
        self.assertEqual(list(ways), ["signature", "features", "both"] if self.has_features() else ["signature"])
        for way in ways.values():
            self.assertEqual(way["all"]["queries"], 12)
            self.assertAlmostEqual(way["all"]["chance"], 3 / 11)
            self.assertEqual([one["class"] for one in way["classes"]], ["harbour", "market", "tower"])
        self.succeed("signatures", "build", "photos", "-o", "photos.sig")
        self.assertEqual(ways["signature"]["all"], self.succeed_json("signatures", "evaluate", "photos.sig")["all"])
        if "features" in ways:
            # Each has three other views, and what is not found counts as wrong.
            for way in ("features", "both"):
                self.assertEqual(ways[way]["all"]["precision"]["at_1"], 1)
                self.assertGreater(ways[way]["all"]["precision"]["at_5"], 0.55)
                self.assertLessEqual(ways[way]["all"]["precision"]["at_5"], 0.6 + 1e-9)
        out = self.succeed("photos", "photos", "--evaluate", "--by", "signature").stdout
        self.assertRegex(out, rf"signature +12 +{100 * ways['signature']['all']['precision']['at_1']:.1f} %")

    def test_queries_are_drawn_and_too_few_images_are_told(self):
        document = self.photos("photos", "--evaluate", "--by", "signature", "--queries", "5")
        self.assertEqual(document["ways"]["signature"]["all"]["queries"], 5)
        self.assertIn("4 images; at least 11", self.fail_with(2, "photos", "photos/tower", "--evaluate"))


if __name__ == "__main__":
    unittest.main()
