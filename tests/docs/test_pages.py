"""What pages say twice they say alike, and every page can be found from the first."""
import os
import pathlib
import re
import unittest

import references

root = pathlib.Path(os.environ.get('PROXEL_SOURCES') or pathlib.Path(__file__).parents[2])


def text_of(name):
    return (root / name).read_text(encoding='utf-8')


def rows_with_milliseconds(text):
    return [line for line in text.splitlines() if line.startswith('|') and re.search(r'\d ms \|', line)]


class Pages(unittest.TestCase):
    def test_speeds_of_the_readme_stand_in_the_page_of_performance(self):
        known = rows_with_milliseconds(text_of('docs/performance.md'))
        shown = rows_with_milliseconds(text_of('README.md'))
        self.assertGreater(len(shown), 4)
        for row in shown:
            self.assertIn(row, known)

    def test_every_page_is_linked_from_the_index_or_that_of_its_folder(self):
        for index in 'docs/README.md', 'docs/lab/README.md', 'docs/proofs/README.md':
            folder = (root / index).parent
            linked = {target.partition('#')[0] for _, target in references.links_of(text_of(index))[0]}
            pages = {page.name for page in folder.glob('*.md')} - {'README.md'}
            self.assertEqual(pages - linked, set(), f'{index} does not link them')

    def test_lines_of_the_readme_are_short(self):
        for number, line in enumerate(text_of('README.md').splitlines(), 1):
            if not line.startswith(('|', '![')):
                self.assertLessEqual(len(line), 100, f'README.md:{number}')


if __name__ == '__main__':
    unittest.main()
