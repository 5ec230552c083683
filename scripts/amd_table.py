#!/usr/bin/env python3
"""The table of docs/amd.md: what AMD's compiler makes of every pass, without AMD's hardware.

RADV's null device compiles for the hardware that RADV_FORCE_FAMILY names. Prints Markdown;
exit code 1 where a pipeline was not compiled.

    scripts/amd_table.py build/bin/proxel [--quick] [--filter TEXT] [--icd FILE]
"""

import argparse
import json
import os
import subprocess
import sys

# Names of the family, old and new Mesa's; architecture; the sizes of subgroup that it compiles for.
HARDWARE = [(["vega10"], "gfx900", [64]), (["navi21"], "gfx1030", [32, 64]),
            (["navi31", "gfx1100"], "gfx1100", [32, 64]), (["gfx1201"], "gfx1201", [32, 64])]


def compile_all(program, icd, family, size, arguments):
    """The report of the harness; None where this Mesa does not know the family, and ends the program."""
    environment = dict(os.environ, RADV_FORCE_FAMILY=family, VK_DRIVER_FILES=icd, VK_ICD_FILENAMES=icd)
    environment.pop("VK_ADD_DRIVER_FILES", None)
    result = subprocess.run([program, "conformance", "--compile-only", "--json", "--device", "vulkan:0",
                             "--subgroup-size", str(size), *arguments],
                            env=environment, text=True, stdout=subprocess.PIPE)
    if result.returncode < 0:
        return None
    report = json.loads(result.stdout)
    if "error" in report:
        sys.exit(f"{family}, subgroups of {size}: {report['error']['message']}")
    return report


def worst_by_pass(pipelines):
    """Of each pass's pipelines the most registers, spills and shared memory, the fewest waves."""
    worst = {}
    for one in pipelines:
        told = one["statistics"]
        mine = worst.setdefault(one["pass"], {"vgprs": 0, "spills": 0, "shared": 0, "waves": 99})
        mine["vgprs"] = max(mine["vgprs"], told["VGPRs"])
        mine["spills"] = max(mine["spills"], told["Spilled VGPRs"] + told["Spilled SGPRs"])
        mine["shared"] = max(mine["shared"], told["LDS size"])
        mine["waves"] = min(mine["waves"], told["Subgroups per SIMD"])
    return worst


def cell(worst):
    if worst is None:
        return "–"
    text = f"{worst['vgprs']:.0f} · {worst['waves']:.0f}"
    return f"**{text} · {worst['spills']:.0f} spilled**" if worst["spills"] else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--icd", default="/usr/share/vulkan/icd.d/radeon_icd.x86_64.json")
    options = parser.parse_args()
    arguments = ["--quick"] * options.quick + (["--filter", options.filter] if options.filter else [])
    columns, failed = [], 0
    for families, architecture, sizes in HARDWARE:
        for size in sizes:
            reports = (compile_all(options.program, options.icd, family, size, arguments)
                       for family in families)
            report = next(filter(None, reports), None)
            if report is None:
                print(f"this driver does not know {architecture}", file=sys.stderr)
                break
            failed += report["totals"]["failed"]
            driver = report["devices"][0]["driver"]
            columns.append((f"{architecture}, {size}", worst_by_pass(report["pipelines"]),
                            len(report["pipelines"]), driver))
    if not columns:
        sys.exit("no hardware that this driver knows")
    print(f"{columns[0][3]}; pipelines compiled: " +
          ", ".join(f"{count} ({name})" for name, _, count, _ in columns) + f"; failed: {failed}\n")
    print("| pass | LDS, bytes | " + " | ".join(name for name, *_ in columns) + " |")
    print("| --- | --- |" + " --- |" * len(columns))
    for name in sorted(set().union(*(worst for _, worst, *_ in columns))):
        shared = max(worst[name]["shared"] for _, worst, *_ in columns if name in worst)
        print(f"| {name} | {shared:.0f} | " +
              " | ".join(cell(worst.get(name)) for _, worst, *_ in columns) + " |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
