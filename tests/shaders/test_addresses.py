"""No shader loads through null, or at an index that may be anything, even behind a condition.

docs/drivers.md says why: a load whose address all invocations share may run although none is
active. The rule, checked in the SPIR-V of every shader that is embedded here or in a build whose glslang is older (addresses.py):
- a shared load through an address that the shader compares with null is chosen by that comparison;
- the index of a shared load is not what was read through a loop's counter that may be past the
  end, found by a search for a bit, or given by a subgroup operation, unless a minimum bounds it.
Not checked: that a minimum's bound, or the other address, is the right one; an address that is
there only where another one is; and that a counter itself may be one step past the end.
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

import addresses
import spirv

SHADERS = spirv.modules(os.environ['PROXEL_SHADERS']) + spirv.modules(os.environ['PROXEL_KEPT_SHADERS'])

HEAD = """#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
layout(local_size_x = 32) in;
layout(push_constant, std430) uniform Push { uvec2 list; uvec2 queries; uvec2 results; uint count; } p;
shared uint word;
void put(uint value) { UintsOut(p.results).values[gl_LocalInvocationID.x] = value; }
"""


class Addresses(unittest.TestCase):
    def offences_of(self, body):
        """Of a shader with this body of main()."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, 'shader.comp')
            source.write_text(HEAD + 'void main() {' + body + '}')
            module = pathlib.Path(folder, 'shader.spv.inc')
            subprocess.run([os.environ['PROXEL_GLSLANG'], '-V', '--quiet', '--target-env', 'vulkan1.2',
                            '-I' + os.environ['PROXEL_INCLUDE'], '-I' + os.environ['PROXEL_CORE_INCLUDE'],
                            '--vn', 'shader', '-o', module, source], check=True)
            return addresses.Analysis(spirv.read(module)).offences()

    def test_every_shader_keeps_the_rule(self):
        self.assertGreater(len(SHADERS), 60)
        loads = 0
        for path in SHADERS:
            with self.subTest(shader=path):
                analysis = addresses.Analysis(spirv.read(path))
                loads += len(analysis.shared_loads())
                self.assertEqual(analysis.offences(), [])
        # Were all addresses taken for divergent, nothing would be found.
        self.assertGreater(loads, 60)

    def test_what_breaks_it_is_found(self):
        for body, offence in (
                ('uint n = p.count; if (!is_null(p.list)) n = UintsIn(p.list).values[0]; put(n);', 'compared with null'),
                ('bool given = !is_null(p.list); put(given && p.count > UintsIn(p.list).values[3] ? 1u : 0u);',
                 'compared with null'),
                ('if (is_null(p.list)) return; put(UintsIn(p.list).values[0]);', 'compared with null'),
                ('for (uint i = 0u; i < p.count; ++i) put(UintsIn(p.queries).values[UintsIn(p.list).values[i]]);',
                 'at an index that is anything'),
                ('put(UintsIn(p.queries).values[uint(findLSB(UintsIn(p.list).values[0]))]);',
                 'at an index that is anything')):
            with self.subTest(body=body):
                self.assertIn(offence, ' '.join(self.offences_of(body)))

    def test_what_keeps_it_is_not(self):
        for body in (
                'put(UintsIn(readable(!is_null(p.list), p.list, p.queries)).values[0]);',
                'if (!is_null(p.list)) put(UintsIn(p.list).values[gl_LocalInvocationID.x]);',
                'for (uint i = 0u; i < p.count; ++i)'
                ' put(UintsIn(p.queries).values[UintsIn(p.list).values[min(i, p.count - 1u)]]);',
                'put(UintsIn(p.queries).values[min(uint(findLSB(UintsIn(p.list).values[0])), p.count - 1u)]);'):
            with self.subTest(body=body):
                self.assertEqual(self.offences_of(body), [])


if __name__ == '__main__':
    unittest.main()
