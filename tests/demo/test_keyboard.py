"""Every control of every tab can be reached and used without a mouse."""
import os
import tempfile
import unittest

import demo

BAR = {'tab Texels', 'tab Matches', 'tab Words', 'tab Images', 'tab Compare', 'backend', 'theme', 'help'}


def keys(*names_and_counts):
    """keys('down', 2, 'left') presses down twice, and left."""
    steps = []
    for name in names_and_counts:
        if isinstance(name, int):
            steps += [steps[-1]] * (name - 1)
        else:
            steps.append(f'key {name}')
    return steps


class Keyboard(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = self.folder.name

    def report(self, tab, steps):
        demo.run(self.path, ['wait 200', *steps, 'report walked.json'],
                 ['--size', '1280x720', '--tab', tab, '--device', 'cpu'], offscreen=True)
        return demo.read(self.path, 'walked.json')

    def check_reached(self, tab, expected, steps):
        report = self.report(tab, steps)
        self.assertFalse(expected - set(report['visited']), f'{tab}: the keyboard came only to {report["visited"]}')
        return report['tabs'][tab]

    def test_the_bar_and_compare(self):
        compare = self.check_reached(
            'Compare', {'subject', 'distribution', 'rows', 'dimensions', 'metric', 'method', 'queries', 'k', 'compare', 'export name',
                        'export png', 'export csv', 'export json', 'quick', 'run cases', *BAR},
            keys('down', 12, 'left', 2, 'right', 4, 'up', 14, 'left', 10, 'right', 9, 'ctrl+f', 'enter', 'right', 3))
        self.assertTrue(compare['identical'])

    def test_texels(self):
        texels = self.check_reached('Texels', {'data', 'vector file', 'metric', 't', 'query'}, keys('tab', 'down', 8))
        self.assertFalse(texels['playing'])
        # The passes have keys of their own.
        texels = self.report('Texels', [*keys('right', 2, 'left'), 'report second.json', *keys('end'), 'report last.json',
                                        *keys('home', 'up', 2, 'space')])['tabs']['Texels']
        self.assertTrue(texels['playing'])
        self.assertLess(texels['seconds_per_pass'], 0.3)
        self.assertEqual(demo.read(self.path, 'second.json')['tabs']['Texels']['position'], 1)
        self.assertGreater(demo.read(self.path, 'last.json')['tabs']['Texels']['position'], 5)

    def test_words(self):
        words = self.check_reached('Words', {'word list', 'distance', 'k', 'm', 'f'},
                                   ['type hapy', 'wait', 'report typed.json',
                                    *keys('enter', 'down', 2, 'left', 3, 'right', 5, 'up', 'right', 'down', 4, 'space'), 'wait'])
        typed = demo.read(self.path, 'typed.json')['tabs']['Words']
        self.assertEqual(typed['exact']['words'][0], 'happy')
        # A word was chosen among those that were found.
        self.assertIn(words['typed'], typed['exact']['words'] + typed['index']['words'])

    def test_matches(self):
        report = self.report('Matches', keys('down', 'right', 'left', 'down', 'right', 7))
        expected = {'Two images', 'Moving points'}
        if report['tabs']['Matches']['pair']['supported']:
            expected |= {'left image', 'right image', 'open images', 'ratio', 'turn', 'scale'}
        self.assertFalse(expected - set(report['visited']), report['visited'])
        points = self.check_reached('Matches', {'play', 'compare', 'points', 'neighbours', '2-D', '3-D', 'clusters', 'uniform'},
                                    [*keys('down', 'right', 2, 'space'), 'wait 200', *keys('right', 3, 'down', 5, 'right', 'up', 'left', 'up', 3, 'right', 'down', 5, 'left', 'right', 9, 'left', 9, *('up', 'left') * 6)])
        self.assertTrue(points['points_shown'])

    def test_images(self):
        images = self.check_reached('Images', {'folder', 'open folder', 'similarity', 'method', 'alpha', 'cell 0', 'cell 1', 'cell 8', 'large picture', 'signature'},
                                    [*keys('down', 'right', 6, 'left', 6, 'down', 2, 'space'), 'wait', *keys('right', 10, 'down', 2, 'right', 10)])
        self.assertEqual(images['first'][0], images['chosen'])

    def test_a_long_job_is_cancelled(self):
        """The index of words that a slider asks for is let go, and the window goes on."""
        words = os.path.join(self.path, 'many.txt')
        with open(words, 'w') as file:
            file.writelines(f'{number * 7919 % 1000003:x}{number:x}\n' for number in range(300000))
        demo.run(self.path, [f'drop {words}', 'wait', 'type beef', 'wait 200', 'set m = 256', 'click cancel', 'frames 4', 'wait 60',
                             'report cancelled.json', 'set m = 2', 'wait 200', 'report after.json'],
                 ['--size', '1280x720', '--tab', 'Words', '--device', 'cpu'], offscreen=True)
        self.assertEqual(demo.read(self.path, 'cancelled.json')['notices'], [])
        after = demo.read(self.path, 'after.json')['tabs']['Words']
        self.assertEqual((after['m'], after['answered'], after['busy']), (2, 'beef', False))


if __name__ == '__main__':
    unittest.main()
