"""Colours, progress bars and Ctrl-C: what differs between a terminal and a pipe."""

import os
import pty
import signal
import subprocess
import time
import unittest

from support import CommandLineTest, PROGRAM, random_rows, write_npy

ESCAPE = "\033"


class Terminal(CommandLineTest):
    def on_terminal(self, *arguments, **environment):
        """What a terminal would show of both streams."""
        master, slave = pty.openpty()
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=slave,
                                   stderr=slave, stdin=slave,
                                   env=dict(self.environment, TERM="xterm", **environment))
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(master)
        process.wait(timeout=120)
        return shown.decode()

    def slow(self):
        # Several seconds of repeated searches.
        write_npy(self.path("base.npy"), random_rows(3000, 16, 1))
        return ["compare", "--database", "base.npy", "--queries", "base.npy", "--device", "cpu",
                "--method", "scan", "--repeats", "10000", "--time-limit"]

    def test_colours_are_for_terminals_that_want_them(self):
        self.environment.pop("NO_COLOR", None)
        self.assertIn(ESCAPE, self.on_terminal("devices"))
        self.assertNotIn(ESCAPE, self.on_terminal("devices", NO_COLOR="1"))
        self.assertNotIn(ESCAPE, self.succeed("devices").stdout)

    def test_a_progress_bar_appears_on_a_terminal_and_is_cleared(self):
        shown = self.on_terminal(*self.slow(), "2", NO_COLOR="1")
        self.assertRegex(shown, r"\[[#.]{30}\]")
        self.assertNotRegex(shown.splitlines()[-1], r"\[[#.]{30}\]")

    def first_bar(self, *arguments):
        """After how many seconds a terminal shows what is being done, and what it shows."""
        master, slave = pty.openpty()
        begin = time.monotonic()
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=slave, stderr=slave, stdin=slave,
                                   env=dict(self.environment, TERM="xterm"))
        os.close(slave)
        shown = os.read(master, 65536).decode()
        took = time.monotonic() - begin
        process.kill()
        process.wait(timeout=60)
        os.close(master)
        return took, shown

    def test_the_bar_is_there_within_the_first_second(self):
        os.mkfifo(self.path("pipe"))  # reading it takes for ever
        write_npy(self.path("base.npy"), random_rows(60000, 16, 1))
        for arguments, title in ((["words", "pipe", "--query", "word"], "reading pipe"),
                                 (["graph", "base.npy", "-k", "10"], "searching")):
            with self.subTest(arguments=arguments):
                took, shown = self.first_bar(*arguments)
                self.assertLess(took, 1)
                self.assertRegex(shown, r"\[[#.]{30}\]")
                self.assertIn(title, shown)
        _, shown = self.first_bar(*self.slow(), "1", "--no-progress")
        self.assertNotRegex(shown, r"\[[#.]{30}\]")

    def test_progress_that_is_asked_for_is_told_in_lines_where_there_is_no_terminal(self):
        result = self.succeed(*self.slow(), "2", "--progress")
        self.assertNotIn(ESCAPE, result.stderr)
        self.assertRegex(result.stderr, r"(?m)^cpu scan: searching")
        self.assertIn("excludes", self.fail_with(2, *self.slow(), "2", "--progress", "--no-progress"))

    def test_no_progress_bar_without_a_terminal(self):
        result = self.succeed(*self.slow(), "2")
        self.assertEqual(result.stderr, "")
        self.assertNotIn("[#", result.stdout)

    def test_ctrl_c_leaves_no_files(self):
        arguments = self.slow() + ["100", "--report", "report.html"]
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", error)
        self.assertEqual(set(os.listdir(self.folder)) - {"cache"}, {"base.npy"})


if __name__ == "__main__":
    unittest.main()
