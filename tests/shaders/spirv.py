"""Shaders as they are embedded, read as one function in static single assignment form."""
import dataclasses
import os
import pathlib
import re
import subprocess

PASSES = ['--merge-return', '--inline-entry-points-exhaustive', '--eliminate-dead-functions',
          '--private-to-local', '--eliminate-local-single-block', '--eliminate-local-single-store',
          '--scalar-replacement=0', '--convert-local-access-chains', '--ssa-rewrite',
          '--eliminate-dead-code-aggressive']


@dataclasses.dataclass
class Instruction:
    """One instruction of a module; `block` is the label of its block, None outside functions."""
    result: str
    op: str
    operands: list
    block: str


def words_of(path):
    """SPIR-V as glslangValidator --vn writes it, a C array."""
    numbers = re.findall(r'0x[0-9a-f]{8}', path.read_text())
    return b''.join(int(number, 16).to_bytes(4, 'little') for number in numbers)


def tools_know(words):
    """Whether spirv-tools of this machine can read a module: older ones do not know cooperative matrices."""
    capability_of_matrices = bytes.fromhex('11000200 86170000')
    return 'PROXEL_WITHOUT_MATRICES' not in os.environ or capability_of_matrices not in words


def modules(folder):
    """The .spv.inc of a folder that spirv-tools can read."""
    return [path for path in sorted(pathlib.Path(folder).glob('*.spv.inc')) if tools_know(words_of(path))]


def read(path):
    """The instructions of a shader, all calls inlined. `path` names a .spv.inc."""
    optimised = subprocess.run(['spirv-opt', *PASSES, '-', '-o', '-'], input=words_of(pathlib.Path(path)),
                               capture_output=True, check=True).stdout
    text = subprocess.run(['spirv-dis', '--raw-id', '--no-header', '-'], input=optimised,
                          capture_output=True, check=True).stdout.decode()
    instructions = []
    block = None
    for line in text.splitlines():
        words = re.findall(r'"[^"]*"|\S+', line)
        if not words or words[0].startswith(';'):
            continue
        result = None
        if len(words) > 2 and words[1] == '=':
            result, words = words[0], words[2:]
        if words[0] == 'OpLabel':
            block = result
        elif words[0] == 'OpFunctionEnd':
            block = None
        instructions.append(Instruction(result, words[0], words[1:], block))
    return instructions
