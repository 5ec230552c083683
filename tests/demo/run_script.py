"""Runs one script of tests/demo/scripts under Xvfb and checks what it expects:

{"arguments": ["--size", "1280x720"],
 "steps": ["tab Words", "wait", "screenshot words.png", "report words.json"],
 "expect": {
   "words.json": {"tabs.Words.badge.state": "identical", "tabs.Words.found.#": {"least": 10}, "notices": []},
   "words.png": {"results": {"drawn": 0.02, "colours": 20}}}}

The steps are those of apps/demo/shell/script.hpp; "{data}" stands for the folder of the bundled data. A value
of a report is compared, or has a "least", "most", "contains", "one_of" or "not". A screenshot's areas are the targets
of the report of the same name; "drawn" is the least share of pixels that are not background, "colours" the least number
of colours, "contrast" the least difference of brightness, 0 … 1. Notices are expected to be empty unless the report says otherwise.
"needs" names a tab and values of its report, {"tab": "Matches", "pair.supported": true}, without which the script is skipped."""
import json
import os
import sys
import tempfile

import demo


def skip_without(needs):
    with tempfile.TemporaryDirectory() as folder:
        tab = needs.pop('tab')
        demo.run(folder, ['frames 3', 'report needs.json'], ['--tab', tab], offscreen=True)
        report = demo.read(folder, 'needs.json')['tabs'][tab]
        for path, value in needs.items():
            if demo.value_at(report, path) != value:
                reason = report[path.split('.')[0]].get('reason') or 'so it is in this build'
                print(f'skipped: {path} is {demo.value_at(report, path)!r}: {reason}')
                sys.exit(demo.SKIPPED)


def main(path):
    demo.skip_without_display()
    with open(path) as file:
        script = json.loads(file.read().replace('{data}', os.environ['PROXEL_DATA']))
    if 'needs' in script:
        skip_without(script['needs'])
    keep = os.environ.get('PROXEL_DEMO_KEEP')
    with tempfile.TemporaryDirectory() as folder:
        folder = keep or folder
        demo.run(folder, script['steps'], script.get('arguments', ['--size', '1280x720']))
        for name, expected in script['expect'].items():
            if name.endswith('.json'):
                report = demo.read(folder, name)
                for value, limit in {**({'notices': []} if 'notices' in report else {}), **expected}.items():
                    demo.check_value(f'{name}: {value}', demo.value_at(report, value), limit)
                continue
            targets = demo.read(folder, name.replace('.png', '.json'))['targets']
            missing = [area for area in expected if area not in targets]
            assert not missing, f'{name}: nothing is marked {missing}; there are {sorted(targets)}'
            seen = demo.look(os.path.join(folder, name), [targets[area] for area in expected])
            for area, part in zip(expected, seen['parts']):
                for kind, least in expected[area].items():
                    assert part[kind] >= least, f'{name}: {kind} of {area} is {part[kind]}; at least {least} is expected'
    print(f'{os.path.basename(path)}: as expected')


if __name__ == '__main__':
    main(sys.argv[1])
