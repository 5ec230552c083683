"""proxel words: nearest words, given, from files and piped."""

import gzip
import json
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CommandLineTest


class Words(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.words = self.path("words.txt")
        with open(self.words, "wb") as file:
            file.write("kitten\nmitten\nsitting\nStraße\n\nkitchen\n".encode())

    def run_words(self, *options, stdin=None):
        return subprocess.run([PROGRAM, "words", self.words, *options], input=stdin,
                              capture_output=True, timeout=60)

    def test_given_words_come_back_by_distance_then_line(self):
        done = self.run_words("--query", "sitten", "--query", "Strasse", "-k", "3", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["words"], 5)  # the empty line is none
        self.assertEqual(document["notes"], ["%s: an empty line was left out, the first is line 5" % self.words])
        first, second = document["answers"]
        self.assertEqual([(n["word"], n["distance"]) for n in first["nearest"]],
                         [("kitten", 1), ("mitten", 1), ("sitting", 2)])
        self.assertEqual(second["nearest"][0], {"word": "Straße", "index": 3, "distance": 2})

    def test_bytes_count_where_asked_for(self):
        done = self.run_words("--query", "Stra e", "-k", "1", "--bytes", "--json")
        self.assertEqual(json.loads(done.stdout)["answers"][0]["nearest"][0]["distance"], 2)
        done = self.run_words("--query", "Stra e", "-k", "1", "--json")
        self.assertEqual(json.loads(done.stdout)["answers"][0]["nearest"][0]["distance"], 1)

    def test_piped_words_are_answered_in_order_without_a_last_newline(self):
        done = self.run_words("-k", "1", stdin=b"mitten\r\n\nkitchens")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.decode().split("\n"),
                         ["mitten\tmitten 0", "\tkitten 6", "kitchens\tkitchen 1", ""])

    def test_a_slow_stream_is_answered_as_it_comes(self):
        with subprocess.Popen([PROGRAM, "words", self.words, "-k", "1", "--delay", "1"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for word in (b"kitten", b"sitting"):
                process.stdin.write(word + b"\n")
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), word + b"\t" + word + b" 0\n")
                time.sleep(0.05)
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_an_interrupt_ends_the_wait_for_a_word(self):
        with subprocess.Popen([PROGRAM, "words", self.words], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(b"kitten\n")
            process.stdin.flush()
            self.assertTrue(process.stdout.readline().startswith(b"kitten\tkitten 0"))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130)

    def test_many_words_pass_in_batches(self):
        done = self.run_words("-k", "1", "--batch", "7", stdin=b"kitten\n" * 500)
        self.assertEqual(done.stdout, b"kitten\tkitten 0\n" * 500)

    def test_words_that_do_not_fit_pass_in_parts(self):
        for options in (("-k", "3"), ("--radius", "2")):
            asked = ("--query", "sitten", "--query", "Strasse", *options, "--json")
            whole = json.loads(self.run_words(*asked).stdout)
            for limit in ("1", "40B", "1KB"):
                self.assertEqual(json.loads(self.run_words(*asked, "--memory-limit", limit).stdout)["answers"],
                                 whole["answers"])
        few = ("--query", "sitten", "--memory-limit", "40B")
        parts = json.loads(self.run_words(*few, "--json").stdout)["parts"]
        self.assertGreater(parts, 1)
        self.assertIn(f"over the words in up to {parts} parts", self.run_words(*few, "--trace").stdout.decode())
        self.assertNotIn("parts", self.run_words("--query", "sitten", "--trace").stdout.decode())
        refused = self.run_words("--query", "sitten", "--permutants", "3", "--memory-limit", "40")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"--memory-limit", refused.stderr)
        self.assertEqual(self.run_words("--query", "sitten", "--memory-limit", "0").returncode, 2)

    def test_a_permutation_index_compares_a_part(self):
        options = ("--query", "sitten", "-k", "2", "--permutants", "3", "--json")
        document = json.loads(self.run_words(*options, "--fraction", "1").stdout)
        self.assertEqual(document["compared_per_query"], 5)
        self.assertEqual([n["word"] for n in document["answers"][0]["nearest"]], ["kitten", "mitten"])
        document = json.loads(self.run_words(*options, "--fraction", "0.4").stdout)
        self.assertEqual(document["compared_per_query"], 2)
        self.assertEqual(len(document["answers"][0]["nearest"]), 2)
        self.assertEqual(self.run_words(*options, "--fraction", "0").returncode, 2)
        self.assertEqual(self.run_words(*options, "--fraction", "nan").returncode, 2)

    def nearest(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return [[n["word"] for n in a["nearest"]] for a in json.loads(done.stdout)["answers"]]

    def test_a_radius_finds_every_word_within(self):
        done = self.run_words("--query", "kitten", "--query", "zzzzz", "--radius", "2", "--json")
        self.assertEqual(self.nearest(done), [["kitten", "mitten", "kitchen"], []])
        self.assertEqual(json.loads(done.stdout)["radius"], 2)
        options = ("--query", "kitten", "--radius", "2", "--permutants", "2", "--fraction", "1")
        done = self.run_words(*options)
        self.assertEqual(done.stdout.decode(), "kitten\tkitten 0\tmitten 1\tkitchen 2\n")
        self.assertEqual(self.run_words("--query", "x", "--radius", "1", "-k", "2").returncode, 2)
        self.assertEqual(self.run_words("--query", "x", "--radius", "nan").returncode, 2)
        self.assertEqual(self.run_words("--query", "x", "--radius", "-1").returncode, 2)

    def test_an_index_is_saved_and_words_come_and_go(self):
        index, more, less = self.path("words.index"), self.path("more.txt"), self.path("less.txt")
        with open(more, "w", encoding="utf-8") as file:
            file.write("sitten\n")
        with open(less, "w", encoding="utf-8") as file:
            file.write("mitten\n")
        done = self.run_words("--permutants", "3", "--save", index)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        self.words = index
        options = ("--query", "sitten", "-k", "2", "--fraction", "1", "--json")
        self.assertEqual(self.nearest(self.run_words(*options)), [["kitten", "mitten"]])
        changed = self.run_words(*options, "--add", more, "--remove", less, "--save", index, "--force")
        self.assertEqual(self.nearest(changed), [["sitten", "kitten"]])
        self.assertEqual(self.nearest(self.run_words(*options)), [["sitten", "kitten"]])
        # What is not there cannot be removed; options of the making are refused.
        self.assertEqual(self.run_words(*options, "--remove", less).returncode, 2)
        self.assertEqual(self.run_words(*options, "--permutants", "4").returncode, 2)
        with open(index, "r+b") as file:
            file.seek(120)
            byte = file.read(1)
            file.seek(120)
            file.write(bytes([byte[0] ^ 1]))
        done = self.run_words(*options)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"checksum", done.stderr)

    def test_words_without_an_index_come_and_go_too(self):
        less = self.path("less.txt")
        with open(less, "w", encoding="utf-8") as file:
            file.write("kitten\n")
        done = self.run_words("--query", "kitten", "-k", "1", "--remove", less, "--json")
        self.assertEqual(self.nearest(done), [["mitten"]])
        self.assertEqual(self.run_words("--query", "kitten", "--save", less).returncode, 2)
        self.assertEqual(self.run_words("--query", "kitten", "--recall", "0.9").returncode, 2)

    def test_the_fraction_is_chosen_for_a_recall(self):
        with open(self.words, "w", encoding="utf-8") as file:
            file.write("".join(f"{i * 7919}\n" for i in range(400)))
        done = self.run_words("--query", "7919", "-k", "2", "--permutants", "16", "--recall", "0.8", "--json")
        document = json.loads(done.stdout)
        choice = document["choice"]
        self.assertGreaterEqual(choice["recall"], 0.8)
        self.assertLess(choice["fraction"], 1)
        self.assertEqual(choice["queries"], 400)
        self.assertLess(document["compared_per_query"], 400)
        done = self.run_words("--query", "7919", "--radius", "1", "--permutants", "16", "--recall", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"for a recall of 1.000", done.stderr)

    def test_a_mark_gzip_and_line_ends_are_no_part_of_a_word(self):
        text = "\ufeffkitten\r\n\r\nStraße\r\n".encode()
        for name, content in (("words.txt", text), ("words.txt.gz", gzip.compress(text)), ("words", gzip.compress(text))):
            self.words = self.path(name)
            with open(self.words, "wb") as file:
                file.write(content)
            done = self.run_words("--query", "kitten", "--query", "Straße", "-k", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.decode(), "kitten\tkitten 0\nStraße\tStraße 0\n")
        self.assertEqual(self.run_words("-k", "1", stdin="\ufeffkitten\n".encode()).stdout, b"kitten\tkitten 0\n")

    def test_words_come_through_pipes(self):
        done = subprocess.run([PROGRAM, "words", "-", "--query", "kiten", "-k", "1"], input=b"kitten\nmitten\n",
                              capture_output=True, timeout=60)
        self.assertEqual(done.stdout, b"kiten\tkitten 1\n", done.stderr)
        done = subprocess.run([PROGRAM, "words", "-"], input=b"kitten\n", capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--query", done.stderr)
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        self.words = pipe
        with subprocess.Popen([PROGRAM, "words", pipe, "--query", "kiten", "-k", "1"], stdout=subprocess.PIPE) as process:
            with open(pipe, "wb") as file:
                file.write(b"kitten\n" * 50000)
            self.assertEqual(process.communicate(timeout=60)[0], b"kiten\tkitten 1\n")
            self.assertEqual(process.returncode, 0)

    def test_bad_input_is_refused_with_its_place(self):
        with open(self.words, "ab") as file:
            file.write(b"\xff\xfe\n")
        done = self.run_words("--query", "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"line 7", done.stderr)
        self.assertEqual(self.run_words("--query", "x", "--bytes").returncode, 0)
        done = self.run_words("--bytes", "--json", "--batch", "2", stdin=b"a\nb\nc\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.words, "wb"):
            pass
        self.assertEqual(self.run_words("--query", "x").returncode, 2)
        os.unlink(self.words)
        self.assertEqual(self.run_words("--query", "x").returncode, 2)


if __name__ == "__main__":
    unittest.main()
