#!/usr/bin/env python3
"""Turns compute shaders, as glslang's preprocessor leaves them, into C++ classes of one invocation.

    shader_as_cpp.py GLSLANG OUTPUT INCLUDE… -- SHADER…

The text of the shader stays what it is; only declarations that C++ does not know are
rewritten. glsl.hpp has the types and functions of the language, and invocation.hpp runs
workgroups of such classes with subgroups of any size.
"""

import os
import re
import subprocess
import sys

QUALIFIERS = r"(?:readonly |writeonly |coherent |restrict )*"
NAME = r"[A-Za-z_]\w*"


def preprocessed(glslang, includes, path):
    text = subprocess.run([glslang, "-E", *("-I" + include for include in includes), path],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    # The constants of a pass come of one macro, on one line.
    text = re.sub(r"; *layout *\( *constant_id", ";\nlayout(constant_id", text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return "\n".join(line.strip() if re.match(r"\s+(const|layout|shared)\b", line) and not in_function(lines, i)
                     else line for i, line in enumerate(lines))


def in_function(lines, position):
    before = "\n".join(lines[:position])
    return before.count("{") != before.count("}")


class Translation:
    def __init__(self):
        # Names whose values are known only when a pass is run.
        self.variable = set()

    def constant(self, match):
        kind, name, value = match.groups()
        if self.variable & set(re.findall(NAME, value)):
            self.variable.add(name)
            return f"const {kind} {name} = {value};"
        return f"static constexpr {kind} {name} = {value};"

    def specialised(self, match):
        number, kind, name = match.groups()
        self.variable.add(name)
        return f"const {kind} {name} = {kind}(specialisation({number}));"

    def declaration(self, line):
        """A line outside functions: the first rule that fits it."""
        for pattern, replacement in (
                (r"layout\(constant_id = (\d)\)\s*const (\w+) (\w+) = .*;", self.specialised),
                (rf"layout\(buffer_reference[^)]*\)\s*{QUALIFIERS}buffer (\w+) {{ (\w+) (\w+)\[\];\s*}};",
                 r"struct \1 { \2* \3; \1() = default; explicit \1(uvec2 a) : \3(static_cast<\2*>(pointer(a))) {} };"),
                (r"layout\(push_constant[^)]*\)\s*uniform Push { (\w+) (\w+);\s*};",
                 r"const \1 \2 = parameters<\1>();"),
                (r"layout\(local_size_x_id = 4\)\s*in;", ""),
                (r"shared (\w+) (\w+)\[(.*?)\]\[(.*?)\];", r'Table<\1> \2 = table<\1>("\2", \3, \4);'),
                (r"shared (\w+) (\w+)\[(.*?)\];", r'\1* const \2 = array<\1>("\2", \3);'),
                (r"shared (\w+) (\w+);", r'\1& \2 = *array<\1>("\2", 1);'),
                # Distances of several rows at once are for shaders without subgroups.
                (r"\s*vec[24] canonical_step.*", ""),
                (r"const (\w+) (\w+) = (.*);", self.constant)):
            if re.fullmatch(pattern, line):
                return re.sub(rf"^{pattern}$", replacement, line)
        return line

    def of(self, name, text):
        text = text.replace("[[unroll]]", "").replace("[[dont_unroll]]", "").replace("precise ", "")
        text = re.sub(r"(?<![\w.])(\d+\.\d+)(?![\w.])", r"\1f", text)
        text = text.replace("1.0f / 0.0f", "std::numeric_limits<float>::infinity()")
        text = re.sub(r"\.\s*(yx|xy)\b", r".\1()", text)
        text = re.sub(rf"\b(?:in)?out (\w+) ({NAME})\[(.*?)\]", r"\1 (&\2)[\3]", text)
        text = re.sub(rf"\b(?:in)?out (\w+) ({NAME})", r"\1& \2", text)
        depth, lines = 0, []
        for line in text.splitlines():
            lines.append(self.declaration(line) if depth == 0 else line)
            depth += line.count("{") - line.count("}")
        return f"struct {name} : Invocation {{\n" + "\n".join(lines) + "\n};\n"


def main():
    glslang, output, *rest = sys.argv[1:]
    split = rest.index("--")
    includes, shaders = rest[:split], rest[split + 1:]
    with open(output, "w") as file:
        for shader in shaders:
            name = os.path.splitext(os.path.basename(shader))[0]
            file.write(Translation().of(name, preprocessed(glslang, includes, shader)))


if __name__ == "__main__":
    main()
