"""Ctrl-C and SIGTERM: any command ends within a second, with a code that tells, and leaves nothing."""

import gzip
import json
import os
import re
import random
import signal
import struct
import subprocess
import time
import unittest

from images import png
from support import BENCH, CommandLineTest

# A second, and what a busy machine needs to take the processes up again.
LIMIT = float(os.environ.get("PROXEL_TEST_PATIENCE", "3"))
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
HANGUP = {signal.SIGHUP: 129}  # as when a connection is lost


def write_large_npy(path, rows, columns):
    """Rows of many different values, written quickly: a block that is repeated."""
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, columns)
    header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
    generator = random.Random(1)
    block = struct.pack("<%df" % (997 * columns), *(generator.random() for _ in range(997 * columns)))
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write((block * (rows // 997 + 1))[:rows * columns * 4])


class Interrupt(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_large_npy(self.path("base.npy"), 200000, 64)

    def devices(self):
        document = json.loads(self.succeed("devices", "--json").stdout)
        return [device["id"] for device in document["devices"] if device["usable"] and device["id"] != "cpu:reference"]

    def start(self, *arguments, **options):
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def ends(self, *arguments, sent=signal.SIGINT, after=1.0):
        """Sends the signal to a command that is at work; its streams."""
        before = set(os.listdir(self.folder)) | {"cache"}
        process = self.start(*arguments)
        time.sleep(after)
        if process.poll() is not None:
            self.fail("ended by itself: " + str(process.communicate()))
        begin = time.monotonic()
        process.send_signal(sent)
        out, error = process.communicate(timeout=60)
        took = time.monotonic() - begin
        self.assertEqual(process.returncode, (CODES | HANGUP)[sent], error)
        self.assertLess(took, LIMIT)
        self.assertEqual(error.count("interrupted"), 1, error)
        self.assertEqual(set(os.listdir(self.folder)) - before, set())
        return out, error

    def test_every_search_on_every_device(self):
        files = ["--database", "base.npy", "--queries", "base.npy"]
        for device in self.devices():
            for arguments in (["search", *files, "--k", "10", "--metric", "l1", "--output", "o"],
                              ["search", *files, "--k", "10", "--table", "t.csv.gz"],
                              ["range", *files, "--radius", "1", "--output", "o"],
                              ["graph", "base.npy", "-k", "10", "--output", "g.npz"]):
                for sent in CODES:
                    with self.subTest(device=device, arguments=arguments, sent=sent.name):
                        self.ends(*arguments, "--device", device, sent=sent)

    def test_words_on_every_device(self):
        generator = random.Random(2)
        with open(self.path("words.txt"), "w") as file:
            for _ in range(150000):
                file.write("".join(generator.choices("abcdefgh", k=24)) + "\n")
        for device in self.devices():
            for more in ([], ["--permutants", "64", "--save", "w.index"]):
                with self.subTest(device=device, more=more):
                    self.ends("words", "words.txt", "--queries-from", "words.txt", "--device", device, *more,
                              sent=signal.SIGTERM)

    def test_what_compares_and_measures(self):
        files = ["--database", "base.npy", "--queries", "base.npy"]
        for arguments in (["compare", *files, "--device", "cpu", "--report", "r.html"],
                          ["accuracy", "--only-data", "--data", "base.npy", "--query-count", "90000"],
                          ["conformance", "--device", "cpu", "--filter", "search/*"]):
            with self.subTest(arguments=arguments):
                self.ends(*arguments, sent=signal.SIGTERM)

    def test_what_a_conformance_run_had_found(self):
        # Of cases that take no long time: between two of them it ends by itself.
        _, error = self.ends("conformance", "--device", "cpu", "--filter", "pass/*")
        found = re.search(r"until then (\d+) passed, 0 failed, \d+ unsupported", error)
        self.assertIsNotNone(found, error)
        self.assertGreater(int(found[1]), 0)

    def test_a_lost_connection(self):
        graph = ["graph", "base.npy", "-k", "10", "--output", "g.npz", "--device", "cpu"]
        self.ends(*graph, sent=signal.SIGHUP)
        process = self.start(*graph, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.5)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "nohup does not want it to end")
        process.kill()
        process.communicate()

    def test_benchmarks(self):
        self.program = BENCH
        _, error = self.ends("scan", "--device", "cpu", "--report", "r.html")
        self.assertIn("proxel-bench: error: interrupted", error)

    def test_signatures_of_many_images(self):
        if "built without" in self.run_program("signatures", "build", "nothing", "-o", "o.sig").stderr:
            self.skipTest("this build reads no images")
        os.mkdir(self.path("photos"))
        with open(self.path("photos/0.png"), "wb") as file:
            file.write(png(400, 400, lambda x, y: (x % 256, y % 256, x * y % 256)))
        for number in range(1, 6000):
            os.link(self.path("photos/0.png"), self.path(f"photos/{number}.png"))
        for sent in CODES:
            with self.subTest(sent=sent.name):
                self.ends("signatures", "build", "photos", "-o", "photos.sig", sent=sent)

    def test_reading_a_long_file(self):
        with gzip.open(self.path("long.csv.gz"), "wb", compresslevel=1) as file:
            for _ in range(400):
                file.write(b"1.25,2.5,3.75,5,6.25,7.5,8.75\n" * 30000)
        self.ends("data", "convert", "long.csv.gz", "o.npy")

    def test_what_does_not_answer_is_ended_by_force(self):
        """A pipe that nobody opens for writing: the program waits in the system."""
        os.mkfifo(self.path("pipe"))
        for sent in CODES:
            with self.subTest(sent=sent.name):
                self.ends("words", "pipe", "--query", "word", sent=sent, after=0.5)
        out, _ = self.ends("words", "pipe", "--query", "word", "--json", after=0.5)
        self.assertEqual(json.loads(out)["error"]["code"], "interrupted")

    def test_a_second_signal_ends_at_once(self):
        # Its reader sleeps, so that nothing but a signal ends it.
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT)):
            process = self.start("search", "--database", "base.npy", "--queries", "base.npy", "--query-rows", "20",
                                 "--k", "20000", "--table", "-")
            time.sleep(3)  # until the pipe is full
            process.send_signal(first)
            time.sleep(0.1)
            self.assertIsNone(process.poll())
            begin = time.monotonic()
            process.send_signal(second)
            process.wait(timeout=60)
            self.assertLess(time.monotonic() - begin, 0.5)
            self.assertEqual(process.returncode, CODES[first])
            process.stdout.close()
            process.stderr.close()

    def test_a_reader_that_went_to_sleep_does_not_keep_the_program(self):
        process = self.start("search", "--database", "base.npy", "--queries", "base.npy", "--query-rows", "20",
                             "--k", "20000", "--table", "-")
        time.sleep(3)  # until the pipe is full
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 143)
        process.stdout.close()
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
