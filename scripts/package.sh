#!/usr/bin/env bash
# Builds proxel as its packages have it, with tools that use the shared library, tries what would be
# installed, and makes the packages: six for Debian and a tarball, in build-package/.
#   scripts/package.sh [CMAKE ARGUMENTS]      e.g. -DPROXEL_CUDA=OFF
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

install_packages
build="$root/build-package"
package_for() {  # what the prefix is decides what cpack makes
  configure_and_build "$build" -DBUILD_SHARED_LIBS=ON -DPROXEL_PEERS=OFF -DPROXEL_WARNINGS_AS_ERRORS=ON \
    -DCMAKE_INSTALL_PREFIX="$1" "${@:2}" -- proxel_installed
  ctest --test-dir "$build" -L consumer --output-on-failure --no-tests=error
  (cd "$build" && cpack > cpack.log) || { cat "$build/cpack.log" >&2; return 1; }
}

rm -f "$build"/*.deb "$build"/*.tar.gz
package_for /usr "$@"
"$build/bin/proxel" conformance --quick --device cpu
if command -v lintian > /dev/null; then
  # cpack renews the linker's cache in scripts, beside the trigger that Debian wants; and no bug of
  # Debian's asks for packages that are not Debian's.
  lintian --fail-on error,warning --suppress-tags maintscript-calls-ldconfig,initial-upload-closes-no-bugs "$build"/*.deb
else
  echo "proxel: lintian was not found; the packages are not looked at"
fi

package_for /opt/proxel "$@"
ls -l "$build"/*.deb "$build"/*.tar.gz
