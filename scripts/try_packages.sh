#!/usr/bin/env bash
# Installs the packages of scripts/package.sh on a fresh Debian, as somebody else would, and tries them
# there: the programs, a consumer in C and one in C++, by CMake and by pkg-config, and the tarball.
# Needs root and debootstrap; the release and the mirror are those of this machine.
#   scripts/try_packages.sh [FOLDER]      keeps the system in FOLDER, which the next run then uses
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build-package"
ls "$build"/*.deb "$build"/*.tar.gz > /dev/null

system=${1:-$(mktemp -d)}
leave() {
  if mountpoint -q "$system/proc"; then umount "$system/proc"; fi
  [ -n "$1" ] || rm -rf --one-file-system "$system"
}
trap 'leave "${1:-}"' EXIT
if [ ! -x "$system/usr/bin/apt-get" ]; then
  . /etc/os-release
  mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $VERSION_CODENAME" 'Created-By: Packages' | sed -n 1p)
  debootstrap --variant=minbase "$VERSION_CODENAME" "$system" "$mirror"
fi
trial="$system/root/trial"
rm -rf "$trial"
mkdir -p "$trial/packages"
cp "$build"/*.deb "$build"/*.tar.gz "$trial/packages"
cp -r "$root/tests/consumer/project" "$trial/project"
cp "$build/tests/consumer/c_example.c" "$trial/example.c"
sed -n '/^```cpp$/,/^```$/{//!p}' "$root/README.md" > "$trial/readme.cpp"
# Programs find their data from where they lie, which /proc tells.
mount -t proc proc "$system/proc"

chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 bash -euo pipefail << 'INSIDE'
cd /root/trial
apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o APT::Sandbox::User=root "$@" > apt.log 2>&1 || { cat apt.log; return 1; }; }
step() { echo "== $*"; }
apt update
step "the programs, without anything to build with"
apt install -y --no-install-recommends ./packages/{libproxel0,proxel_,proxel-data,proxel-demo}*.deb mesa-vulkan-drivers
proxel devices
printf '0,0\n3,4\n10,10\n7,1\n' > rows.csv
proxel compare --database rows.csv --queries rows.csv --k 2
proxel-bench latency --quick
proxel accuracy --query-count 10 --k 3 | grep CoverType
proxel-demo --offscreen --no-motion --do wait --do 'screenshot demo.png' --do 'report demo.json'
ls -l demo.png
step "the module for Python"
apt install -y --no-install-recommends ./packages/python3-proxel*.deb
python3 -c 'import numpy, proxel; print(proxel.Index(numpy.eye(3, dtype="f4"), device="cpu").search(numpy.eye(3, dtype="f4"), 1))'
step "what others build"
apt install -y --no-install-recommends ./packages/libproxel-dev*.deb g++ cmake make pkg-config
for form in shared static; do
  cmake -S project -B "by-cmake-$form" -DFORM=$form -DC_EXAMPLE=/root/trial/example.c \
    -DREADME_EXAMPLE=/root/trial/readme.cpp > /dev/null
  cmake --build "by-cmake-$form" > /dev/null
  ctest --test-dir "by-cmake-$form" --output-on-failure
  "by-cmake-$form/readme"
done
c++ -std=c++20 project/nearest.cpp -o by-pkg-config $(pkg-config --cflags --libs proxel)
cc -std=c99 example.c -o by-pkg-config-c $(pkg-config --cflags --libs proxel)
./by-pkg-config
./by-pkg-config-c
step "the tarball, with the packages gone"
apt purge -y libproxel0 proxel-data python3-proxel
if [ -e /usr/bin/proxel ]; then echo "proxel is still there"; exit 1; fi
tar -xzf packages/*.tar.gz
proxel-*/bin/proxel devices
proxel-*/bin/proxel accuracy --query-count 10 --k 3 | grep CoverType
proxel-*/bin/proxel-demo --offscreen --no-motion --do wait --do 'report demo.json'
INSIDE
