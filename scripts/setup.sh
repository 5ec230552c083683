#!/usr/bin/env bash
# Installs what building and testing proxel needs from the system's packages.
# Sourced by the other scripts; does nothing, quickly, when all is there.
# Asks no question. Needs root or sudo only when something is missing.

required_packages=(build-essential cmake ninja-build pkg-config binutils python3
  libfmt-dev libspdlog-dev zlib1g-dev nlohmann-json3-dev libcli11-dev doctest-dev)
# Without these a part is left out of the build, which says so.
optional_packages=(libvulkan-dev libvulkan-volk-dev glslang-tools mesa-vulkan-drivers
  vulkan-validationlayers libhdf5-dev)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    echo "proxel: these packages are missing and neither root nor sudo is at hand to install them: ${missing[*]}" >&2
    return 1
  fi
}

installed() { dpkg-query -W -f='${Status}' "$1" 2> /dev/null | grep -q 'ok installed'; }

install_packages() {
  if ! command -v dpkg-query > /dev/null; then
    echo "proxel: not a Debian or Ubuntu system; see README.md for what to install by hand" >&2
    return 0
  fi
  missing=()
  local package
  for package in "${required_packages[@]}" "${optional_packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "proxel: installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update || true
  # All at once is fastest; one by one when the release lacks an optional one.
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" > /dev/null; then
    for package in "${missing[@]}"; do
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$package" > /dev/null ||
        echo "proxel: package $package could not be installed" >&2
    done
  fi
  for package in "${required_packages[@]}"; do
    installed "$package" || { echo "proxel: required package $package is missing" >&2; return 1; }
  done
}

# SwiftShader, a second software Vulkan device, comes inside Debian's chromium
# package; only its one library is unpacked. Sets VK_ADD_DRIVER_FILES when found.
add_swiftshader() {
  local manifest=/usr/lib/chromium/vk_swiftshader_icd.json
  if [ ! -f "$manifest" ]; then
    local folder="${XDG_CACHE_HOME:-$HOME/.cache}/proxel/swiftshader"
    manifest="$folder/usr/lib/chromium/vk_swiftshader_icd.json"
    if [ ! -f "$manifest" ] && apt-cache policy chromium-common 2> /dev/null | grep -q 'Candidate: [0-9]'; then
      local download
      download=$(mktemp -d)
      # Of the two packages, releases differ in which holds the library.
      (cd "$download" && for package in chromium chromium-common; do
        apt-get -qq download "$package" > /dev/null 2>&1 || true
        for archive in "$package"_*.deb; do
          [ -f "$archive" ] || continue
          dpkg-deb --fsys-tarfile "$archive" | tar -x --wildcards './usr/lib/chromium/*swiftshader*' 2> /dev/null || true
        done
      done)
      if [ -f "$download/usr/lib/chromium/vk_swiftshader_icd.json" ]; then
        mkdir -p "$folder"
        cp -r "$download/usr" "$folder/"
      fi
      rm -rf "$download"
    fi
  fi
  if [ -f "$manifest" ]; then
    export VK_ADD_DRIVER_FILES="$manifest"
  else
    echo "proxel: SwiftShader was not found; Vulkan is tested without it"
  fi
}

# configure_and_build FOLDER [CMAKE ARGUMENTS…] -- [TARGETS…]
configure_and_build() {
  local folder=$1 arguments=() jobs
  shift
  while [ $# -gt 0 ] && [ "$1" != "--" ]; do arguments+=("$1"); shift; done
  shift || true
  jobs=$(nproc)
  cmake -S "$root" -B "$folder" -G Ninja "${arguments[@]}" > "$folder.configure.log" 2>&1 ||
    { cat "$folder.configure.log" >&2; return 1; }
  grep -E '^--   |^-- proxel' "$folder.configure.log" || true
  cmake --build "$folder" --parallel "$jobs" ${@:+--target "$@"} > "$folder.build.log" 2>&1 ||
    { tail -n 60 "$folder.build.log" >&2; return 1; }
}
