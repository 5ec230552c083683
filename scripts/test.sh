#!/usr/bin/env bash
# Builds proxel and runs its tests on every device of this machine.
# Ends with "N passed, N failed, N skipped"; exits non-zero on any failure.
#   scripts/test.sh            everything, Vulkan under the validation layers
#   scripts/test.sh -R name    only the tests whose names match
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

optional_packages+=("${python_test_packages[@]}")
install_packages
find_swiftshader
build_tests

# One validation message ends the test that caused it.
if [ -n "$(find /usr/share/vulkan /etc/vulkan -name 'VkLayer_khronos_validation.json' 2> /dev/null)" ]; then
  export PROXEL_VALIDATION=fatal
else
  echo "proxel: the Vulkan validation layer was not found; Vulkan is tested without it"
fi

report="$build/test-results.xml"
rm -f "$report"
status=0
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --no-tests=error --output-junit "$report" "$@" || status=$?
python3 - "$report" << 'PYTHON'
import os, sys, xml.etree.ElementTree as tree
cases = list(tree.parse(sys.argv[1]).getroot().iter('testcase')) if os.path.exists(sys.argv[1]) else []
failed = [c for c in cases if c.get('status') == 'fail']
skipped = [c for c in cases if c.get('status') in ('notrun', 'disabled') or c.find('skipped') is not None]
for case in skipped:
    # A test that is skipped prints its reason: "skipped: no usable cuda device".
    said = [line for line in (case.findtext('system-out') or '').splitlines() if line.startswith('skipped: ')]
    print(f"skipped {case.get('name')}:", said[-1].removeprefix('skipped: ') if said else 'no reason given')
print(f'{len(cases) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped')
PYTHON
exit "$status"
