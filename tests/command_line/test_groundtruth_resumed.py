"""groundtruth that is killed, interrupted or out of room goes on where it was, and ends in the same bytes."""

import hashlib
import json
import os
import random
import resource
import signal
import struct
import subprocess
import time
import unittest
import zlib

from support import CommandLineTest

HEADING = b"\x89proxel groundtruth checkpoint 1\n"
# Seconds, in 75 blocks.
WORK = ("--database", "made:90000x48", "--queries", "made:300x48:2", "-k", "20", "--block-rows", "1200",
        "--checkpoint-interval", "0", "--device", "cpu:reference", "--check", "2", "--check-rows", "500")
SMALL = ("--database", "rows.fbin", "--queries", "made:5x4:2", "-k", "6", "--block-rows", "50",
         "--checkpoint-interval", "0")


class Resumed(CommandLineTest):
    def sha(self, name):
        with open(self.path(name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def start(self, *arguments, **options):
        return subprocess.Popen([self.program, "groundtruth", *arguments], cwd=self.folder, env=self.environment,
                                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                **options)

    def ended_at_checkpoint(self, *arguments, by=signal.SIGKILL):
        """A run that is ended as soon as there is a checkpoint."""
        process = self.start(*arguments, "--output", "gt.ibin")
        end = time.monotonic() + 60
        while not os.path.exists(self.path("gt.ibin.checkpoint")) and process.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)
        process.send_signal(by)
        return process.returncode, *process.communicate(timeout=60), process.returncode

    def parts(self):
        """The checkpoint's JSON, its three numbers, ids and distances."""
        with open(self.path("gt.ibin.checkpoint"), "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(HEADING))
        self.assertEqual(zlib.crc32(data[:-4]), struct.unpack("<I", data[-4:])[0])
        at = len(HEADING)
        (length,) = struct.unpack("<Q", data[at:at + 8])
        run = data[at + 8:at + 8 + length]
        at += 8 + length
        queries, k, done = struct.unpack("<3Q", data[at:at + 24])
        slots = queries * k
        ids = list(struct.unpack("<%dq" % slots, data[at + 24:at + 24 + 8 * slots]))
        distances = list(struct.unpack("<%df" % slots, data[at + 24 + 8 * slots:-4]))
        return run, [queries, k, done], ids, distances

    def put(self, run, shape, ids, distances):
        data = HEADING + struct.pack("<Q", len(run)) + run + struct.pack("<3Q", *shape)
        data += struct.pack("<%dq" % len(ids), *ids) + struct.pack("<%df" % len(distances), *distances)
        self.write("gt.ibin.checkpoint", data + struct.pack("<I", zlib.crc32(data)))

    def small(self):
        """An unfinished run over a file."""
        self.succeed("data", "make", "8000x4", "rows.fbin")
        self.ended_at_checkpoint(*SMALL)
        self.assertTrue(os.path.exists(self.path("gt.ibin.checkpoint")), "it ended before it was killed")

    def test_killed_at_random_moments(self):
        self.succeed("groundtruth", *WORK, "--output", "whole.ibin")
        expected = self.sha("whole.ibin")
        self.succeed("data", "make", "90000x48", "rows.fbin")
        self.succeed("data", "make", "300x48", "queries.fbin", "--seed", 2)
        self.succeed("search", "--database", "rows.fbin", "--queries", "queries.fbin", "-k", 20, "--format", "ibin",
                     "--output", "found")
        self.assertEqual(self.sha("found.ibin"), expected)
        generator, kills = random.Random(20), 0
        for attempt in range(100):
            process = self.start(*WORK, "--output", "gt.ibin")
            try:
                # Short at first, so that quick machines are interrupted often too.
                process.wait(timeout=generator.uniform(0.02, 0.15) * (1 + attempt / 4))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            out, error = process.communicate(timeout=60)
            if process.returncode == 0:
                break
            self.assertEqual(process.returncode, -signal.SIGKILL, error + out)
        self.assertGreater(kills, 3)
        self.assertIn("searched by a run before", out)
        self.assertEqual(self.sha("gt.ibin"), expected)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("gt.ibin.")], [])

    def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(self):
        before, out, error, code = self.ended_at_checkpoint(*WORK, by=signal.SIGINT)
        self.assertEqual(code, 130, error + out)
        self.assertRegex(error, r"rows are done and kept in gt.ibin.checkpoint; the same command goes on from there")
        self.assertEqual(error.count("interrupted"), 1)
        first = self.succeed_json("groundtruth", *WORK, "--output", "gt.ibin")["walk"]["first_row"]
        self.assertGreater(first, 0)
        self.assertIn(f"{first:,} of 90,000 rows", error)

    def test_a_run_goes_on_with_other_devices_and_blocks(self):
        self.small()
        self.succeed("groundtruth", *SMALL, "--output", "whole.ibin")
        document = self.succeed_json("groundtruth", *SMALL[:-4], "--output", "gt.ibin", "--device", "cpu:reference")
        self.assertGreater(document["walk"]["first_row"], 0)
        self.assertEqual(self.sha("gt.ibin"), self.sha("whole.ibin"))

    def test_a_changed_input_or_option_is_named(self):
        self.small()
        change = lambda *arguments: self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin", *arguments)
        self.assertIn('metric was "l2sq", is "l1"', change("--metric", "l1"))
        self.assertIn("database.rows was 8000, is 7999", change("--rows", 7999))
        self.assertIn("database.first row was 0, is 5", change("--first-row", 5))
        self.assertIn("--restart begins anew", change("--query-rows", 4))
        self.assertIn("k was 6, is 7", self.fail_with(2, "groundtruth", *SMALL[:4], "-k", 7, "--output", "gt.ibin"))
        self.assertIn("queries.checksum", self.fail_with(2, "groundtruth", *SMALL[:2], "--queries", "made:5x4:9", "-k", 6,
                                                         "--output", "gt.ibin"))
        with open(self.path("rows.fbin"), "r+b") as file:
            file.seek(20)
            file.write(b"abcd")
        error = change()
        self.assertIn("database.changed was", error)
        self.assertIn("database.checksum of samples was", error)
        self.assertFalse(os.path.exists(self.path("gt.ibin")))
        self.succeed("groundtruth", *SMALL, "--output", "gt.ibin", "--restart")
        self.assertFalse(os.path.exists(self.path("gt.ibin.checkpoint")))

    def test_a_database_that_changes_meanwhile_is_noticed(self):
        self.succeed("data", "make", "90000x48", "rows.fbin")
        process = self.start("--database", "rows.fbin", *WORK[2:], "--output", "gt.ibin")
        end = time.monotonic() + 60
        while not os.path.exists(self.path("gt.ibin.checkpoint")) and process.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)
        with open(self.path("rows.fbin"), "r+b") as file:
            file.seek(8)
            file.write(bytes(4))
        out, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, error + out)
        self.assertIn("changed while it was searched", error)
        self.assertFalse(os.path.exists(self.path("gt.ibin")))

    def test_a_damaged_checkpoint_is_refused(self):
        self.small()
        with open(self.path("gt.ibin.checkpoint"), "rb") as file:
            whole = file.read()
        for at in (len(HEADING) + 3, len(whole) // 2, len(whole) - 2):
            self.write("gt.ibin.checkpoint", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            self.assertIn("damaged", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))
        self.write("gt.ibin.checkpoint", whole[:-40])
        self.assertIn("damaged", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))
        run, shape, ids, distances = self.parts() if self.write("gt.ibin.checkpoint", whole) else None
        self.put(run, [5, 6, 40], ids, distances)
        self.assertIn("damaged", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))
        self.put(run, [5, 6, 1 << 40], ids, distances)
        self.assertIn("another run", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))

    def test_a_checkpoint_of_nothing_that_was_written_is_refused(self):
        self.small()
        _, shape, ids, distances = self.parts()
        for depth in (1_000, 300_000):
            self.put(b'{"a":' * depth + b"1" + b"}" * depth, shape, ids, distances)
            self.assertIn("--restart begins anew", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))
        self.write("gt.ibin.checkpoint", "")
        self.assertIn("--restart begins anew", self.fail_with(2, "groundtruth", *SMALL, "--output", "gt.ibin"))

    def test_a_wrong_answer_is_found_and_not_written(self):
        self.small()
        run, shape, _, _ = self.parts()
        shape[2] = 8000  # as if all rows had been searched
        self.succeed("groundtruth", *SMALL[:4], "-k", 7, "--output", "seven.ibin")
        with open(self.path("seven.ibin"), "rb") as file:
            file.seek(8)
            seven = list(struct.unpack("<35i", file.read(140))), list(struct.unpack("<35f", file.read()))
        ids, distances = ([value for at, value in enumerate(values) if at % 7 != 6] for values in seven)
        self.put(run, shape, ids, distances)
        self.succeed("groundtruth", *SMALL, "--output", "gt.ibin")
        os.remove(self.path("gt.ibin"))
        for wrong in ("id", "distance", "order", "missed"):
            with self.subTest(wrong=wrong):
                bad_ids, bad_distances = list(ids), list(distances)
                if wrong == "id":
                    bad_ids[0] += 1 if bad_ids[0] + 1 < shape[2] else -1
                elif wrong == "distance":
                    bad_distances[0] *= 0.999
                elif wrong == "order":
                    bad_ids[:2], bad_distances[:2] = bad_ids[1::-1], bad_distances[1::-1]
                else:  # the nearest is dropped: every other is right
                    bad_ids[:6], bad_distances[:6] = seven[0][1:7], seven[1][1:7]
                self.put(run, shape, bad_ids, bad_distances)
                result = self.run_program("groundtruth", *SMALL, "--output", "gt.ibin")
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"check FAILED .*\nnothing was written")
                check = json.loads(self.run_program("groundtruth", *SMALL, "--output", "gt.ibin", "--json").stdout)["check"]
                found = [check[what] for what in ("wrong_distances", "wrong_order", "missed")]
                self.assertGreater(found[("distance", "order", "missed").index(wrong)] if wrong != "id" else sum(found), 0)
                if wrong == "missed":
                    self.assertEqual(found, [0, 0, 1])
                self.assertFalse(os.path.exists(self.path("gt.ibin")))

    def test_numbers_of_rows_beyond_32_bits(self):
        # As if the rows before had been searched, and none of them kept.
        work = ("--database", "made:5000000000x1", "--queries", "made:3x1:2", "-k", "4", "--check", "0")
        process = self.start(*work, "--output", "gt.npy", "--block-rows", "1000", "--checkpoint-interval", "0")
        end = time.monotonic() + 60
        while not os.path.exists(self.path("gt.npy.checkpoint")):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        process.kill()
        process.communicate()
        os.rename(self.path("gt.npy.checkpoint"), self.path("gt.ibin.checkpoint"))
        run, shape, _, _ = self.parts()
        self.put(run, [3, 4, 5000000000 - 2000], [-1] * 12, [float("inf")] * 12)
        os.rename(self.path("gt.ibin.checkpoint"), self.path("gt.npy.checkpoint"))
        self.succeed("groundtruth", *work, "--output", "gt.npy", "--block-rows", "300")
        with open(self.path("gt.npy"), "rb") as file:
            found = struct.unpack("<12q", file.read()[-96:])
        part = ("--database", "made:5000000000x1", "--first-row", 5000000000 - 2000, "--queries", "made:3x1:2", "-k", 4)
        self.succeed("groundtruth", *part, "--output", "part.npy")
        with open(self.path("part.npy"), "rb") as file:
            expected = struct.unpack("<12q", file.read()[-96:])
        self.assertEqual(found, tuple(row + 5000000000 - 2000 for row in expected))

    def test_a_disk_without_room(self):
        def few_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

        self.succeed("data", "make", "4000x4", "rows.fbin")
        process = self.start(*SMALL, "--output", "gt.ibin", preexec_fn=few_bytes)
        out, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, error)  # 248 bytes: the answer fits, checkpoints do not
        self.assertEqual(error.count("a run that is killed begins again at row 0"), 1, error)
        many = [*SMALL[:4], "-k", "60", *SMALL[6:]]
        for output in ("more.ibin", "more.npy", "more.hdf5"):
            process = self.start(*many, "--output", output, preexec_fn=few_bytes)
            out, error = process.communicate(timeout=60)
            no_hdf5 = process.returncode == 2 and "no HDF5" in error
            self.assertTrue(process.returncode == 4 or no_hdf5, error)
        self.assertEqual([name for name in os.listdir(self.folder) if "more" in name or "proxel-" in name], [])


if __name__ == "__main__":
    unittest.main()
