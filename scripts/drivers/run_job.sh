#!/usr/bin/env bash
# One cell of the table of test_drivers.sh: a part on a driver, with vectors of so many bits (- where it has no
# choice), "with" the validation layer or "without". Adds a line to $work/results; the output goes to $work/logs.
#   work=… build=… filter=… scripts/drivers/run_job.sh DRIVER VECTORS LAYER PART
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/scripts/setup.sh"
. "$root/scripts/debian/systems.sh"
driver=$1 vectors=$2 layer=$3 part=$4
name="$driver.$vectors.$layer.$part"
log="$work/logs/$name.log"

# system (empty for this machine), manifest and libraries of the driver, or the reason why it cannot be tried.
. "$work/$driver.found"
# Every program that compiles shaders ends there with "stack smashing detected", before anything of proxel's runs.
if [ "$driver $vectors" = "sid 512" ]; then
  reason="Mesa 26's compiler overruns its stack with vectors of 512 bits (docs/drivers.md)"
elif [ "$driver $vectors $part" = "bookworm 512 engine" ]; then
  reason="Mesa 22's compiler crashes over what is drawn into a window with vectors of 512 bits (docs/drivers.md)"
elif [ "$driver $vectors" = "trixie 512" ] && { [ "$part" = engine ] || [ "$part" = demo ]; }; then
  reason="Mesa 25.0.7-2+deb13u1's compiler crashes over pictures with vectors of 512 bits (docs/drivers.md)"
fi
if [ -n "$reason" ]; then
  printf '%s\t%s\t%s\t%s\tnot tried\t0\t%s\n' "$driver" "$vectors" "$layer" "$part" "$reason" >> "$work/results"
  exit 0
fi

settings=(VK_DRIVER_FILES="$manifest" LD_LIBRARY_PATH="$libraries")
[ "$vectors" = - ] || settings+=(LP_NATIVE_VECTOR_WIDTH="$vectors")
[ "$layer" != with ] || settings+=(PROXEL_VALIDATION=fatal)
run=(timeout --kill-after=10 "${PROXEL_DRIVER_TIMEOUT:-5400}" bash "$root/scripts/drivers/run_part.sh" "$root" "$build" "$part" "$filter")
begun=$SECONDS code=0
if [ -n "$system" ]; then
  in_system "$system" --bind "$root" --bind "$build" --bind "$work" env "${settings[@]}" "${run[@]}" > "$log" 2>&1 || code=$?
else
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$work/home" LC_ALL=C.UTF-8 "${settings[@]}" "${run[@]}" > "$log" 2>&1 || code=$?
fi

case $code in
  0) verdict=ok said= ;;
  77) verdict='not tried' said=$(grep '^skipped: ' "$log" | tail -n 1 | cut -c 10-) ;;
  124 | 137) verdict=FAILED said="it took longer than ${PROXEL_DRIVER_TIMEOUT:-5400} s" ;;
  1[3-9]? | 12[89]) verdict=FAILED said="it was ended by SIG$(kill -l $((code - 128)))" ;;
  *) verdict=FAILED said="exit code $code" ;;
esac
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$driver" "$vectors" "$layer" "$part" "$verdict" "$((SECONDS - begun))" "$said" >> "$work/results"
echo "$verdict: $name, $((SECONDS - begun)) s${said:+: $said}"
