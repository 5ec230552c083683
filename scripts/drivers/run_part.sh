#!/usr/bin/env bash
# One part of the tests, on the one Vulkan driver that the environment names, wherever that is installed.
#   scripts/drivers/run_part.sh ROOT BUILD PART [FILTER]
set -euo pipefail
root=$1 build=$2 part=$3 filter=${4:-}
export PYTHONPATH="$root/tests/demo" PROXEL_DEMO="$build/bin/proxel-demo" PROXEL_ENGINE="$build/bin/proxel-engine" \
  PROXEL_LOOK="$build/tests/demo/demo_look" PROXEL_DATA="$root/apps/data" PROXEL_DEMO_OFFSCREEN=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

conformance() { "$build/bin/proxel" conformance --quick --device vulkan:0 --filter "$1"; }
python() { python3 -B "$@"; }

engine() {
  local dimensions
  for dimensions in 3 8; do
    "$PROXEL_ENGINE" --offscreen --frames 4 --points 700 --dimensions "$dimensions" --check --json \
      --width 320 --height 200 --screenshot "$scratch/engine.png" | tee "$scratch/engine.json"
    grep -q '"different_queries": 0' "$scratch/engine.json"
  done
  python "$root/tests/engine/test_picture.py"
}

demo() {
  local script
  for script in "$root"/tests/demo/scripts/*.json; do python "$root/tests/demo/run_script.py" "$script"; done
  python "$root/tests/demo/test_keyboard.py"
}

case $part in
  devices) "$build/bin/proxel" devices ;;
  # In three, so that a crash in one leaves the others, and so that they run side by side.
  passes) conformance 'pass/*' ;;
  searches) conformance 'search/*' ;;
  others) conformance '!pass/*|search/*' ;;
  cases) conformance "$filter" ;;
  embedding) "$build/tests/embedding/proxel_embedding_tests" ;;
  interop) "$build/tests/embedding/proxel_interop_tests" --test-suite=vulkan ;;
  engine) engine ;;
  demo) demo ;;
  *) echo "there is no part $part" >&2; exit 2 ;;
esac
