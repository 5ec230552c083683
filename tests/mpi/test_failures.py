"""A rank that lacks its file, fails or is killed ends all of them, soon and with a message."""

import os
import random
import signal
import time
import unittest

from ranks import MpiTest
from support import random_rows, write_npy

SEED = int(os.environ.get("PROXEL_TEST_SEED", random.SystemRandom().randrange(1 << 30)))
KILLS = 3


class Failures(MpiTest):
    def setUp(self):
        super().setUp()
        self.rows, self.queries = self.path("rows.npy"), self.path("queries.npy")
        write_npy(self.rows, random_rows(50, 3, seed=1))
        write_npy(self.queries, random_rows(9, 3, seed=2))

    def search(self, *arguments):
        return ("search", "--database", self.rows, "--queries", self.queries, *arguments)

    def test_a_file_that_is_missing(self):
        for missing in (0, 2):
            for rank in range(3):
                write_npy(self.path(f"shard-{rank}.npy"), random_rows(5, 3, seed=rank))
            os.remove(self.path(f"shard-{missing}.npy"))
            said = self.refused_on(3, "search", "--database", "shard-{rank}.npy", "--queries", self.queries)
            self.assertRegex(said, rf"error: shard-{missing}.npy: .*" + (rf"\(on rank {missing} of 3\)" if missing else ""))

    def test_rows_of_another_kind(self):
        write_npy(self.path("shard-0.npy"), random_rows(5, 3, seed=1))
        write_npy(self.path("shard-1.npy"), random_rows(5, 4, seed=1))
        said = self.refused_on(2, "search", "--database", "shard-{rank}.npy", "--queries", self.queries)
        self.assertIn("error: dimensions: rank 1 has rows of 4, rank 0 of 3", said)

    def test_a_device_that_is_missing(self):
        self.assertIn("(on rank 1 of 2)", self.refused_on(2, *self.search("--device", "cpu,vulkan:99")))

    def test_an_output_that_cannot_be_written(self):
        self.assertIn("error: --output: the folder 'nowhere' does not exist",
                      self.refused_on(3, *self.search("--output", "nowhere/found")))

    def test_the_exit_code_is_that_of_the_rank_that_failed(self):
        for _ in range(4):
            code, out, said = self.finish(self.start(3, *self.search("--output", "/proc/found")), 30)
            self.assertEqual(code, 4, said + out)

    def test_ranks_that_divide_different_files(self):
        rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
        search = f'exec "$0" search --database rows-{rank}.npy --queries queries.npy --device cpu'
        write_npy(self.path("rows-0.npy"), random_rows(50, 3, seed=1))
        for rows, taken in ((random_rows(50, 3, seed=3), ""), (random_rows(60, 3, seed=1), ""),
                            (random_rows(50, 3, seed=1), f" --rows $((40 + {rank}))")):
            write_npy(self.path("rows-1.npy"), rows)
            code, out, said = self.finish(self.start_in_shell(2, search + taken), 30)
            self.assertEqual(code, 2, said + out)
            self.assertIn("is not what it is on rank 0 (on rank 1 of 2)", said)
        write_npy(self.path("rows-1.npy"), random_rows(50, 3, seed=1))
        code, out, said = self.finish(self.start_in_shell(2, search), 60)
        self.assertEqual(code, 0, said + out)

    @unittest.skipUnless(os.environ["PROXEL_MPI_LATE_END"], "a sanitized module is not loaded by mpirun")
    def test_a_rank_that_has_told_why_and_ends_late(self):
        # Another has ended before it by then, so that mpirun sends it a signal.
        self.environment["LD_PRELOAD"] = os.environ["PROXEL_MPI_LATE_END"]
        self.refused_on(3, *self.search("--output", "nowhere/found"))

    def test_what_several_refuse(self):
        for arguments, said in ((("--device", "cpu,cpu,cpu"), "--device: 3 were given for 2 processes"),
                                (("--scale", "minmax"), "--scale: needs"), (("--trace",), "--trace: shows")):
            with self.subTest(arguments=arguments):
                self.assertIn(said, self.refused_on(2, *self.search(*arguments)))

    def test_errors_are_json_of_one_rank(self):
        code, out, _ = self.finish(self.start(3, "search", "--database", "none.npy", "--queries", self.queries, "--json"), 20)
        self.assertNotEqual(code, 0)
        self.assertEqual(out.count('"error"'), 1, out)

    def ranks_of(self, launcher):
        """Process ids of the program's ranks that run, by /proc."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    environment = file.read()
                if f"PROXEL_TEST_MARK={launcher}\0".encode() not in environment:
                    continue
                if os.readlink(f"/proc/{entry}/exe") == os.path.realpath(self.program):
                    found.append(int(entry))
            except OSError:
                pass
        return found

    def write_long_search(self):
        """What plain loops take tens of seconds for, so that none ends by itself."""
        write_npy(self.rows, random_rows(1000, 32, seed=3) * 40)
        write_npy(self.queries, random_rows(500, 32, seed=4) * 40)

    def wait_for_ranks(self, count, mark, started):
        begin = time.monotonic()
        ranks = []
        while len(ranks) < count and time.monotonic() - begin < 20 and started.poll() is None:
            ranks = self.ranks_of(mark)
        self.assertEqual(len(ranks), count)
        return ranks

    def assert_none_is_left(self, mark, begin):
        """Within the ten seconds that mpirun has: it may be back while a rank that it has ended is still on its way out."""
        while self.ranks_of(mark) and time.monotonic() - begin < 10:
            time.sleep(0.05)
        self.assertEqual(self.ranks_of(mark), [])

    def test_a_rank_that_is_killed_at_any_moment(self):
        print(f"seed {SEED}: repeat with PROXEL_TEST_SEED={SEED}")
        choose = random.Random(SEED)
        self.write_long_search()
        for attempt in range(KILLS):
            mark = f"{os.getpid()}-{attempt}"
            self.environment["PROXEL_TEST_MARK"] = mark
            started = self.start(3, *self.search("-k", 50, "--device", "cpu:reference"))
            ranks = self.wait_for_ranks(3, mark, started)
            after = choose.random() * 1.5
            time.sleep(after)
            victim = choose.choice(ranks)
            with self.subTest(attempt=attempt, after=after, seed=SEED):
                self.assertIsNone(started.poll(), "ended before a rank was killed")
                os.kill(victim, choose.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
                killed = time.monotonic()
                code, out, said = self.finish(started, 70)
                self.assertLess(time.monotonic() - killed, 10)
                self.assertNotEqual(code, 0)
                # MPICH's mpirun tells on stdout.
                self.assertNotEqual((said + out).strip(), "")
                self.assertNotIn("queries against", out)
                self.assert_none_is_left(mark, killed)

    def test_ctrl_c(self):
        self.write_long_search()
        self.environment["PROXEL_TEST_MARK"] = mark = f"{os.getpid()}-interrupted"
        started = self.start(2, *self.search("-k", 50, "--device", "cpu:reference"))
        self.wait_for_ranks(2, mark, started)
        time.sleep(0.7)
        self.assertIsNone(started.poll())
        started.send_signal(signal.SIGINT)
        begin = time.monotonic()
        # The exit code is the launcher's own: MPICH's may be 0.
        _, out, _ = self.finish(started, 60)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertNotIn("queries against", out)
        self.assert_none_is_left(mark, begin)


if __name__ == "__main__":
    unittest.main()
