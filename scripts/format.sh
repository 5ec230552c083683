#!/bin/bash
# Lays the C++, C and CUDA sources out as .clang-format says, by clang-format 19: another version lays some
# lines out in another way.
#   scripts/format.sh          changes the files
#   scripts/format.sh --check  changes nothing; prints what is laid out otherwise and returns 1 where there is any,
#                              77 where there is no clang-format 19 here
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  '') action=(-i) ;;
  --check) action=(--dry-run --Werror) ;;
  *) sed -n '2,6s/^# //p' "$0"; exit 2 ;;
esac

program=$(command -v clang-format-19 || command -v clang-format || true)
if [[ -z $program || $("$program" --version) != *'version 19.'* ]]; then
  echo "skipped: clang-format 19 is not here: install clang-format-19"
  exit 77
fi
find apps core cuda_backend shaders tests vk_backend -type f \
  '(' -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' ')' -print0 |
  xargs -0 -P "$(nproc)" -n 50 "$program" --style=file "${action[@]}"
