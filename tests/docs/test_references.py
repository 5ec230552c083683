"""Every relative link of every page leads somewhere, and every path that a page or a comment names is there."""
import os
import pathlib
import tempfile
import unittest

import references

root = pathlib.Path(os.environ.get('PROXEL_SOURCES') or pathlib.Path(__file__).parents[2])


class References(unittest.TestCase):
    def test_all_lead_somewhere(self):
        faults = [f'{file}:{line}: {what} {why}' for file, line, what, why in references.faults_of(root)]
        self.assertEqual(faults, [], '\n' + '\n'.join(faults))

    def test_there_are_some(self):
        pages = list(references.files_below(root, '.md'))
        self.assertGreater(len(pages), 40)
        prose = [references.parts_of(page.read_text(encoding='utf-8'))[0] for page in pages]
        self.assertGreater(sum(len(references.links_of(text)[0]) for text in prose), 100)


class Faults(unittest.TestCase):
    """What the check has to find, in sources made for it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='proxel-docs-')
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write('docs/other.md', '# Other page: `code`, and more\n## Twice\n## Twice\n')
        self.write('core/passes/known.cpp', '// docs/other.md tells.\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')

    def faults(self, text, name='docs/page.md'):
        self.write(name, text)
        return [(str(file), line, what) for file, line, what, _ in references.faults_of(self.root)]

    def is_fault(self, text, what, line=1):
        self.assertEqual(self.faults(text), [('docs/page.md', line, what)])

    def is_right(self, text):
        self.assertEqual(self.faults(text), [])

    def test_links(self):
        self.is_fault('[x](missing.md)\n', 'missing.md')
        self.is_fault('One line.\n\n![x](pictures/missing.png)\n', 'pictures/missing.png', 3)
        self.is_fault('[![x](missing.png)](other.md)\n', 'missing.png')
        self.is_fault('[![x](other.md)](missing.md)\n', 'missing.md')
        self.is_fault('[x]: missing.md\n', 'missing.md')
        self.is_fault('Text of [two\nlines](missing.md)\n', 'missing.md')
        self.is_fault('<img src="missing.svg">\n', 'missing.svg')
        self.is_fault('[x](../../elsewhere.md)\n', '../../elsewhere.md')
        self.is_right('[x](other.md), [y](../core/passes/known.cpp), [z](https://example.org/missing.md)\n')
        self.is_right('`[x](missing.md)` is how a link is written.\n')

    def test_headings(self):
        self.is_right('[x](other.md#other-page-code-and-more) [y](other.md#twice) [z](other.md#twice-1)\n')
        self.is_fault('[x](other.md#twice-2)\n', 'other.md#twice-2')
        self.is_fault('# Mine\n[x](#mine) [y](#yours)\n', '#yours', 2)

    def test_paths_in_code(self):
        self.is_right('`core/passes/known.cpp`, `core/passes/`, `core/passes/<name>.cpp`, `core/*/known.cpp`.\n')
        self.is_fault('`core/passes/missing.cpp`\n', 'core/passes/missing.cpp')
        self.is_fault('`run core/missing/known.cpp now`\n', 'core/missing/known.cpp')
        self.is_fault('```sh\nscripts/missing.sh --all\n```\n', 'scripts/missing.sh', 2)
        self.is_fault('`shaders/<folder>/<name>.comp`\n', 'shaders/<folder>/<name>.comp')
        self.is_fault('`of two lines\ncore/missing.cpp`\n', 'core/missing.cpp', 2)
        self.is_right('`not code\n\ncore/missing.cpp, as a` paragraph ends between\n')
        self.is_right('`build/tests/anything`, `other/core/thing`\n')

    def test_paths_in_prose_and_comments(self):
        self.is_fault('As docs/missing.md tells.\n', 'docs/missing.md')
        self.is_right('As docs/other.md tells.\n')
        self.write('core/wrong.hpp', '// The bounds of\n// docs/gone.md hold.\n')
        self.write('core/wrong.cpp', 'int a;  // as core/gone.hpp has it, not core/wrong.hpp\nauto b = "core/gone.hpp";\n')
        self.write('core/CMakeLists.txt', '# See scripts/gone.sh.\nfile(READ ${root}/docs/gone.md)\n')
        self.assertEqual(self.faults(''), [('core/CMakeLists.txt', 1, 'scripts/gone.sh'),
                                           ('core/wrong.cpp', 1, 'core/gone.hpp'),
                                           ('core/wrong.hpp', 2, 'docs/gone.md')])

    def test_what_a_recipe_adds(self):
        self.is_right('Say, `new_pass`: `core/passes/new_pass.cpp`\n')
        self.is_fault('Say, `new_pass`: `core/missing/new_pass.cpp`\n', 'core/missing/new_pass.cpp')
        self.is_fault('Say, `known`: `core/passes/known.cpp`\n', 'core/passes/known.cpp')


if __name__ == '__main__':
    unittest.main()
