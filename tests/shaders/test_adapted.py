"""Shaders as devices get them are valid, and differ from the embedded ones in what they should."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import spirv


def disassembled(path):
    return subprocess.run(['spirv-dis', '--raw-id', '--no-header', path], capture_output=True, check=True,
                          text=True).stdout.splitlines()


class Adapted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([os.environ['PROXEL_ADAPTED'], cls.folder.name], check=True)
        cls.paths = sorted(path for path in pathlib.Path(cls.folder.name).glob('*.spv') if spirv.tools_know(path.read_bytes()))
        cls.names = [path.name.removesuffix('.host.spv') for path in cls.paths if path.name.endswith('.host.spv')]

    def lines(self, name, kind=''):
        return disassembled(pathlib.Path(self.folder.name, name + kind + '.spv'))

    def test_all_are_valid(self):
        self.assertGreater(len(self.names), 60)
        for path in self.paths:
            with self.subTest(module=path.name):
                subprocess.run(['spirv-val', '--target-env', 'vulkan1.2', path], check=True)

    def test_what_builds_with_an_older_glslang_embed_is_valid(self):
        for path in spirv.modules(os.environ['PROXEL_KEPT_SHADERS']):
            with self.subTest(module=path.name):
                subprocess.run(['spirv-val', '--target-env', 'vulkan1.2', '-'], input=spirv.words_of(path), check=True)

    def test_a_processor_gets_no_subgroup_barrier_and_no_wish_to_unroll(self):
        replaced = unrolled = 0
        for name in self.names:
            with self.subTest(shader=name):
                before, after = self.lines(name), self.lines(name, '.host')
                self.assertEqual(len(before), len(after))
                scopes = {match[1] for line in before if (match := re.match(r'\s*(%\d+) = OpConstant %\d+ 3$', line))}
                for old, new in zip(before, after):
                    barrier = re.match(r'\s*OpControlBarrier (%\d+) (%\d+) (%\d+)', old)
                    if barrier and barrier[1] in scopes:
                        self.assertEqual(new.split(), ['OpMemoryBarrier', barrier[2], barrier[3]])
                        replaced += 1
                    elif 'OpLoopMerge' in old and old.endswith(' Unroll'):
                        self.assertEqual(new, old.replace(' Unroll', ' None'))
                        unrolled += 1
                    else:
                        self.assertEqual(new, old)
        self.assertGreater(replaced, 3)
        self.assertGreater(unrolled, 100)

    def test_a_device_that_ends_loops_gets_one_behind_all_others(self):
        for name in self.names:
            with self.subTest(shader=name):
                before, after = self.lines(name, '.host'), self.lines(name, '.loops')
                count = lambda lines, opcode: sum(opcode in line for line in lines)
                for opcode in ('OpLoopMerge', 'OpFunctionCall', 'OpFunctionEnd'):
                    self.assertEqual(count(after, opcode), count(before, opcode) + 1)
                self.assertEqual(count(after, 'OpEntryPoint'), 1)

    def test_exact_shaders_ask_for_subnormal_numbers(self):
        asking = []
        for name in self.names:
            with self.subTest(shader=name):
                before, after = self.lines(name), self.lines(name, '.subnormals')
                added = [line.strip() for line in after if line not in before]
                text = '\n'.join(before)
                wide = re.search(r'OpCapability Float(16|64)$', text, re.M)
                rough = re.search(r'OpExtInst %\d+ %\d+ (Exp|Log|Exp2|Log2|Sqrt|InverseSqrt) ', text)
                if 'NoContraction' in text and not wide and not rough:
                    self.assertEqual(len(added), 2)
                    self.assertEqual(added[0], 'OpCapability DenormPreserve')
                    self.assertRegex(added[1], r'^OpExecutionMode %\d+ DenormPreserve 32$')
                    self.assertEqual([line for line in after if line.strip() not in added], before)
                    asking.append(name)
                else:
                    self.assertEqual(after, before)
        for name in ('scan_select', 'tile_distance', 'screen_refine', 'bvh_search', 'texel_accumulate', 'reevaluate',
                     'scan_undecided', 'screen_canonical', 'tile_nearest', 'trial_arithmetic'):
            self.assertIn(name, asking)


if __name__ == '__main__':
    unittest.main()
