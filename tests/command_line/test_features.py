"""proxel data features: meshes, images, texts and sequences become rows and words. All of them are made here."""

import csv
import gzip
import json
import math
import os
import struct
import unittest

from images import png
from support import CommandLineTest, read_npy

MOVED = "1 16 0 0 0 1 0 0 0 1 0 0 0 1 "


def off(points, faces):
    lines = ["OFF", f"{len(points)} {len(faces)} 0"]
    lines += [" ".join(map(str, point)) for point in points]
    lines += [" ".join(map(str, [len(face), *face])) for face in faces]
    return "\n".join(lines) + "\n"


def box(x, y, z):
    points = [(i * x, j * y, k * z) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    return points, faces


def binary_stl(points, faces):
    triangles = [(face[0], face[i], face[i + 1]) for face in faces for i in range(1, len(face) - 1)]
    data = b"\0" * 80 + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<3f", 0, 0, 0)
        data += b"".join(struct.pack("<3f", *points[corner]) for corner in triangle) + b"\0\0"
    return data


class FeaturesTest(CommandLineTest):
    def rows(self, name):
        return read_npy(self.path(name))[1]

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read().splitlines()

    def features(self, kind, *arguments):
        return self.succeed_json("data", "features", kind, *arguments)


class Shapes(FeaturesTest):
    def test_a_folder_of_meshes_becomes_rows_with_their_names(self):
        self.write("parts/box.off", off(*box(4, 2, 1)))
        self.write("parts/below/BOX.STL", binary_stl(*box(40, 20, 10)))
        self.write("parts/cube.off", off(*box(1, 1, 1)))
        self.write("parts/notes.txt", "no mesh")
        document = self.features("shapes", "parts", "-o", "shapes.npy", "--names", "shapes.csv")
        self.assertEqual((document["rows"], document["columns"], document["files"]), (3, 512, 3))
        self.assertEqual((document["kind"], document["failures"]), ("shapes", []))
        with open(self.path("shapes.csv"), newline="") as file:
            names = list(csv.reader(file))
        self.assertEqual(names, [["file", "triangles"], ["parts/below/BOX.STL", "12"], ["parts/box.off", "12"],
                                 ["parts/cube.off", "12"]])
        rows = self.rows("shapes.npy")
        # The larger box is the same shape; the cube is none.
        self.assertLess(math.dist(rows[0], rows[1]), 1e-6)
        self.assertGreater(math.dist(rows[1], rows[2]), 0.1)
        for row in rows:
            self.assertTrue(all(math.isfinite(value) and value >= 0 for value in row))

    def test_threads_change_no_byte(self):
        for i in range(9):
            self.write(f"parts/{i}.off", off(*box(1 + i, 2, 1)))
        self.features("shapes", "parts", "-o", "one.npy", "--threads", 1)
        self.features("shapes", "parts", "-o", "eight.npy", "--threads", 8)
        with open(self.path("one.npy"), "rb") as one, open(self.path("eight.npy"), "rb") as eight:
            self.assertEqual(one.read(), eight.read())

    def test_parts_of_ldraw_find_their_sub_files_and_a_missing_one_is_named(self):
        side = "4 16 0 0 0 1 0 0 1 1 0 0 1 0\n3 16 0 0 0 1 0 0 0 0 2\n"
        self.write("ldraw/p/side.dat", side)
        self.write("ldraw/parts/s/half.dat", MOVED + "side.dat\n")
        self.write("ldraw/parts/whole.dat", MOVED + "s\\half.dat\n3 16 0 0 0 0 1 0 0 0 3\n")
        self.write("ldraw/parts/broken.dat", "0 Broken\n" + MOVED + "p48.dat\n")
        result = self.run_program("data", "features", "shapes", "ldraw/parts/whole.dat", "ldraw/parts/broken.dat",
                                  "-o", "parts.npy", "--names", "parts.txt")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("broken.dat: line 2: the sub-file 'p48.dat' is not there", result.stderr)
        self.assertIn("1 of 2 could not be read", result.stdout)
        self.assertEqual(self.lines("parts.txt"), ["ldraw/parts/whole.dat\t4"])
        self.assertEqual(len(self.rows("parts.npy")), 1)
        # Elsewhere the library has to be named.
        self.write("mine/part.dat", MOVED + "side.dat\n")
        refused = self.run_program("data", "features", "shapes", "mine/part.dat", "-o", "mine.npy")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--ldraw", refused.stderr)
        self.assertFalse(os.path.exists(self.path("mine.npy")))
        self.assertEqual(self.features("shapes", "mine/part.dat", "-o", "mine.npy", "--ldraw", "ldraw")["rows"], 1)

    def test_files_that_are_wrong_are_listed_with_their_line(self):
        self.write("parts/good.off", off(*box(1, 2, 3)))
        self.write("parts/cut.off", "OFF\n4 1 0\n0 0 0\n")
        self.write("parts/flat.off", off([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)]))
        self.write("parts/words.stl", "solid a\nvortex\n")
        result = self.run_program("data", "features", "shapes", "parts", "-o", "rows.npy", "--json")
        self.assertEqual(result.returncode, 1)
        document = json.loads(result.stdout)
        self.assertEqual(document["rows"], 1)
        reasons = {os.path.basename(one["path"]): one["reason"] for one in document["failures"]}
        self.assertEqual(reasons, {"cut.off": "line 3: the file ends before the last vertex",
                                   "flat.off": "no surface: there is no triangle with an area",
                                   "words.stl": "line 2: 'vortex' is no word of an STL file"})


