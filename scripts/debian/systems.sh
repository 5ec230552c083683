# Bare Debian and Ubuntu systems in folders, for scripts that try proxel on releases that this machine does not have.
# Sourced after setup.sh. Everything that is mounted is mounted in a namespace of its own, which ends with what runs in it.

# Where systems are kept from one run to the next.
systems="${PROXEL_DRIVER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/proxel/systems}"

# The codename of this machine's release; empty where it is no Debian.
codename_of_host() { (. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}") 2> /dev/null || true; }

# The mirror that apt uses on this machine. Where that is no Debian, debootstrap has one of its own.
debian_mirror() {
  local codename
  codename=$(codename_of_host)
  [ -z "$codename" ] || apt-get indextargets --format '$(SITE)' "Codename: $codename" 'Created-By: Packages' | sed -n 1p
}

# A suite is Debian's unless it is one of these.
ubuntu_suites=(noble resolute)
is_of_ubuntu() { [[ " ${ubuntu_suites[*]} " == *" $1 "* ]]; }

# make_base SUITE FOLDER: what an installation starts from, in an empty folder.
make_base() {
  local suite=$1 folder=$2 arguments mirror=http://archive.ubuntu.com/ubuntu
  if is_of_ubuntu "$suite"; then
    # All of Ubuntu's suites are made alike; a debootstrap that is older than a suite does not know its name. Without
    # Ubuntu's keys, which Debian need not have, this one step goes unverified; the system itself has them.
    arguments=(--components=main,universe "$suite" "$folder" "$mirror" /usr/share/debootstrap/scripts/gutsy)
  else
    arguments=("$suite" "$folder" $(debian_mirror))
  fi
  as_root unshare --mount --propagation private env PATH="$PATH:/usr/sbin:/sbin" debootstrap --variant=minbase "${arguments[@]}" || return 1
  # Ubuntu's drivers are renewed in its updates.
  if is_of_ubuntu "$suite"; then
    echo "deb $mirror $suite-updates main universe" | as_root tee "$folder/etc/apt/sources.list.d/updates.list" > /dev/null
  fi
}

# Why no system can be made or entered here; empty where it can.
no_systems_because() {
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2> /dev/null; then
    echo "it needs root, or sudo without a password"
  elif ! as_root unshare --mount --pid --fork true 2> /dev/null; then
    echo "mount namespaces are not permitted here"
  fi
}

# in_system FOLDER [--bind PATH | --share PATH]… COMMAND…: see enter.sh. Proxies of the network are handed on.
in_system() {
  as_root env ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    unshare --mount --pid --fork --kill-child --propagation private bash "$root/scripts/debian/enter.sh" "$@"
}

# Whether debootstrap has ended there: it deletes its own folder last.
is_system() { [ -x "$1/usr/bin/apt-get" ] && [ ! -d "$1/debootstrap" ]; }

# base_of SUITE: the path of a tarball of the bare system, made where there is none yet.
base_of() {
  local suite=$1 tarball="$systems/$1.base.tar.gz" made
  if [ ! -f "$tarball" ]; then
    PATH="$PATH:/usr/sbin" command -v debootstrap > /dev/null || { echo "debootstrap is not installed" >&2; return 1; }
    as_root mkdir -p "$systems"
    made=$(as_root mktemp -d "$systems/$suite.making.XXXXXX")
    if make_base "$suite" "$made" > "$log" 2>&1 &&
      as_root tar -C "$made" --one-file-system -czf "$made.tar.gz" . && as_root mv "$made.tar.gz" "$tarball"; then
      as_root rm -rf --one-file-system "$made"
    else
      tail -n 3 "$log" >&2
      as_root rm -rf --one-file-system "$made" "$made.tar.gz"
      return 1
    fi
  fi
  echo "$tarball"
}

# unpack_system SUITE FOLDER: a bare system in a folder that does not exist yet, all of it or nothing.
unpack_system() {
  local tarball
  tarball=$(base_of "$1") || return 1
  as_root mkdir -p "$2.unpacking"
  as_root tar -C "$2.unpacking" -xzf "$tarball" && as_root chmod 755 "$2.unpacking" &&
    accept_lagging_mirror "$2.unpacking" && as_root mv -T "$2.unpacking" "$2"
}

# sid's lists are valid for a week; a mirror may be behind by more.
accept_lagging_mirror() {
  echo 'Acquire::Check-Valid-Until "false";' | as_root tee "$1/etc/apt/apt.conf.d/lagging-mirror" > /dev/null
}

# add_packages FOLDER PACKAGE…: those that the system in it lacks. Its files need not reach the disk at once.
add_packages() {
  local folder=$1 package missing=()
  for package in "${@:2}"; do
    [[ $(dpkg-query --admindir="$folder/var/lib/dpkg" -W -f='${Status}' "$package" 2> /dev/null) == *'ok installed'* ]] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  accept_lagging_mirror "$folder"
  in_system "$folder" bash -euc 'export DEBIAN_FRONTEND=noninteractive
    echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unsafe-io
    apt() { apt-get -qq -o APT::Sandbox::User=root -o DPkg::Lock::Timeout=600 "$@"; }
    apt update && apt install -y --no-install-recommends "$@"' bash "${missing[@]}" > "$log" 2>&1 ||
    { tail -n 3 "$log" >&2; return 1; }
}

# forget_system SUITE: takes it out of the cache, so that it is made anew from the release as it is now.
forget_system() { as_root rm -rf --one-file-system "$systems/$1" "$systems/$1.base.tar.gz"; }
