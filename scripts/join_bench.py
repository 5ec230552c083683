#!/usr/bin/env python3
"""Joins files of 'proxel-bench --csv' and of its peers' into one table in Markdown.

  scripts/join_bench.py proxel.csv torch.csv [more.csv ...] > table.md

One line per group and shape, one column per name, in the order in which the files bring them;
milliseconds, medians. Ratios say how many times as long the fastest of the others took as each
of proxel's, so above 1 proxel is faster. Rows of one name only are kept; nothing is dropped in
silence: a shape that is measured twice under one name is an error.
"""

import argparse
import csv
import sys

COLUMNS = ["group", "name", "metric", "n", "q", "d", "k", "median_ms", "min_ms"]
SHAPE = ["n", "q", "d", "k"]


class BadInput(Exception):
    pass


def read(paths):
    """{(group, shape): {name: milliseconds}}, in the order of the files."""
    table = {}
    for path in paths:
        with open(path, newline="") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames is None or reader.fieldnames[:len(COLUMNS)] != COLUMNS:
                raise BadInput(f"{path}: the first line must be {','.join(COLUMNS)}")
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                try:
                    key = (row["group"], tuple(int(row[column]) for column in SHAPE))
                    milliseconds = float(row["median_ms"])
                except (TypeError, ValueError):
                    raise BadInput(f"{where}: not a row of numbers") from None
                names = table.setdefault(key, {})
                if row["name"] in names:
                    raise BadInput(f"{where}: {row['name']} was measured before for this shape")
                names[row["name"]] = milliseconds
    return table


def significant(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def markdown(group, rows):
    """Lines of the table of one group. @param rows  [(shape, {name: milliseconds})]"""
    names = list(dict.fromkeys(name for _, times in rows for name in times))
    ours = [name for name in names if name.startswith("proxel_")]
    others = [name for name in names if name not in ours]
    ratios = ours if others else []
    yield f"### {group}"
    yield line(SHAPE + [f"{name}, ms" for name in names] + [f"ratio, {name}" for name in ratios])
    yield line(["---:"] * (len(SHAPE) + len(names) + len(ratios)))
    for shape, times in rows:
        cells = [f"{number:,}" for number in shape]
        cells += [significant(times[name]) if name in times else "–" for name in names]
        fastest = min((times[name] for name in others if name in times), default=None)
        for name in ratios:
            known = fastest is not None and times.get(name, 0) > 0
            cells.append(f"{fastest / times[name]:.2f}" if known else "–")
        yield line(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE.csv")
    parser.add_argument("--group", action="append", help="only this group; may be repeated")
    options = parser.parse_args()
    try:
        table = read(options.files)
    except (BadInput, OSError) as error:
        sys.exit(f"join_bench: {error}")
    # Ceilings are rates, not times.
    groups = dict.fromkeys(group for group, _ in table if group != "ceiling")
    chosen = [group for group in groups if not options.group or group in options.group]
    if not chosen:
        sys.exit(f"join_bench: no such group; there are {', '.join(groups) or 'none'}")
    for group in chosen:
        rows = [(shape, times) for (of, shape), times in table.items() if of == group]
        print("\n".join(markdown(group, rows)), end="\n\n")


if __name__ == "__main__":
    main()
