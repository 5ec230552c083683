"""Signatures of images: built, looked into and searched. The images are made here."""

import json
import os
import struct
import subprocess
import unittest
import zlib

from support import PROGRAM, CommandLineTest


def png(width, height, colour):
    """A PNG file whose pixel at (x, y) is colour(x, y), three numbers."""
    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    rows = b"".join(b"\0" + bytes(channel for x in range(width) for channel in colour(x, y))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def two_colours(first, second):
    """The first above, the second below."""
    return png(24, 24, lambda x, y: first if y < 12 else second)


IMAGES = {"red.png": two_colours((250, 10, 10), (20, 20, 20)),
          "reddish.png": two_colours((230, 30, 20), (30, 20, 20)),
          "blue.png": two_colours((10, 10, 250), (20, 20, 20)),
          "below/green.PNG": two_colours((10, 250, 10), (20, 20, 20))}


class SignaturesTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for name, content in IMAGES.items():
            self.write("photos/" + name, content)

    def write(self, name, content):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

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
