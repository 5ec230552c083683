#!/usr/bin/env python3
"""Times the Levenshtein distances of NMSLIB and of proxel's CPU backend, both on one thread.

  scripts/peers_nmslib.py ~/nmslib build/bin/proxel --words WORDS --queries QUERIES

The first is a checkout of NMSLIB's source, of which what its Levenshtein space and its sequential
search consist of is compiled, with its own flags. Both look for the nearest strings of all; a run
of one is followed by a run of the other. Per comparison of two strings: the
least time of both, and the median of the ratios of neighbouring runs. The distances that both
find must sum to the same. Beside the words: random nucleotides and random letters, as long as
their columns say.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SOURCES = ["knnquery", "logging", "query", "rangequery", "space", "utils", "method/seqsearch"]
FLAGS = ["-Ofast", "-march=native", "-DNDEBUG", "-std=c++11", "-DHAVE_CXX0X", "-pthread", "-w"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def build(checkout, folder, name, sources, flags=()):
    """The driver of that name, beside what it needs of NMSLIB."""
    library = checkout / "similarity_search"
    driver = folder / name
    subprocess.run(
        [os.environ.get("CXX", "c++"), *FLAGS, *flags, "-I", library / "include", "-o", driver,
         pathlib.Path(__file__).with_name(f"{name}.cc"),
         *(library / "src" / f"{source}.cc" for source in SOURCES + sources)], check=True)
    return driver


def nmslib(driver, words, queries, k):
    printed = subprocess.run([driver, words, queries, str(k)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.split()
    return float(printed[0]), int(printed[1])


def proxel(program, words, queries, k):
    answer = json.loads(subprocess.run(
        [program, "words", words, "--queries-from", queries, "-k", str(k), "--bytes", "--json"],
        check=True, text=True, stdout=subprocess.PIPE,
        env={**os.environ, "PROXEL_CPU_THREADS": "1"}).stdout)
    found = (near["distance"] for query in answer["answers"] for near in query["nearest"])
    return answer["compute_ms"], int(sum(found))


def compared(theirs, ours, pairs):
    """The last columns of a row: the least time of each, in ns a pair, and the ratio."""
    least = [min(runs)[0] * 1e6 / pairs for runs in (theirs, ours)]
    ratio = statistics.median(a[0] / b[0] for a, b in zip(theirs, ours))
    return f"{least[0]:.4g} | {least[1]:.4g} | {ratio:.3g} |"


def write(folder, name, lines):
    path = folder / name
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def drawn(generator, symbols, length, count):
    return ["".join(generator.choices(symbols, k=length)).encode() for _ in range(count)]


def shapes(options, folder):
    """Name, strings, queries: of the words, and of random strings."""
    generator = random.Random(options.seed)
    if options.words:
        # NMSLIB has no empty strings.
        lines = [[line for line in path.read_bytes().split(b"\n") if line]
                 for path in (options.words, options.queries)]
        yield "words", lines[0], lines[1][:options.most_queries]
    yield ("100 nucleotides", drawn(generator, "ACGT", 100, 20_000), drawn(generator, "ACGT", 100, 16))
    yield ("300 letters", drawn(generator, LETTERS, 300, 5_000), drawn(generator, LETTERS, 300, 8))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("nmslib", type=pathlib.Path, help="a checkout of NMSLIB's source")
    parser.add_argument("proxel", type=pathlib.Path, help="the program")
    parser.add_argument("--words", type=pathlib.Path, help="a file, a word per line")
    parser.add_argument("--queries", type=pathlib.Path, help="a file of words to look for")
    parser.add_argument("--most-queries", type=int, default=1_000, metavar="COUNT")
    parser.add_argument("-k", type=int, default=4)
    parser.add_argument("--runs", type=int, default=7, help="of each (default 7)")
    parser.add_argument("--seed", type=int, default=2013)
    options = parser.parse_args()
    if bool(options.words) != bool(options.queries):
        parser.error("--words and --queries go together")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        driver = build(options.nmslib, folder, "peers_nmslib", ["distcomp_edist", "space/space_string"])
        print(f"seed {options.seed}, k = {options.k}, {options.runs} runs of each", file=sys.stderr)
        print("| strings | count | queries | NMSLIB, ns a pair | proxel, ns a pair | times as fast |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for shape, strings, asked in shapes(options, folder):
            files = write(folder, "strings", strings), write(folder, "queries", asked)
            theirs, ours = [], []
            for _ in range(options.runs):
                theirs.append(nmslib(driver, *files, options.k))
                ours.append(proxel(options.proxel, *files, options.k))
            sums = {found for _, found in theirs + ours}
            if len(sums) != 1:
                sys.exit(f"{shape}: the distances found sum to {sorted(sums)}")
            print(f"| {shape} | {len(strings):,} | {len(asked):,} "
                  f"| {compared(theirs, ours, len(strings) * len(asked))}", flush=True)


if __name__ == "__main__":
    main()
