#!/usr/bin/env python3
"""Times PyTorch on the searches that 'proxel-bench' times, for those who have PyTorch and a GPU.

Prints the columns of 'proxel-bench --csv', so that both can be joined by join_bench.py:

  proxel-bench garcia --csv > proxel.csv
  scripts/peers_torch.py garcia > torch.csv
  scripts/join_bench.py proxel.csv torch.csv

A search is what a user writes: squared norms minus twice the product by addmm, then topk, in as
many pieces as keep the distances within 4 GiB; the norms of the database belong to the search.
Times are between two events on the device; median and minimum after warm-up. TF32 is off. The
neighbours of some queries are compared with float64 on the device; what differs is told on stderr.
"""

import argparse
import statistics
import sys
import time

import torch

GARCIA_ROWS = [256, 1024, 4096, 8192, 16384, 32768, 65536]
GARCIA_DIMENSIONS = [1, 4, 16, 64, 256]
PRACTICAL = [  # rows, queries, dimensions, k
    (1_000_000, 1, 128, 10), (1_000_000, 10, 128, 10), (1_000_000, 100, 128, 100),
    (1_000_000, 10_000, 128, 10), (1_000_000, 10_000, 128, 100), (1_000_000, 10_000, 960, 100),
    (60_000, 10_000, 784, 10), (10_000_000, 1_000, 96, 100), (100_000, 100_000, 3, 16)]
SELECT = ([("select", 8192, columns, k) for columns in (8192, 32768, 65536, 262144)
           for k in (64, 512)] +
          [("select", rows, columns, k) for rows, columns, k in
           [(8, 1 << 20, 16), (8, 1 << 20, 1024), (128, 1 << 20, 256), (256, 1 << 20, 1024),
            (32768, 4096, 32), (16, 1 << 23, 32)]] +
          # Komarov 2013, figures 4, 5, 6 and 8
          [("komarov_fig4", 8192, 1 << power, k) for power in (13, 15, 16, 18)
           for k in (64, 128, 256, 512)] +
          [("komarov_fig5", 1 << power, 65536, k) for power in (10, 11, 12, 13)
           for k in (64, 512)] +
          [("komarov_fig6", 1 << (27 - power), 1 << power, k) for power in (12, 15, 17, 19, 21, 23)
           for k in (2, 32, 512)] +
          [("komarov_fig8", rows, 1 << 20, k) for rows in (8, 16, 32, 64, 128, 256)
           for k in (16, 256, 1024)])  # group, rows, row length, k
SCAN = [(262144, 1, d) for d in (16, 32, 64, 128, 256)] + [
    (1_000_000, 1, 54), (7_500_000, 1, 64), (262144, 1000, 256)]  # rows, queries, dimensions
LARGEST_PIECE = 1 << 30  # distances held at once
CHECKED_QUERIES = 16


class Stopwatch:
    """Repeats work on the device and tells the milliseconds between two events."""

    def __init__(self, seconds):
        self.seconds = seconds

    def median_and_minimum(self, work):
        for _ in range(2):
            work()
        torch.cuda.synchronize()
        times = []
        started = time.monotonic()
        while len(times) < 3 or (len(times) < 200 and time.monotonic() - started < self.seconds):
            before = torch.cuda.Event(enable_timing=True)
            after = torch.cuda.Event(enable_timing=True)
            before.record()
            work()
            after.record()
            after.synchronize()
            times.append(before.elapsed_time(after))
        return statistics.median(times), min(times)


def print_row(group, name, metric, shape, times):
    print(",".join([group, name, metric, *map(str, shape), *(f"{value:.6f}" for value in times)]),
          flush=True)