class Sift(FeaturesTest):
    def test_images_become_features_with_their_places(self):
        def disc(x, y):
            grey = 250 if (x - 40) ** 2 + (y - 24) ** 2 < 80 else 20
            return (grey, grey, grey)
        self.write("photos/disc.png", png(96, 64, disc))
        result = self.run_program("data", "features", "sift", "photos", "-o", "sift.npy", "--names", "keys.csv")
        if "built without" in result.stderr:
            self.skipTest("no local features in this build")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows("sift.npy")
        with open(self.path("keys.csv"), newline="") as file:
            keys = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(keys))
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertEqual(len(row), 128)
            self.assertAlmostEqual(math.hypot(*row), 512, delta=2)
        # One of them is the disc.
        self.assertTrue([key for key in keys if math.dist((float(key["x"]), float(key["y"])), (40, 24)) < 3])
        few = self.features("sift", "photos", "-o", "one.npy", "--most", 1)
        self.assertEqual(few["rows"], 1)


class Documents(FeaturesTest):
    @staticmethod
    def place(term, dimensions):
        value = 0xCBF29CE484222325
        for byte in term.encode():
            value = (value ^ byte) * 0x100000001B3 % 2 ** 64
        return ((value ^ value >> 32) & 0xFFFFFFFF) % dimensions

    def test_terms_are_counted_at_their_hashes(self):
        self.write("texts/a.txt", "Der Bär, der BÄR!\n")
        self.write("texts/b.md", "nothing else")
        self.write("texts/c.log", "left out")
        document = self.features("documents", "texts", "-o", "rows.npy", "--names", "names.txt")
        self.assertEqual((document["rows"], document["columns"]), (2, 512))
        self.assertEqual(self.lines("names.txt"), ["texts/a.txt\t4", "texts/b.md\t2"])
        expected = [0.0] * 512
        for term in ("der", "bär", "der", "bär"):
            expected[self.place(term, 512)] += 1
        self.assertEqual(self.rows("rows.npy")[0], expected)
        self.assertEqual(self.features("documents", "texts", "-o", "all.npy", "--all-files")["rows"], 3)

    def test_weights_and_length(self):
        self.write("texts/a.txt", "red red green")
        self.write("texts/b.txt", "red")
        self.write("texts/c.txt", "")
        self.features("documents", "texts", "-o", "rows.npy", "--dimensions", 1009, "--idf", "--unit")
        rows = self.rows("rows.npy")
        red, green = self.place("red", 1009), self.place("green", 1009)
        weights = (2 * (math.log(4 / 3) + 1), math.log(4 / 2) + 1)
        self.assertAlmostEqual(rows[0][red], weights[0] / math.hypot(*weights), places=6)
        self.assertAlmostEqual(rows[0][green], weights[1] / math.hypot(*weights), places=6)
        self.assertEqual(rows[1][red], 1)
        self.assertEqual(set(rows[2]), {0})

    def test_what_is_no_text_is_listed(self):
        self.write("texts/a.txt", b"one\n\0")
        self.assertIn("texts/a.txt: line 2: a zero byte",
                      self.run_program("data", "features", "documents", "texts", "-o", "rows.npy").stderr)


