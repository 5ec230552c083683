"""Runs proxel-demo under Xvfb with a script, and looks at what it wrote."""
import glob
import json
import os
import shutil
import subprocess
import sys

SKIPPED = 77


def offscreen_only():
    """Whether every window is left out: PROXEL_DEMO_OFFSCREEN=1, for machines without a display."""
    return os.environ.get('PROXEL_DEMO_OFFSCREEN', '') not in ('', '0')


def skip_without_display():
    if offscreen_only():
        return
    if shutil.which('xvfb-run') is None:
        print('skipped: there is no xvfb-run (package xvfb)')
        sys.exit(SKIPPED)


def without_swiftshader():
    """SwiftShader is tested by conformance; here it would only take its time, many times llvmpipe's."""
    environment = dict(os.environ)
    if glob.glob('/usr/share/vulkan/icd.d/lvp_icd*.json'):
        environment.pop('VK_ADD_DRIVER_FILES', None)
    return environment


def run(folder, steps, arguments=(), expected_code=0, offscreen=False, patience=240):
    """Runs the demo in that folder. Its output; a validation message or another exit code fails."""
    script = os.path.join(folder, 'script.json')
    with open(script, 'w') as file:
        json.dump({'steps': steps}, file)
    command = [os.environ['PROXEL_DEMO'], '--no-motion', '--settings', os.path.join(folder, 'settings.json'),
               '--script', script, *arguments]
    if offscreen or offscreen_only():
        command.append('--offscreen')
    else:
        command = ['xvfb-run', '-a', '-s', '-screen 0 3840x2160x24', *command]
    done = subprocess.run(command, cwd=folder, env=without_swiftshader(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=patience)
    assert 'validation:' not in done.stdout, done.stdout
    assert done.returncode == expected_code, f'exit code {done.returncode}\n{done.stdout}'
    return done.stdout


def read(folder, name):
    with open(os.path.join(folder, name)) as file:
        return json.load(file)


def look(picture, areas):
    """What there is to see in each area (x0, y0, x1, y1) of a PNG file."""
    numbers = [str(number) for area in areas for number in area]
    done = subprocess.run([os.environ['PROXEL_LOOK'], picture, *numbers], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def value_at(report, path):
    """report["tabs"]["Words"] for "tabs.Words"; a number is a place in a list, "#" its length."""
    value = report
    for part in path.split('.'):
        if part == '#':
            value = len(value)
        elif isinstance(value, list):
            value = value[int(part)]
        else:
            assert part in value, f'{path}: there is no {part!r}; there are {sorted(value)}'
            value = value[part]
    return value


def check_value(path, value, expected):
    if isinstance(expected, dict):
        for kind, limit in expected.items():
            fine = {'least': lambda: value >= limit, 'most': lambda: value <= limit, 'not': lambda: value != limit,
                    'contains': lambda: limit in value, 'one_of': lambda: value in limit}[kind]()
            assert fine, f'{path} is {value!r}; expected {kind} {limit!r}'
    else:
        assert value == expected, f'{path} is {value!r}; expected {expected!r}'
