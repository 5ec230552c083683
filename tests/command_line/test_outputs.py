"""Outputs: nothing is overwritten by mistake, and files are there whole or not at all."""

import hashlib
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import time
import unittest

from images import png, two_colours
from support import PROGRAM, CommandLineTest, random_rows, write_npy

CANNOT_WRITE = 4


class OutputsTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_npy(self.path("base.npy"), random_rows(200, 4, 1))
        write_npy(self.path("query.npy"), random_rows(120, 4, 2))
        with open(self.path("words.txt"), "w") as file:
            file.write("".join(f"{i * 7919}\n" for i in range(3000)))
        self.search = ["search", "--database", "base.npy", "--queries", "query.npy"]
        self.range = ["range", "--database", "base.npy", "--queries", "query.npy", "--radius", "1"]

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def everything(self):
        """Names and contents of the folder."""
        return {name: hashlib.sha256(self.content(name)).hexdigest()
                for name in os.listdir(self.folder) if os.path.isfile(self.path(name))}

    def has_images(self):
        probe = self.run_program("signatures", "build", "nothing", "-o", "nothing.sig")
        return "built without" not in probe.stderr

    def commands(self):
        """Every way to write files: (arguments, the files)."""
        search, words = self.search, ["words", "words.txt", "--query", "7919"]
        ways = [(search + ["--output", "o"], ["o.indices.npy", "o.distances.npy"]),
                (search + ["--output", "o", "--format", "csv"], ["o.indices.csv", "o.distances.csv"]),
                (search + ["--output", "o", "--format", "vecs"], ["o.indices.ivecs", "o.distances.fvecs"]),
                (search + ["--output", "o", "--format", "json"], ["o.json"]),
                (search + ["--output", "o.json", "--format", "json"], ["o.json"]),
                (search + ["--table", "t.csv"], ["t.csv"]),
                (search + ["--table", "t.csv.gz"], ["t.csv.gz"]),
                (search + ["--output", "o", "--table", "t.csv"], ["o.indices.npy", "o.distances.npy", "t.csv"]),
                (self.range + ["--output", "o"], ["o.offsets.npy", "o.indices.npy", "o.distances.npy"]),
                (self.range + ["--table", "t.csv"], ["t.csv"]),
                (["graph", "base.npy", "--output", "g.npz"], ["g.npz"]),
                (["graph", "base.npy", "--output", "g"], ["g.indices.npy", "g.distances.npy"]),
                (["graph", "base.npy", "--table", "t.csv"], ["t.csv"]),
                (["words", "words.txt", "--permutants", "8", "--save", "w.index"], ["w.index"]),
                (words + ["--table", "t.csv", "-k", "400"], ["t.csv"]),
                (["compare", *search[1:], "--device", "cpu", "--repeats", "1", "--report", "r.html"], ["r.html"]),
                (["data", "convert", "base.npy", "c.csv"], ["c.csv"])]
        if self.has_images():
            self.write("a.png", two_colours((250, 10, 10), (20, 20, 20)))
            self.write("b.png", png(300, 300, lambda x, y: (x % 256, y % 256, (x * y) % 256)))
            self.succeed("signatures", "build", "a.png", "b.png", "-o", "photos.sig")
            sheet = ["signatures", "search", "photos.sig", "--image", "a.png"]
            ways += [(["signatures", "build", "a.png", "b.png", "--centroids", "128", "-o", "s.sig"], ["s.sig"]),
                     (sheet + ["--sheet", "s.png"], ["s.png"]), (sheet + ["--sheet", "s.html"], ["s.html"])]
        return ways


