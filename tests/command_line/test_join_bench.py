"""scripts/join_bench.py: proxel's CSV and a peer's become one table."""

import os
import subprocess
import sys
import unittest

from support import BENCH, CommandLineTest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts",
                      "join_bench.py")
HEADINGS = "group,name,metric,n,q,d,k,median_ms,min_ms\n"


class JoinBench(CommandLineTest):
    program = BENCH

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def join(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], cwd=self.folder,
                              text=True, capture_output=True)

    def test_ratios_are_to_the_fastest_of_the_others(self):
        self.write("proxel.csv", HEADINGS + "ceiling,read_TBps,-,0,0,0,0,4.3,0\n"
                   "garcia_table1,proxel_scan_cuda:0,l2sq,65536,65536,4,20,2.0,1.9\n"
                   "garcia_table1,proxel_scan_cuda:0,l2sq,256,256,4,20,0.05,0.04\n")
        self.write("torch.csv", HEADINGS + "garcia_table1,torch,l2sq,65536,65536,4,20,70.5,70\n")
        self.write("faiss.csv", HEADINGS + "garcia_table1,faiss,l2,65536,65536,4,20,23,22\n")
        lines = self.join("proxel.csv", "torch.csv", "faiss.csv").stdout.splitlines()
        self.assertEqual(lines[0], "### garcia_table1")
        self.assertEqual(lines[1], "| n | q | d | k | proxel_scan_cuda:0, ms | torch, ms | "
                                   "faiss, ms | ratio, proxel_scan_cuda:0 |")
        self.assertEqual(lines[3], "| 65,536 | 65,536 | 4 | 20 | 2 | 70.5 | 23 | 11.50 |")
        self.assertEqual(lines[4], "| 256 | 256 | 4 | 20 | 0.05 | – | – | – |")
        self.assertEqual(len([line for line in lines if line.startswith("###")]), 1)

    def test_joins_what_the_program_prints(self):
        out = self.succeed("practical", "--quick", "--device", "cpu", "--dimensions", "3,96,128", "--csv").stdout
        self.write("proxel.csv", out)
        result = self.join("proxel.csv", "--group", "practical")
        self.assertEqual(result.returncode, 0, result.stderr)
        # A heading, two lines of column names and a line for each of the seven cases.
        self.assertEqual(len(result.stdout.strip().splitlines()), 3 + 7)

    def test_bad_files_are_named(self):
        self.write("twice.csv", HEADINGS + 2 * "select,a,-,8,8,0,2,1.0,1.0\n")
        self.write("other.csv", "a,b\n1,2\n")
        self.write("text.csv", HEADINGS + "select,a,-,8,8,0,2,fast,1.0\n")
        for file, reason in (("twice.csv", "line 3: a was measured before"),
                             ("other.csv", "the first line must be"),
                             ("text.csv", "line 2: not a row of numbers"), ("none.csv", "none.csv")):
            with self.subTest(file=file):
                result = self.join(file)
                self.assertEqual(result.returncode, 1)
                self.assertIn(reason, result.stderr)
                self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
