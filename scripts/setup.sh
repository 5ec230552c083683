#!/usr/bin/env bash
# Installs what building and testing proxel needs from the system's packages.
# Sourced by the other scripts; does nothing, quickly, when all is there.
# Asks no question. Needs root or sudo only when something is missing.

required_packages=(build-essential cmake ninja-build pkg-config binutils python3
  libfmt-dev zlib1g-dev nlohmann-json3-dev libcli11-dev doctest-dev)
# Without these a part is left out of the build, which says so.
optional_packages=(libvulkan-dev libvulkan-volk-dev glslang-tools mesa-vulkan-drivers
  vulkan-validationlayers libhdf5-dev libzip-dev libjpeg-dev libpng-dev libstb-dev libglfw3-dev libimgui-dev
  libvlfeat-dev libopenmpi-dev openmpi-bin fonts-dejavu-core xvfb xauth help2man file clang-format-19)
# What the tests of the Python module use, and compare it with. Without them those tests are skipped, which say so.
python_test_packages=(python3-cffi python3-numpy python3-pytest python3-tqdm mypy python3-pip python3-setuptools
  python3-wheel python3-venv python3-sklearn python3-matplotlib python3-faiss python3-torch)

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

installed() { [[ $(dpkg-query -W -f='${Status}' "$1" 2> /dev/null) == *'ok installed'* ]]; }

install_packages() {
  if ! command -v dpkg-query > /dev/null; then
    echo "proxel: not a Debian or Ubuntu system; see docs/building.md for what to install by hand" >&2
    return 0
  fi
  local package missing=()
  for package in "${required_packages[@]}" "${optional_packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] || install_missing
  for package in "${required_packages[@]}"; do
    installed "$package" || { echo "proxel: required package $package is missing" >&2; return 1; }
  done
}

install_missing() {
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo > /dev/null; then
    echo "proxel: these packages are missing and neither root nor sudo is at hand to install them: ${missing[*]}" >&2
    return 0
  fi
  echo "proxel: installing ${missing[*]}"
  # A fresh machine may be updating itself: wait for it.
  local apt=(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600)
  "${apt[@]}" update || true
  # All at once is fastest; one by one when the release lacks an optional one.
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" > /dev/null; then
    for package in "${missing[@]}"; do
      "${apt[@]}" install -y --no-install-recommends "$package" > /dev/null ||
        echo "proxel: package $package could not be installed" >&2
    done
  fi
}

# SwiftShader, a second software Vulkan device, comes inside Debian's chromium
# package; only its one library is unpacked. Exports PROXEL_SWIFTSHADER, its manifest, when found.
find_swiftshader() {
  unset PROXEL_SWIFTSHADER
  local manifest=/usr/lib/chromium/vk_swiftshader_icd.json
  if [ ! -f "$manifest" ]; then
    local folder="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/proxel/swiftshader"
    manifest="$folder/usr/lib/chromium/vk_swiftshader_icd.json"
    # Not "grep -q": it stops reading early, and pipefail then takes apt-cache's death for a no.
    if [ ! -f "$manifest" ] && apt-cache policy chromium-common 2> /dev/null | grep 'Candidate: [0-9]' > /dev/null; then
      echo "proxel: fetching SwiftShader, a software Vulkan device, from the chromium package"
      local download
      download=$(mktemp -d)
      # Releases differ in which of the two packages holds the library; the smaller one first.
      (cd "$download" && for package in chromium-common chromium; do
        apt-get -qq download "$package" > /dev/null 2>&1 || true
        for archive in "$package"_*.deb; do
          [ -f "$archive" ] || continue
          dpkg-deb --fsys-tarfile "$archive" | tar -x --wildcards './usr/lib/chromium/*swiftshader*' 2> /dev/null || true
        done
        [ ! -f usr/lib/chromium/libvk_swiftshader.so ] || break
      done)
      if [ -f "$download/usr/lib/chromium/libvk_swiftshader.so" ]; then
        mkdir -p "$folder"
        cp -r "$download/usr" "$folder/"
      fi
      rm -rf "$download"
    fi
  fi
  if [ -f "$manifest" ]; then
    export PROXEL_SWIFTSHADER="$manifest"
  else
    echo "proxel: SwiftShader was not found; Vulkan is tested without it"
  fi
}

# Adds what makes CMake compile through ccache, where that is installed, to the array "arguments".
# Paths are seen as relative to this clone, so that what another clone compiled is found as well.
# PROXEL_NO_CCACHE=1 compiles without it.
use_compiler_cache() {
  local language launcher=
  if [ -z "${PROXEL_NO_CCACHE:-}" ] && command -v ccache > /dev/null; then
    launcher=ccache
    export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
  fi
  # Said in either case: a build folder remembers what it was told before.
  for language in C CXX CUDA; do arguments+=("-DCMAKE_${language}_COMPILER_LAUNCHER=$launcher"); done
}

# configure_and_build FOLDER [CMAKE ARGUMENTS…] -- [TARGETS…]
# Logs go into FOLDER; they are shown when something fails.
configure_and_build() {
  local folder=$1 arguments=() jobs
  use_compiler_cache
  shift
  while [ $# -gt 0 ] && [ "$1" != "--" ]; do arguments+=("$1"); shift; done
  shift || true
  jobs=$(nproc)
  mkdir -p "$folder"
  cmake -S "$root" -B "$folder" -G Ninja "${arguments[@]}" > "$folder/configure.log" 2>&1 ||
    { cat "$folder/configure.log" >&2; return 1; }
  grep -E '^--   |^-- proxel' "$folder/configure.log" || true
  echo "proxel: building with $jobs jobs; the first time takes minutes (tail -f $folder/build.log)"
  cmake --build "$folder" --parallel "$jobs" ${@:+--target "$@"} > "$folder/build.log" 2>&1 ||
    { tail -n 60 "$folder/build.log" >&2; return 1; }
}

# build_tests [TARGETS…]: everything in build-test, which the scripts share, so that none configures it anew. It is configured
# as packages of the system are, which are tried as well (tests/consumer/test_packages.py).
build_tests() {
  build="$root/build-test"
  configure_and_build "$build" -DPROXEL_WARNINGS_AS_ERRORS=ON -DCMAKE_INSTALL_PREFIX=/usr -- "$@"
}