class Kept(OutputsTest):
    """What is there stays unless it is the command's own."""

    def refused(self, *arguments):
        before = self.everything()
        error = self.fail_with(2, *arguments)
        self.assertIn("--force", error)
        self.assertEqual(self.everything(), before)
        return error

    def test_an_input_is_never_replaced(self):
        self.refused("words", "words.txt", "--permutants", "8", "--save", "words.txt")
        self.succeed(*self.search, "--output", "me")
        self.refused("search", "--database", "me.indices.npy", "--queries", "me.indices.npy", "--output", "me")
        self.refused("data", "convert", "base.npy", "base.npy")
        self.refused(*self.search, "--table", "base.npy")
        self.succeed("words", "words.txt", "--permutants", "8", "--save", "w.index")
        self.refused("words", "w.index", "--save", "w.index")
        self.succeed("words", "w.index", "--save", "w.index", "--force")

    def test_an_image_is_never_replaced(self):
        if not self.has_images():
            self.skipTest("this build reads no images")
        for name in ("a.png", "b.png", "mine.png"):
            self.write(name, two_colours((250, 10, 10), (len(name), 20, 20)))
        self.refused("signatures", "build", "mine.png", "-o", "mine.png")
        self.refused("signatures", "build", "mine.png", "-o", "a.png", "b.png")
        self.refused("signatures", "build", self.folder, "-o", "a.png")
        self.succeed("signatures", "build", "a.png", "b.png", "-o", "photos.sig")
        self.refused("signatures", "search", "photos.sig", "--image", "a.png", "--sheet", "a.png")
        self.refused("signatures", "search", "photos.sig", "--image", "a.png", "--sheet", "b.png")

    def test_an_input_is_known_by_any_of_its_names(self):
        self.succeed(*self.search, "--output", "me")
        os.link(self.path("me.indices.npy"), self.path("hard.indices.npy"))
        os.symlink("me.indices.npy", self.path("soft.indices.npy"))
        os.mkdir(self.path("folder"))
        for prefix in ("hard", "soft", "folder/../me", os.path.join(self.folder, "me")):
            with self.subTest(prefix=prefix):
                self.refused("search", "--database", "me.indices.npy", "--queries", "me.indices.npy",
                             "--output", prefix)

    def test_two_outputs_are_two_files(self):
        for table in ("o.indices.npy", "./o.distances.npy"):
            error = self.fail_with(2, *self.search, "--output", "o", "--table", table)
            self.assertIn("one file", error)

    def test_a_file_of_another_kind_stays_and_ones_own_is_replaced(self):
        for arguments, files in self.commands():
            own = {}
            for file in files:
                with self.subTest(arguments=arguments, file=file):
                    self.write(file, b"the only copy of a thesis\n" * 50)
                    self.refused(*arguments)
                    self.succeed(*arguments, "--force")
                    self.assertNotIn(b"thesis", self.content(file))
                    own[file] = self.content(file)
                    if arguments[1] == "convert":  # that cannot be told from other data
                        self.refused(*arguments)
                        self.write(file, b"")      # and nothing is lost with an empty file
                    os.utime(self.path(file), (1, 1))
                    self.succeed(*arguments)
                    self.assertGreater(os.path.getmtime(self.path(file)), 1)
            for file in files:
                os.unlink(self.path(file))

    def test_outputs_of_one_kind_are_not_those_of_another(self):
        self.succeed(*self.search, "--output", "o")
        os.rename(self.path("o.indices.npy"), self.path("p.distances.npy"))
        os.rename(self.path("o.distances.npy"), self.path("p.indices.npy"))
        self.refused(*self.search, "--output", "p")
        self.succeed("words", "words.txt", "--permutants", "8", "--save", "w.index")
        self.refused(*self.search, "--table", "w.index")
        self.refused("graph", "base.npy", "--table", "p.indices.npy")


