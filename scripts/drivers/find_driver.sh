# find_driver NAME: where a driver is, and what the programs need to run beside it. Sourced. Writes $work/NAME.found, which
# sets: reason, why it cannot be tried (else empty); title, as it calls itself; system, the folder of the
# system that it is installed in (empty: this machine); manifest, its file there; libraries, a folder of
# libraries that the programs need and that system lacks.

packages_of_drivers=(libvulkan1 mesa-vulkan-drivers vulkan-validationlayers python3 fonts-dejavu-core)

# The programs that are run, all built on this machine.
tried_programs() {
  ls "$build"/bin/proxel{,-engine,-demo} "$build"/tests/embedding/proxel_{embedding,interop}_tests "$build/tests/demo/demo_look" 2> /dev/null || true
}

# The libraries that the programs need here and that the system lacks. What is found there is not replaced: the
# driver was linked with it, and a newer release's serves older programs.
copy_libraries() {
  local name path
  mkdir -p "$libraries"
  in_system "$system" ldconfig -p | awk '/=>/ {print $1}' | sort -u > "$libraries.there"
  ldd $(tried_programs) | awk '/=> \// {print $1, $3}' | sort -u | while read -r name path; do
    grep -qxF "$name" "$libraries.there" || cp -L "$path" "$libraries/"
  done
}

# A program runs with the C library that it was built with, and with newer ones.
older_c_library() {
  in_system "$system" --bind "$build" ldd $(tried_programs) 2>&1 | grep -m 1 -o "version \`GLIBC[^']*' not found" || true
}

system_of_suite() {
  local suite=$1
  reason=$(no_systems_because)
  [ -z "$reason" ] || return 0
  system="$systems/$suite"
  if ! is_system "$system"; then
    echo "proxel: making a Debian system, $suite, in $system"
    reason=$(unpack_system "$suite" "$system" 2>&1) || { reason="its system could not be made: ${reason##*$'\n'}"; return 0; }
  fi
  if ! reason=$(add_packages "$system" "${packages_of_drivers[@]}" 2>&1); then
    reason="its packages could not be installed: ${reason##*$'\n'}"
    return 0
  fi
  reason=$(older_c_library)
  [ -z "$reason" ] || { reason="programs built on this machine do not run there: $reason"; return 0; }
  copy_libraries
}

first_of() { compgen -G "$1" | head -n 1 || true; }

locate() {
  case $1 in
    swiftshader)
      find_swiftshader > /dev/null
      manifest=${PROXEL_SWIFTSHADER:-}
      [ -n "$manifest" ] || reason="SwiftShader was not found in this machine's packages" ;;
    "$(codename_of_host)")
      manifest=$(first_of '/usr/share/vulkan/icd.d/lvp_icd*.json')
      [ -n "$manifest" ] || reason="this machine has no mesa-vulkan-drivers" ;;
    *)
      system_of_suite "$1"
      [ -n "$reason" ] || manifest=$(first_of "$system/usr/share/vulkan/icd.d/lvp_icd*.json")
      manifest=${manifest#"$system"} ;;
  esac
}

find_driver() {
  local name=$1 reason= title= system= manifest= libraries="$work/libraries/$1" log="$work/logs/$1.log"
  locate "$name"
  declare -p reason title system manifest libraries | sed 's/^declare -[^ ]* //' > "$work/$name.found"
}