def nearest(database, queries, k):
    """The k smallest of every query by squared distance, less the query's own norm."""
    norms = database.square().sum(dim=1).unsqueeze(0)
    piece = max(1, min(len(queries), LARGEST_PIECE // len(database)))
    return [torch.addmm(norms, queries[first:first + piece], database.t(), alpha=-2)
            .topk(k, dim=1, largest=False, sorted=True)
            for first in range(0, len(queries), piece)]


def check(label, database, queries, k, found):
    """Compares some queries with float64; float32 expansion may differ, which is told."""
    indices = torch.cat([piece.indices for piece in found])
    wrong = 0
    sample = range(0, len(queries), max(1, len(queries) // CHECKED_QUERIES))
    for query in sample:
        exact = torch.cat([(part.double() - queries[query].double()).square().sum(dim=1)
                           for part in database.split(1 << 18)])
        expected = exact.topk(k, largest=False).values
        got = exact[indices[query]].sort().values
        wrong += int((got > expected).sum())
    if wrong:
        print(f"{label}: {wrong} of {len(sample) * k} neighbours are not the nearest by float64",
              file=sys.stderr)


def knn(group, shape, stopwatch, generator):
    rows, queries, dimensions, k = shape
    database = torch.randn(rows, dimensions, device="cuda", generator=generator)
    asked = torch.randn(queries, dimensions, device="cuda", generator=generator)
    times = stopwatch.median_and_minimum(lambda: nearest(database, asked, k))
    check(f"{group} {shape}", database, asked, k, nearest(database, asked, k))
    print_row(group, "torch_addmm_topk", "l2sq", shape, times)


def garcia(stopwatch, generator, largest):
    for rows in GARCIA_ROWS:
        for dimensions in GARCIA_DIMENSIONS:
            if rows <= largest:
                knn("garcia_table1", (rows, rows, dimensions, 20), stopwatch, generator)


def sift(stopwatch, generator, largest):
    for power in range(7, 17):
        if 1 << power <= largest:
            knn("garcia_sift", (1 << power, 1024, 128, 20), stopwatch, generator)


def practical(stopwatch, generator, largest):
    for shape in PRACTICAL:
        if shape[0] <= largest:
            knn("practical", shape, stopwatch, generator)


def select(stopwatch, generator, largest):
    for group, rows, columns, k in SELECT:
        if columns > largest:
            continue
        values = torch.rand(rows, columns, device="cuda", generator=generator)
        times = stopwatch.median_and_minimum(
            lambda: values.topk(k, dim=1, largest=False, sorted=True))
        print_row(group, "torch_topk", "-", (columns, rows, 0, k), times)


def scan(stopwatch, generator, largest):
    for rows, queries, dimensions in SCAN:
        if rows > largest:
            continue
        database = torch.rand(rows, dimensions, device="cuda", generator=generator)
        asked = torch.rand(queries, dimensions, device="cuda", generator=generator)
        shape = (rows, queries, dimensions, 1)
        group = "bustos_fig3" if queries == 1 else "bustos_batch1000"
        if queries == 1:
            times = stopwatch.median_and_minimum(
                lambda: (database - asked).abs().sum(dim=1).argmin())
            print_row(group, "torch_abs_sum_argmin", "l1", shape, times)
        times = stopwatch.median_and_minimum(
            lambda: torch.cdist(asked, database, p=1).min(dim=1))
        print_row(group, "torch_cdist", "l1", shape, times)


def main():
    suites = {"garcia": garcia, "practical": practical, "sift": sift, "select": select,
              "scan": scan}
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("suite", nargs="+", choices=suites, help="which tables to time")
    parser.add_argument("--seconds", type=float, default=0.3, help="per row (default 0.3)")
    parser.add_argument("--largest-rows", type=int, default=10_000_000, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=2006)
    options = parser.parse_args()
    if not torch.cuda.is_available():
        parser.error("PyTorch finds no GPU")
    torch.backends.cuda.matmul.allow_tf32 = False
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}", file=sys.stderr)
    print("group,name,metric,n,q,d,k,median_ms,min_ms")
    generator = torch.Generator(device="cuda")
    for name in options.suite:
        generator.manual_seed(options.seed)
        suites[name](Stopwatch(options.seconds), generator, options.largest_rows)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
