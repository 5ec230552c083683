"""proxel words: nearest words, given, from files and piped."""

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
        self.assertEqual(document["words"], 6)
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
                         ["mitten\tmitten 0", "\t 0", "kitchens\tkitchen 1", ""])

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

    def test_a_permutation_index_compares_a_part(self):
        options = ("--query", "sitten", "-k", "2", "--permutants", "3", "--json")
        document = json.loads(self.run_words(*options, "--fraction", "1").stdout)
        self.assertEqual(document["compared_per_query"], 6)
        self.assertEqual([n["word"] for n in document["answers"][0]["nearest"]], ["kitten", "mitten"])
        document = json.loads(self.run_words(*options, "--fraction", "0.4").stdout)
        self.assertEqual(document["compared_per_query"], 3)
        self.assertEqual(len(document["answers"][0]["nearest"]), 2)
        self.assertEqual(self.run_words(*options, "--fraction", "0").returncode, 2)
        self.assertEqual(self.run_words(*options, "--fraction", "nan").returncode, 2)

    def test_the_suite_says_what_the_index_finds(self):
        done = subprocess.run([PROGRAM, "bench", "words", "--quick", "--device", "cpu", "--json"],
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["differences"], [])
        rows = [row for row in document["rows"] if "recall" in row["remark"]]
        self.assertEqual(len(rows), 4)
        self.assertTrue(all(row["median_ms"] > 0 for row in rows))

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
