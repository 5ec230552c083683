#!/usr/bin/env bash
# Sets up, builds, and compares every backend of this machine: every kind of search
# over made data, and then on real data:
# held-out rows of the Forest CoverType data are classified by their nearest
# neighbours, on each device and by each method; the answers must agree to the bit.
# Writes proxel-report.html beside where it is called.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

install_packages
build="$root/build"
configure_and_build "$build" -DPROXEL_TESTS=OFF -- proxel_tool
proxel="$build/bin/proxel"

"$proxel" devices
"$proxel" compare
"$proxel" compare --database "$root/apps/data/covtype_20k.csv.gz" --labels last --hold-out 1000 \
  --seed 1 --metric l1 --k 5 --report proxel-report.html

echo
echo "proxel is $proxel; 'cmake --build $build' makes the rest: proxel-bench, proxel-demo, proxel-engine, the library"
