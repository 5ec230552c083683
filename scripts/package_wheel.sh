#!/usr/bin/env bash
# Makes the wheel of the Python package, one for every Python from 3.9 on, in dist/, and tries it in a fresh virtual environment.
#   scripts/package_wheel.sh [CMAKE ARGUMENTS]      e.g. -DPROXEL_CUDA=OFF
# The library inside has the backends that this machine can build, and needs nothing but the C library and zlib: .npz and .hdf5
# files are not read by it. The wheel's name says the oldest C library (manylinux_2_N) that it runs with.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

required_packages+=(python3-setuptools python3-wheel python3-pip python3-venv)
install_packages
arguments=()
use_compiler_cache
wheels="$root/dist"
mkdir -p "$wheels"
rm -f "$wheels"/proxel-*.whl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log="$folder/log"

# What an earlier build left would be packed as well.
rm -rf "$root/build-python"
python=$(command -v /usr/bin/python3 || command -v python3)
echo "proxel: building the library of the wheel; the first time takes minutes"
(cd "$root" && PROXEL_CMAKE_ARGS="${arguments[*]} -DPROXEL_PEERS=OFF $*" \
  "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$wheels" .) > "$log" 2>&1 ||
  { tail -n 60 "$log" >&2; exit 1; }
wheel=$(echo "$wheels"/proxel-*.whl)
"$python" "$root/tests/python/try_wheel.py" "$wheel" "$folder/environment"