class Names(OutputsTest):
    def test_a_folder_is_no_name(self):
        os.mkdir(self.path("out"))
        before = self.everything()
        for arguments in (self.search + ["--output", "out/"], self.search + ["--output", "."],
                          self.search + ["--output", "out/.."], self.search + ["--table", "out"],
                          self.range + ["--output", "out/"], ["graph", "base.npy", "--output", "out/"],
                          ["data", "convert", "base.npy", "out"], ["words", "words.txt", "--permutants", "3", "--save", "out"]):
            with self.subTest(arguments=arguments):
                self.assertIn("folder", self.fail_with(2, *arguments))
        self.assertEqual(self.everything(), before)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_what_is_no_regular_file_is_refused(self):
        os.mkfifo(self.path("pipe.csv"))
        for path in ("/dev/full", "/dev/null", "pipe.csv"):
            with self.subTest(path=path):
                self.assertIn("regular", self.fail_with(2, *self.search, "--table", path))

    def test_a_missing_folder_is_noticed_first(self):
        for arguments, files in self.commands():
            arguments = ["nowhere/" + word if word in files or word in ("o", "g") else word for word in arguments]
            with self.subTest(arguments=arguments):
                self.assertIn("nowhere", self.fail_with(2, *arguments))

    def test_a_link_stays_a_link_and_a_mode_its_mode(self):
        os.mkdir(self.path("elsewhere"))
        for arguments, files in self.commands():
            with self.subTest(arguments=arguments):
                for file in files:
                    os.symlink(os.path.join("elsewhere", file), self.path(file))
                self.succeed(*arguments)
                for file in files:
                    os.chmod(self.path(file), 0o640)
                self.succeed(*arguments, "--force")
                for file in files:
                    self.assertTrue(os.path.islink(self.path(file)))
                    self.assertEqual(stat.S_IMODE(os.stat(self.path(file)).st_mode), 0o640)
                    os.unlink(self.path(file))
                    os.unlink(self.path(os.path.join("elsewhere", file)))
        self.assertEqual(os.listdir(self.path("elsewhere")), [])


class Refused(OutputsTest):
    """What the system does not let happen."""

    def test_a_full_disk_leaves_what_was_there(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.RLIM_INFINITY))

        for arguments, files in self.commands():
            for old in (None, b""):
                with self.subTest(arguments=arguments, old=old):
                    if old is not None:
                        for file in files:
                            self.write(file, old)
                    before = self.everything()
                    done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment, text=True,
                                          capture_output=True, preexec_fn=small_files, timeout=120)
                    self.assertEqual(done.returncode, CANNOT_WRITE, done.stderr)
                    self.assertRegex(done.stderr, r"^proxel: error: (" + "|".join(files) + "): ")
                    self.assertEqual(self.everything(), before)

    def test_a_disk_that_is_full(self):
        """A file system of 16 KiB, in a namespace of its own."""
        os.mkdir(self.path("small"))
        run = ("mount -t tmpfs -o size=16k none small && {program} {arguments}; code=$?; "
               "ls -A small | sed 's/^/left: /'; exit $code")
        probe = subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none small"], cwd=self.folder,
                               capture_output=True)
        if probe.returncode != 0:
            self.skipTest("no file system can be mounted here: " + probe.stderr.decode())
        for arguments in ("search --database base.npy --queries query.npy --k 50 --output small/o",
                          "range --database base.npy --queries query.npy --radius 2 --output small/o",
                          "search --database base.npy --queries query.npy --k 50 --table small/t.csv",
                          "graph base.npy -k 50 --output small/g.npz",
                          "words words.txt --permutants 8 --save small/w.index"):
            with self.subTest(arguments=arguments):
                done = subprocess.run(["unshare", "-rm", "sh", "-c",
                                       run.format(program=PROGRAM, arguments=arguments)],
                                      cwd=self.folder, env=self.environment, text=True, capture_output=True)
                self.assertEqual(done.returncode, CANNOT_WRITE, done.stderr)
                self.assertIn("No space left on device", done.stderr)
                self.assertNotIn("left:", done.stdout)

    def test_a_read_only_folder_is_noticed_before_the_work(self):
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), 0o555)
        self.addCleanup(os.chmod, self.path("locked"), 0o755)
        os.chmod(self.folder, 0o755)
        # Nothing is closed to the superuser; another user need not reach the folder where the program was built.
        user = {"user": 65534} if os.geteuid() == 0 else {}
        program = shutil.copy(PROGRAM, self.path("program"))
        for arguments in (["search", "--database", "missing.npy", "--queries", "query.npy", "--output", "locked/o"],
                          ["range", "--database", "missing.npy", "--queries", "query.npy", "--radius", "1",
                           "--output", "locked/o"],
                          ["graph", "missing.npy", "--output", "locked/g.npz"],
                          ["words", "missing.txt", "--permutants", "8", "--save", "locked/w"],
                          ["compare", "--database", "missing.npy", "--report", "locked/r.html"],
                          ["data", "convert", "missing.npy", "locked/c.csv"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([program, *arguments], cwd=self.folder, env=self.environment, text=True,
                                      capture_output=True, timeout=120, **user)
                self.assertEqual(done.returncode, CANNOT_WRITE, done.stderr)
                self.assertIn("locked", done.stderr)

    def test_stdout_that_takes_nothing_is_an_error(self):
        for arguments in (["--help"], ["--version"], ["search", "--help"], ["devices"], ["devices", "--json"], self.search,
                          self.search + ["--json"], self.search + ["--table", "-"], self.range, ["graph", "base.npy"],
                          ["words", "words.txt", "--query", "7919"],
                          ["words", "words.txt", "--query", "7919", "--table", "-"], ["data", "info", "base.npy"],
                          ["compare", *self.search[1:], "--device", "cpu", "--repeats", "1"],
                          ["conformance", "--list"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment, text=True,
                                      stdout=full, stderr=subprocess.PIPE, timeout=120)
                self.assertEqual(done.returncode, CANNOT_WRITE, done.stderr)
                self.assertIn("standard output", done.stderr)

    def test_a_closed_stdout_is_not_taken_by_an_output(self):
        self.succeed(*self.search, "--output", "right")
        done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *self.search, "--output", "o"], cwd=self.folder,
                              env=self.environment, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, CANNOT_WRITE, done.stderr)
        for part in ("indices", "distances"):
            self.assertEqual(self.content(f"o.{part}.npy"), self.content(f"right.{part}.npy"))

    def test_stderr_that_takes_nothing_changes_nothing(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "search", "--database", "missing.npy", "--queries", "query.npy"],
                                  cwd=self.folder, env=self.environment, stderr=full, timeout=120)
        self.assertEqual(done.returncode, 2)


