#!/usr/bin/env bash
# Tries proxel on the Vulkan drivers of several releases of Debian and prints one table: llvmpipe of Mesa 22.3 (bookworm),
# 25 (trixie) and of the newest (sid), with vectors of 128, 256 and 512 bits, which make subgroups of 4, 8 and 16,
# and SwiftShader; each with the validation layer of its release, where one message ends the part, and without.
#   scripts/test_drivers.sh [OPTION]…
#   --quick            the cases that drivers have broken, on trixie with the layer and on sid without; some minutes
#   --driver NAME      bookworm, trixie, sid or swiftshader; may be repeated, as all below (default: all)
#   --vectors BITS     128, 256 or 512
#   --layer WHETHER    with or without
#   --part NAME        passes, searches and others of "proxel conformance --quick", embedding, interop, engine or demo
#   --filter PATTERN   only these cases of conformance, as "proxel conformance --filter" takes it, and no other part
#   --build FOLDER     a build with tests that is there already (default: builds build-test, as scripts/test.sh does)
#   --refresh          makes the cached systems anew; sid moves on
#   --list             names what would be run
#   --help
# Drivers come from packages, in systems made by debootstrap, which needs root or sudo. They are kept in
# ~/.cache/proxel/systems, or in PROXEL_DRIVER_CACHE. The programs are those of this machine, which run on releases that are
# not older. Everything is run, whatever fails. Exit code: 0 nothing failed, 1 something did, 2 wrong usage.
# Ends with "N passed, N failed, N skipped"; what is skipped is named with its reason.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"
. "$root/scripts/debian/systems.sh"
. "$root/scripts/drivers/find_driver.sh"
. "$root/scripts/drivers/table.sh"

all_drivers=(bookworm trixie sid swiftshader)
all_vectors=(128 256 512)
all_layers=(with without)
all_parts=(passes searches others embedding interop engine demo)
drivers=() vectors=() layers=() parts=() filter= build= quick= refresh= list=
# What failed on drivers of 2025 and 2026, and is quick.
broken_before='strings/*|search/scan/*|search/komarov/*|signatures/*|pass/quick*|range/*'

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
wrong() { echo "test_drivers.sh: $*; see --help" >&2; exit 2; }

# one_of OPTION VALUE ALLOWED…: the value, where it is allowed.
one_of() {
  local option=$1 value=$2
  shift 2
  [[ " $* " == *" $value "* ]] || wrong "$option $value was given; allowed are: $*"
}

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --driver | --vectors | --layer | --part | --filter | --build) [ $# -gt 1 ] || wrong "$1 needs a value" ;;
    esac
    case $1 in
      --driver) one_of "$1" "$2" "${all_drivers[@]}"; drivers+=("$2"); shift ;;
      --vectors) one_of "$1" "$2" "${all_vectors[@]}"; vectors+=("$2"); shift ;;
      --layer) one_of "$1" "$2" "${all_layers[@]}"; layers+=("$2"); shift ;;
      --part) one_of "$1" "$2" "${all_parts[@]}"; parts+=("$2"); shift ;;
      --filter) filter=$2; shift ;;
      --build) build=$(cd "$2" && pwd) || wrong "there is no folder $2"; shift ;;
      --quick) quick=1 ;;
      --refresh) refresh=1 ;;
      --list) list=1 ;;
      --help) usage; exit 0 ;;
      *) wrong "$1 was given" ;;
    esac
    shift
  done
  [ -z "$filter" ] || parts=(cases)
  [ ${#vectors[@]} -gt 0 ] || vectors=("${all_vectors[@]}")
  [ ${#layers[@]} -gt 0 ] || layers=("${all_layers[@]}")
  [ ${#parts[@]} -gt 0 ] || parts=("${all_parts[@]}")
  if [ ${#drivers[@]} -eq 0 ]; then
    drivers=("${all_drivers[@]}")
    [ -z "$quick" ] || drivers=(trixie sid)
  fi
}

# A line for each cell of the table: driver, vectors, layer, part.
jobs_of_all() {
  local driver bits layer part
  for part in devices "${parts[@]}"; do
    for driver in "${drivers[@]}"; do
      for bits in "${vectors[@]}"; do
        [ "$driver" != swiftshader ] || bits=-
        for layer in "${layers[@]}"; do echo "$driver $bits $layer $part"; done
        [ "$driver" != swiftshader ] || break
      done
    done
  done
}

jobs_of_quick() {
  local driver part
  for driver in "${drivers[@]}"; do
    case $driver in
      sid) for part in devices cases embedding; do echo "$driver 256 without $part"; done ;;
      *) for part in devices cases embedding interop; do echo "$driver 256 with $part"; done ;;
    esac
  done
}

read_options "$@"
if [ -n "$quick" ]; then
  jobs=$(jobs_of_quick)
  filter=${filter:-$broken_before}
else
  jobs=$(jobs_of_all)
fi
if [ -n "$list" ]; then echo "$jobs"; exit 0; fi

if [ -z "$build" ]; then
  optional_packages+=(debootstrap)
  install_packages
  build_tests
fi
work="$build/drivers"
rm -rf "$work"
mkdir -p "$work/logs" "$work/home"
for driver in "${drivers[@]}"; do
  if [ -n "$refresh" ]; then forget_system "$driver"; fi
  find_driver "$driver"
done
export work build filter
# As many at a time as there are processors: drivers compile shaders in one thread.
xargs -P "$(nproc)" -L 1 "$root/scripts/drivers/run_job.sh" <<< "$jobs"
print_table
print_failures
print_count
