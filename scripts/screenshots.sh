#!/usr/bin/env bash
# Takes the pictures of docs/pictures: builds the demo and shows each of its tabs under Xvfb.
#   scripts/screenshots.sh [FOLDER]    where they go, docs/pictures unless it is said
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

folder=$(mkdir -p "${1:-$root/docs/pictures}" && cd "${1:-$root/docs/pictures}" && pwd)
# A build that is there already may be named.
demo=${PROXEL_DEMO:-}
optional_packages+=(pngquant)
if [ -z "$demo" ]; then
  install_packages
  build_tests proxel_demo
  demo="$build/bin/proxel-demo"
fi

# picture NAME [STEP…]: what the tab of that name shows after the steps.
picture() {
  local name=$1 file steps=()
  shift
  file="$folder/$(tr '[:upper:]' '[:lower:]' <<< "$name").png"
  for step in "$@" wait "frames 30" wait "screenshot $file"; do steps+=(--do "$step"); done
  xvfb-run -a -s '-screen 0 1920x1200x24' "$demo" --no-motion --settings "$scratch" --size 1280x720 --tab "$name" "${steps[@]}"
  # A repository keeps every version of a picture: 64 colours are a quarter of the bytes.
  if command -v pngquant > /dev/null; then pngquant --speed 1 --nofs --force --output "$file" 64 "$file"; fi
}

scratch=$(mktemp -u)
trap 'rm -f "$scratch"' EXIT
picture Texels wait "key right" "key right" "hover texR@0.3,0.3"
picture Matches wait
picture Words wait "type simliar" wait
picture Images wait "click cell 2" wait
picture Compare wait "click filter" "key ctrl+a" "type search/scan/l2sq/n=300*" "click run cases" "frames 8" wait
ls -l "$folder"
