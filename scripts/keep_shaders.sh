#!/usr/bin/env bash
# Makes shaders/kept/ anew: the SPIR-V of the shaders that use cooperative matrices, for builds whose glslang does not know
# these. Compiles them by this machine's glslang, or, where that does not know them either, by Debian 13's, in a system made
# by debootstrap, which needs root or sudo and is kept in ~/.cache/proxel/systems, or in PROXEL_DRIVER_CACHE.
#   scripts/keep_shaders.sh [--system FOLDER]
#   --system   compiles by the glslang of the Debian system in this folder
# Exit code: 0 made, 1 not made, 2 wrong usage.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"
. "$root/scripts/debian/systems.sh"

wrong() { echo "keep_shaders.sh: $*; see --help" >&2; exit 2; }
system=
while [ $# -gt 0 ]; do
  case $1 in
    --help) sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    --system) [ -d "${2:-}" ] || wrong "--system ${2:-} was given; it needs a folder"; system=$(cd "$2" && pwd); shift ;;
    *) wrong "$1 was given; allowed is --system" ;;
  esac
  shift
done

scratch=$(mktemp -d)
log="$scratch/log"
trap 'rm -rf "$scratch"' EXIT

# compile SHADER [PROGRAM BEFORE GLSLANG]…: as vk_backend/shaders.cmake does; ctest shaders.kept compares what that compiles.
compile() {
  local shader=$1 name
  name=$(basename "$shader" .comp)
  "${@:2}" glslangValidator -V --quiet --target-env vulkan1.2 --depfile "$scratch/$name.d" \
    -I"$root/shaders/include" -I"$root/core/include" --vn "spirv_$name" -o "$scratch/$name.spv.inc" "$shader"
}

# Makes the Debian system, where there is none yet, and has glslang in it.
prepare_system() {
  local reason
  reason=$(no_systems_because)
  [ -z "$reason" ] || { echo "keep_shaders.sh: no Debian system can be entered here: $reason" >&2; return 1; }
  if [ -z "$system" ]; then
    system="$systems/trixie"
    is_system "$system" || unpack_system trixie "$system"
  fi
  add_packages "$system" glslang-tools
}

shaders=("$root"/shaders/*/*_matrix.comp) before_glslang=()
if [ -n "$system" ] || ! compile "${shaders[0]}" > "$log" 2>&1; then
  prepare_system
  before_glslang=(in_system "$system" --bind "$root" --share "$scratch")
fi
for shader in "${shaders[@]}"; do
  compile "$shader" "${before_glslang[@]}"
  cmake -DSHADER="$shader" -DMADE="$scratch" -P "$root/vk_backend/keep_shader.cmake"
  echo "kept $(basename "$shader"), by $("${before_glslang[@]}" glslangValidator --version | sed -n 1p)"
done
