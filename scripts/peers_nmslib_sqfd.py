#!/usr/bin/env python3
"""Times the signature quadratic form distances of NMSLIB and of proxel's CPU backend, both on one thread.

  scripts/peers_nmslib_sqfd.py ~/nmslib build/bin/proxel SIGNATURES.txt

The first is a checkout of NMSLIB's source, of which what its SQFD space (with Eigen, libeigen3-dev) and
its sequential search consist of is compiled, with its own flags. The last is signatures in NMSLIB's text.
The first of them are looked for among all of them, by the gaussian similarity; a run of one is
followed by a run of the other. Per pair of signatures: the least time of both, and the median of the
ratios of neighbouring runs, of screened searches and of all distances canonical. The distances
that both find must sum to the same, but for NMSLIB's rounding.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from peers_nmslib import build, compared


def nmslib(driver, signatures, queries, k, alpha):
    printed = subprocess.run([driver, signatures, str(queries), str(k), str(alpha)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.split()
    return float(printed[0]), float(printed[1])


def proxel(program, signatures, queries, k, alpha, method):
    asked = [argument for i in range(queries) for argument in ("--query", str(i))]
    answer = json.loads(subprocess.run(
        [program, "signatures", "search", signatures, *asked, "-k", str(k), "--alpha", str(alpha),
         "--method", method, "--json"],
        check=True, text=True, stdout=subprocess.PIPE, env={**os.environ, "PROXEL_CPU_THREADS": "1"}).stdout)
    found = (near["distance"] for query in answer["answers"] for near in query["nearest"])
    return answer["times"]["compute_ms"], sum(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("nmslib", type=pathlib.Path, help="a checkout of NMSLIB's source")
    parser.add_argument("proxel", type=pathlib.Path, help="the program")
    parser.add_argument("signatures", type=pathlib.Path, help="signatures in NMSLIB's text, not compressed")
    parser.add_argument("--eigen", default="/usr/include/eigen3", help="Eigen's headers (default %(default)s)")
    parser.add_argument("--queries", type=int, default=20, metavar="COUNT")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--runs", type=int, default=7, help="of each (default 7)")
    options = parser.parse_args()
    count = options.signatures.read_text().count("\n\n") - 1
    with tempfile.TemporaryDirectory() as name:
        driver = build(options.nmslib, pathlib.Path(name), "peers_nmslib_sqfd",
                       ["distcomp_lp", "space/space_sqfd"], ["-isystem", options.eigen])
        print(f"{count:,} signatures, {options.queries} queries, k = {options.k}, {options.runs} runs of each",
              file=sys.stderr)
        print("| alpha | method | NMSLIB, ns a pair | proxel, ns a pair | times as fast |")
        print("| ---: | --- | ---: | ---: | ---: |")
        for alpha in (3, 0.2, 0.01):
            for method in ("screened", "canonical"):
                theirs, ours = [], []
                for _ in range(options.runs):
                    theirs.append(nmslib(driver, options.signatures, options.queries, options.k, alpha))
                    ours.append(proxel(options.proxel, options.signatures, options.queries, options.k, alpha, method))
                sums = theirs[0][1], ours[0][1]
                if abs(sums[0] - sums[1]) > 1e-3 * sums[1]:
                    sys.exit(f"alpha {alpha}: the distances found sum to {sums}")
                print(f"| {alpha} | {method} | {compared(theirs, ours, count * options.queries)}", flush=True)


if __name__ == "__main__":
    main()
