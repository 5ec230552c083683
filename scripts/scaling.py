#!/usr/bin/env python3
"""What a search by several ranks takes: the model of docs/scaling.md, fitted to what was measured, and held against a
simulation of the trees in which every message is delayed.

    scripts/scaling.py                          prints the tables of the page
    scripts/scaling.py --check docs/scaling.md  fails where the page has other ones
"""
import argparse
import heapq
import math
import random
import sys

# Measured: docs/lab/several-devices.md, device time of CUDA on one and two H200s, milliseconds.
GPUS = (("1,000,000 × 128, 10,000 queries", 1e6, 128, 1e4, 6.72, 4.07), ("10,000,000 × 96, 1,000 queries", 1e7, 96, 1e3, 5.73, 2.90))
# Measured: mpirun -n N proxel_mpi_measure on two processors; ranks, queries of 41 MB down, answers of 8 MB up, milliseconds.
RANKS = ((1, 33.9, 7.4), (2, 188.4, 95.2), (3, 199.1, 80.8), (4, 217.6, 60.0), (5, 435.1, 93.7), (6, 321.9, 129.2),
         (7, 349.6, 88.8), (8, 403.3, 138.9))
MERGE = 8.42e-3 / 1e6  # seconds for a neighbour, least of that program
DOWN_BYTES, UP_BYTES = 10000 * 1024 * 4, 10000 * 100 * 8
# Assumed: a network of 100 Gbit/s.
LATENCY, BANDWIDTH = 5e-6, 12.5e9
# Assumed: devices of 130 GB for rows; what does not fit passes through them from the host at every batch.
DEVICE_BYTES, STREAMING = 130e9, 50e9

QUERIES, K, DIMENSIONS = 10000, 100, 128


def levels(ranks):
    return math.ceil(math.log2(ranks)) if ranks > 1 else 0


def line_through(points):
    """(at 0, slope) by least squares."""
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    sxx, sxy = sum(x * x for x, _ in points), sum(x * y for x, y in points)
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return (sy - slope * sx) / n, slope


def compute_fit():
    """[(what, milliseconds that stay, seconds for a row, query and dimension)]"""
    fits = []
    for what, rows, dimensions, queries, one, two in GPUS:
        stays, divided = line_through([(1, one), (0.5, two)])
        fits.append((what, stays, divided * 1e-3 / (rows * dimensions * queries)))
    return fits


COMPUTE, STAYS = compute_fit()[0][2], compute_fit()[0][1] * 1e-3


def parts_of(rows, ranks, number_bytes=8):
    """Seconds of comparing, of queries down, of answers up with merging, and of all."""
    comparing = STAYS + COMPUTE * rows * DIMENSIONS * QUERIES / ranks
    if rows / ranks * DIMENSIONS * 4 > DEVICE_BYTES:
        comparing = max(comparing, rows / ranks * DIMENSIONS * 4 / STREAMING)
    down = levels(ranks) * (LATENCY + QUERIES * DIMENSIONS * 4 / BANDWIDTH)
    up = levels(ranks) * (LATENCY + QUERIES * K * number_bytes / BANDWIDTH + QUERIES * K * MERGE)
    told = levels(ranks) * LATENCY
    return comparing, down, up, comparing + down + up + told


def simulate(rows, ranks, seed, number_bytes=8):
    """The same by the trees as they are: every rank's comparing takes up to some percent longer or shorter, and every
    message is late by an exponential time about its latency."""
    generator = random.Random(seed)
    late = lambda size: LATENCY * generator.expovariate(1) + size / BANDWIDTH

    def send_down(starts, size):
        """When each rank has it; a rank sends to one child after the other."""
        has = {0: starts}
        waiting = [(starts, 0)]
        while waiting:
            now, rank = heapq.heappop(waiting)
            step = 1
            while step < ranks and not rank & step:
                step *= 2
            step //= 2
            while step:
                if rank + step < ranks:
                    now += late(size)
                    has[rank + step] = now
                    heapq.heappush(waiting, (now, rank + step))
                step //= 2
        return has

    asked = send_down(0.0, QUERIES * DIMENSIONS * 4)
    comparing = parts_of(rows, ranks)[0]
    ready = [asked[rank] + comparing * max(0.5, generator.gauss(1, 0.02)) for rank in range(ranks)]
    for level in range(levels(ranks)):
        step = 1 << level
        for rank in range(0, ranks - step, 2 * step):
            arrives = max(ready[rank], ready[rank + step]) + late(QUERIES * K * number_bytes)
            ready[rank] = arrives + QUERIES * K * MERGE
    return max(send_down(ready[0], 64).values())


def seconds(value):
    return f"{value * 1e3:,.1f} ms" if value < 1 else f"{value:,.2f} s"


def lines():
    yield "| two H200s, fitted | stays, ms | divides, ps for 1,000 (row · query · dimension) |"
    yield "| --- | ---: | ---: |"
    for what, stays, rate in compute_fit():
        yield f"| {what} | {stays:.2f} | {rate * 1e15:.2f} |"
    yield "| ranks, measured and (fitted), ms | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, column in (("queries of 41 MB down", 1), ("answers of 8 MB up", 2)):
        at_0, slope = line_through([(levels(row[0]), row[column]) for row in RANKS])
        cells = " | ".join(f"{row[column]:.0f} ({at_0 + slope * levels(row[0]):.0f})" for row in RANKS)
        yield f"| {name}: {at_0:.0f} + {slope:.0f} a level | {cells} |"
    for rows, name, width in ((1e9, "10⁹ rows", 8), (1e11, "10¹¹ rows", 12)):
        yield f"| {name}, devices | rows of each, GB | comparing | queries down | answers up | all | simulated | efficiency |"
        yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for ranks in (8, 32, 64, 128, 256, 1000):
            comparing, down, up, all_ = parts_of(rows, ranks, width)
            runs = sorted(simulate(rows, ranks, seed, width) for seed in range(11))
            gigabytes = rows / ranks * DIMENSIONS * 4 / 1e9
            fits = "" if gigabytes * 1e9 <= DEVICE_BYTES else " (streamed)"
            efficiency = (COMPUTE * rows * DIMENSIONS * QUERIES / ranks) / all_
            yield (f"| {ranks} | {gigabytes:,.1f}{fits} | {seconds(comparing)} | {seconds(down)} | {seconds(up)} | "
                   f"{seconds(all_)} | {seconds(runs[5])} | {efficiency:.0%} |")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", metavar="PAGE", help="a page that has to have every line")
    page = options.parse_args().check
    if not page:
        print("\n".join(lines()))
        return 0
    with open(page, encoding="utf-8") as file:
        there = set(file.read().splitlines())
    missing = [line for line in lines() if line not in there]
    for line in missing:
        print(f"{page} lacks: {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
