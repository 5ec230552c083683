#!/usr/bin/env bash
# Tries proxel as somebody would who has just installed Debian or Ubuntu: makes a bare system of a release with debootstrap, puts a
# clean clone of HEAD into it, and runs scripts/quickstart.sh there as the first command, and scripts/test.sh in
# another one. Prints what they print, the time, and a verdict for each.
#   scripts/try_fresh.sh SUITE [--only quickstart|test] [--ccache FOLDER]
#   SUITE      bookworm, trixie or sid of Debian, noble (24.04) or resolute (26.04) of Ubuntu
#   --only     one of the two
#   --ccache   lends the system a folder of ccache's, and installs ccache: quicker, and no longer quite bare
# Needs root or sudo. The bare system is kept as a tarball in ~/.cache/proxel/systems, or in PROXEL_DRIVER_CACHE; the
# system itself is deleted. Exit code: 0 all passed, 1 something did not, 2 wrong usage.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"
. "$root/scripts/debian/systems.sh"

wrong() { echo "try_fresh.sh: $*; see --help" >&2; exit 2; }
suite= wanted=(quickstart test) cache=
while [ $# -gt 0 ]; do
  case $1 in
    --help) sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    --only) [[ ${2:-} =~ ^(quickstart|test)$ ]] || wrong "--only ${2:-} was given; allowed are quickstart and test"; wanted=("$2"); shift ;;
    --ccache) [ -d "${2:-}" ] || wrong "--ccache ${2:-} was given; it needs a folder"; cache=$(cd "$2" && pwd); shift ;;
    bookworm | trixie | sid | noble | resolute) suite=$1 ;;
    *) wrong "$1 was given; allowed are bookworm, trixie, sid, noble and resolute" ;;
  esac
  shift
done
[ -n "$suite" ] || wrong "no suite was given"
reason=$(no_systems_because)
[ -z "$reason" ] || { echo "try_fresh.sh: $reason" >&2; exit 1; }

scratch=$(mktemp -d)
log="$scratch/log"
# Nothing is mounted here: that ended with what ran.
trap 'as_root rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The system of one try, with the clone in /root/proxel.
prepare() {
  unpack_system "$suite" "$scratch/system"
  git clone -q --no-local --depth 1 "file://$root" "$scratch/proxel"
  as_root mv "$scratch/proxel" "$scratch/system/root/proxel"
  if [ -n "$cache" ]; then add_packages "$scratch/system" ccache; fi
}

# try SCRIPT: 0 where it passed.
try() {
  local settings=(HOME=/root) folders=()
  if [ -n "$cache" ]; then
    settings+=(CCACHE_DIR="$cache")
    folders+=(--share "$cache")
  fi
  in_system "$scratch/system" "${folders[@]}" env "${settings[@]}" bash -c 'cd /root/proxel && exec "scripts/$1.sh"' bash "$1"
}

failed=0
for script in "${wanted[@]}"; do
  echo "== $suite: a bare system for scripts/$script.sh"
  prepare
  begun=$SECONDS verdict=passed
  try "$script" || { verdict="FAILED, exit code $?"; failed=1; }
  echo "== $suite: scripts/$script.sh $verdict in $((SECONDS - begun)) s"
  as_root rm -rf --one-file-system "$scratch/system"
done
exit "$failed"