class Killed(OutputsTest):
    def test_a_kill_at_any_moment_leaves_old_files_or_new_ones(self):
        seed = int(os.environ.get("PROXEL_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
        print("PROXEL_TEST_SEED =", seed)
        chance = random.Random(seed)
        write_npy(self.path("many.npy"), random_rows(3000, 2, 3))
        parts = ("offsets", "indices", "distances")
        arguments = ["range", "--database", "many.npy", "--queries", "many.npy", "--output", "o", "--radius"]

        def generation():
            return tuple(self.content(f"o.{part}.npy") for part in parts)

        generations, seconds = [], []
        for radius in ("0.06", "0.05"):
            begin = time.monotonic()
            self.succeed(*arguments, radius)
            seconds.append(time.monotonic() - begin)
            generations.append(generation())
        met = set()
        for _ in range(40):
            radius = chance.choice(("0.06", "0.05"))
            kill = chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
            moment = chance.uniform(0, 1.2 * max(seconds))
            process = subprocess.Popen([PROGRAM, *arguments, radius], cwd=self.folder, env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment)
            process.send_signal(kill)
            code = process.wait(timeout=60)
            with self.subTest(kill=kill.name, moment=moment, code=code, seed=seed):
                met.add(code)
                now = generation()
                # Whole each; and together, but for a kill that nobody can answer between two renames.
                for old_or_new in zip(now, *generations):
                    self.assertIn(old_or_new[0], old_or_new[1:])
                if kill != signal.SIGKILL:
                    self.assertIn(now, generations)
                    self.assertIn(code, (0, 128 + kill, -kill))
                    self.assertEqual([n for n in os.listdir(self.folder) if n.startswith(".proxel-")], [])
                if now not in generations:
                    print("killed between two renames")
                    self.succeed(*arguments, radius)
                for name in os.listdir(self.folder):
                    if name.startswith(".proxel-"):
                        os.unlink(self.path(name))


if __name__ == "__main__":
    unittest.main()
