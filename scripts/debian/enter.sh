#!/usr/bin/env bash
# Runs a command in a system that lies in a folder, as its root, and hands on its exit code.
#   unshare --mount --pid --fork --kill-child scripts/debian/enter.sh SYSTEM [--bind PATH | --share PATH]… COMMAND…
# --bind shows a folder of this machine at the same path, to be read; --share to be written as well.
set -euo pipefail
system=$1
shift
# As the first process of its namespace this one would ignore them.
trap 'exit 130' INT
trap 'exit 143' TERM

# Before the folders, which may lie in it.
mount -t tmpfs tmpfs "$system/tmp"
while [[ ${1:-} == --* ]]; do
  mkdir -p "$system$2"
  mount --bind "$2" "$system$2"
  [ "$1" = --share ] || mount -o remount,bind,ro "$system$2"
  shift 2
done
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
if [ -f "$system/etc/resolv.conf" ]; then mount --bind /etc/resolv.conf "$system/etc/resolv.conf"; fi

chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
  ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@" <&0 &
wait $!