class Sequences(FeaturesTest):
    def test_words_of_records_are_lines_that_words_reads(self):
        self.write("genes/a.fa", ">one first\nACGTA\nCG\n>two\nacnGTT\n")
        self.write("genes/b.fasta.gz", gzip.compress(b">three\nGGGGGG\n"))
        document = self.features("dna", "genes", "-o", "words.txt", "--length", 4, "--stride", 2, "--names", "names.csv")
        self.assertEqual(self.lines("words.txt"), ["ACGT", "GTAC", "GGGG", "GGGG"])
        self.assertEqual((document["words"], document["records"], document["left_out"]), (4, 3, 2))
        self.assertEqual(self.lines("names.csv"), ["file,record,start", "genes/a.fa,one,1", "genes/a.fa,one,3",
                                                   "genes/b.fasta.gz,three,1", "genes/b.fasta.gz,three,3"])
        self.features("dna", "genes", "-o", "unique.txt", "--length", 4, "--stride", 2, "--unique")
        self.assertEqual(self.lines("unique.txt"), ["ACGT", "GTAC", "GGGG"])
        found = self.succeed_json("words", "unique.txt", "--query", "GTAG", "--k", 1, "--device", "cpu")
        self.assertIn("GTAC", json.dumps(found))

    def test_whole_records(self):
        self.write("a.fna", ">one\nACGNA\n>two\nTT\n")
        self.features("dna", "a.fna", "-o", "words.txt", "--records")
        self.assertEqual(self.lines("words.txt"), ["ACGNA", "TT"])
        self.fail_with(2, "data", "features", "dna", "a.fna", "-o", "other.txt", "--records", "--length", 3)

    def test_the_line_of_a_wrong_letter_is_told(self):
        self.write("a.fa", ">one\nACGT\n\nACXT\n")
        result = self.run_program("data", "features", "dna", "a.fa", "-o", "words.txt")
        self.assertEqual(result.returncode, 2)
        self.assertIn("a.fa: line 4: 'X' is no code of a nucleotide", result.stderr)
        self.write("short.fa", ">one\nACGT\n")
        self.assertIn("nothing was found in 1 FASTA files",
                      self.fail_with(2, "data", "features", "dna", "short.fa", "-o", "words.txt", "--length", 9))


class EveryKind(FeaturesTest):
    def test_outputs_replace_nothing_by_mistake(self):
        self.write("texts/a.txt", "one")
        self.write("rows.npy", "mine")
        self.fail_with(2, "data", "features", "documents", "texts", "-o", "rows.npy")
        self.features("documents", "texts", "-o", "rows.npy", "--force")
        self.assertIn("texts/a.txt", self.fail_with(2, "data", "features", "documents", "texts/a.txt", "-o",
                                                    "texts/a.txt", "--force"))
        self.assertIn("--names", self.fail_with(2, "data", "features", "documents", "texts", "-o", "b.npy",
                                                "--names", "names.json"))

    def test_nothing_to_be_read_is_an_error(self):
        os.mkdir(self.path("empty"))
        for kind, ending in (("shapes", ".stl"), ("documents", ".txt"), ("dna", ".fasta.gz")):
            with self.subTest(kind=kind):
                self.assertIn(ending, self.fail_with(2, "data", "features", kind, "empty", "-o", "out.npy"))
                result = self.run_program("data", "features", kind, "nowhere", "-o", "out.npy")
                self.assertEqual(result.returncode, 2)
                self.assertIn("nowhere: ", result.stderr)


if __name__ == "__main__":
    unittest.main()
