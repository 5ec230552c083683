#!/usr/bin/env bash
# Builds proxel as its packages have it, with tools that use the shared library, tries what would be
# installed, and makes the packages: three for Debian and a tarball, in build-package/.
#   scripts/package.sh [CMAKE ARGUMENTS]      e.g. -DPROXEL_CUDA=OFF
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

install_packages
build="$root/build-package"
configure_for() {  # what the prefix is decides what cpack makes
  configure_and_build "$build" -DBUILD_SHARED_LIBS=ON -DPROXEL_PEERS=OFF -DPROXEL_WARNINGS_AS_ERRORS=ON \
    -DCMAKE_INSTALL_PREFIX="$1" "${@:2}" -- proxel_installed
  (cd "$build" && cpack > cpack.log) || { cat "$build/cpack.log" >&2; return 1; }
}

rm -f "$build"/*.deb "$build"/*.tar.gz
configure_for /usr "$@"
ctest --test-dir "$build" -L consumer --output-on-failure --no-tests=error
"$build/bin/proxel" conformance --quick --device cpu
if command -v lintian > /dev/null; then
  lintian --fail-on error "$build"/*.deb
else
  echo "proxel: lintian was not found; the packages are not looked at"
fi

configure_for /opt/proxel "$@"
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar -xzf "$build"/*.tar.gz -C "$unpacked"
"$unpacked"/*/bin/proxel devices
ls -l "$build"/*.deb "$build"/*.tar.gz
