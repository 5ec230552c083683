"""What proxel-engine shows: frame graph, times and choices over the picture, in a window and without."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import demo


class Picture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.picture = os.path.join(self.folder.name, 'picture.png')

    def run_engine(self, *arguments, window=False, expected_code=0):
        """What it prints, as JSON where that is asked for. A validation message or another exit code fails."""
        command = [os.environ['PROXEL_ENGINE'], *arguments]
        command = ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24', *command] if window else [*command, '--offscreen']
        done = subprocess.run(command, env=demo.without_swiftshader(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, expected_code, done.stdout + done.stderr)
        self.assertNotIn('validation:', done.stderr)
        return json.loads(done.stdout) if '--json' in arguments else done.stderr

    def show(self, *arguments, points=200, window=False):
        """The report of frames whose answers are right, and whose last one is self.picture."""
        report = self.run_engine('--json', '--check', '--points', str(points), '--screenshot', self.picture, *arguments, window=window)
        self.assertEqual(report['different_queries'], 0)
        self.assertEqual(report['checked_queries'], report['queries'])
        return report

    def look(self, *areas):
        return demo.look(self.picture, areas)['parts']

    def test_the_interface_stands_over_the_picture(self):
        report = self.show('--frames', '4')
        self.assertEqual(list(report['pass_milliseconds']), ['move', 'boxes', 'search', 'draw', 'keep'])
        middle = (440, 100, 930, 620)
        graph, choices, points = self.look(*report['interface'].values(), middle)
        # Text and bars on boxes; and points with lines beside them.
        for part in (graph, choices):
            self.assertGreater(part['drawn'], 0.1)
            self.assertGreater(part['contrast'], 0.6)
        self.assertGreater(points['drawn'], 0.1)
        self.assertGreater(points['colours'], 100)
        # Left out, nothing of it is there; and without lines there is little more than a point a point.
        self.show('--frames', '4', '--no-interface', '--keys', 'l')
        graph, points = self.look(report['interface']['frame graph'], middle)
        self.assertLess(graph['drawn'], 0.01)
        self.assertTrue(0 < points['drawn'] < 0.01)

    def test_barriers(self):
        # Memory that is reached by its address is not seen by the validation layers' synchronisation validation.
        # Who has to be waited for, from which stage and by which: (resource, from, to, behind).
        boxes = [('move', 'engine', {('points', 'compute copy vertex', 'compute', 'boxes search draw'),
                                     ('velocities', 'compute', 'compute', 'move')}),
                 ('boxes', 'proxel', {('points', 'compute', 'compute copy', 'move'),
                                      ('scratch', 'compute copy', 'compute copy', 'search')}),
                 ('search', 'proxel', {('scratch', 'compute copy', 'compute copy', 'boxes'),
                                       ('neighbours', 'compute copy vertex', 'compute copy', 'draw')}),
                 ('draw', 'engine', {('points', 'compute', 'vertex', 'move'),
                                     ('neighbours', 'compute copy', 'vertex', 'search'),
                                     ('picture', 'copy', 'colour', 'keep')}),
                 ('keep', 'engine', {('picture', 'colour', 'copy', 'draw')})]
        self.assertEqual(self.graph('--frames', '3'), boxes)
        scan = [('move', 'engine', {('points', 'compute copy vertex', 'compute', 'search draw'),
                                    ('velocities', 'compute', 'compute', 'move')}),
                ('search', 'proxel', {('points', 'compute', 'compute copy', 'move'),
                                      ('scratch', 'compute copy', 'compute copy', 'search'),
                                      ('neighbours', 'compute copy vertex', 'compute copy', 'draw')}),
                *boxes[3:]]
        self.assertEqual(self.graph('--frames', '3', '--method', 'scan'), scan)

    def test_what_hangs_together_is_found_in_the_frame(self):
        report = self.show('--frames', '4', '--clusters', '0.4')
        self.assertEqual(list(report['pass_milliseconds']), ['move', 'boxes', 'search', 'clusters', 'draw', 'keep'])
        self.assertEqual(report['different_clusters'], 0)
        self.assertTrue(1 < report['clusters'] < 200, report['clusters'])
        passes = dict((name, (by, waits)) for name, by, waits in self.graph('--frames', '3', '--clusters', '0.4'))
        self.assertEqual(passes['clusters'],
                         ('proxel', {('neighbours', 'compute copy', 'compute copy', 'search'),
                                     ('clusters', 'compute copy vertex', 'compute copy', 'draw')}))
        self.assertIn(('clusters', 'compute copy', 'vertex', 'clusters'), passes['draw'][1])
        # By key, and of points all of which ask.
        report = self.show('--frames', '4', '--keys', 'c', '--method', 'scan')
        self.assertIn('component_link', report['pass_milliseconds']['clusters'].get('within', {'component_link': 0}))
        self.assertEqual(report['different_clusters'], 0)
        self.assertNotIn('clusters', self.show('--frames', '4', '--clusters', '1', '--queries', '100'))

    def test_the_layout_follows_the_graph(self):
        report = self.show('--frames', '40', '--layout', '--check')
        self.assertEqual(list(report['pass_milliseconds']), ['move', 'boxes', 'search', 'layout', 'draw', 'keep'])
        self.assertEqual((report['different_queries'], report['different_positions']), (0, 0))
        passes = dict((name, (by, waits)) for name, by, waits in self.graph('--frames', '3', '--layout'))
        self.assertEqual(passes['layout'],
                         ('proxel', {('neighbours', 'compute copy', 'compute copy', 'search'),
                                     ('layout', 'compute copy vertex', 'compute copy', 'draw')}))
        self.assertIn(('layout', 'compute copy', 'vertex', 'layout'), passes['draw'][1])
        # By key, beside clusters, and of points all of which ask.
        report = self.show('--frames', '5', '--keys', 'oc', '--method', 'scan', '--check')
        self.assertEqual((report['different_positions'], report['different_clusters']), (0, 0))
        self.assertNotIn('different_positions', self.show('--frames', '4', '--layout', '--queries', '100', '--check'))

    def graph(self, *arguments):
        passes = self.run_engine('--json', '--points', '50', '--width', '64', '--height', '64', *arguments)['graph']
        return [(one['pass'], one['by'], {(name, wait['from'], wait['to'], ' '.join(wait['behind'])) for name, wait in one['waits'].items()})
                for one in passes]

    def test_it_fits_large_pictures_and_small(self):
        large = self.show('--frames', '3', '--width', '3840', '--height', '2160')['interface']
        for left, top, right, bottom in large.values():
            self.assertTrue(0 <= left < right <= 3840 and 0 <= top < bottom <= 2160)
            self.assertGreater(right - left, 600)  # twice as large as in a small one: readable there, too
        for part in self.look(*large.values()):
            self.assertGreater(part['contrast'], 0.6)
        small = self.show('--frames', '3', '--width', '320', '--height', '200')['interface']
        self.assertTrue(all(bottom <= 200 for _, _, _, bottom in small.values()))

    def test_keys_choose(self):
        # Points, dimensions, neighbours, asking, method: each made anew, and right.
        report = self.show('--frames', '8', '--keys', 'ndkami', '--dimensions', '2', '-k', '4')
        self.assertEqual((report['points'], report['dimensions'], report['neighbours'], report['queries'], report['method']),
                         (1000, 3, 8, 1000, 'scan'))
        self.assertNotIn('boxes', report['pass_milliseconds'])
        self.assertIn('select_rows', report['pass_milliseconds']['search']['within'])
        report = self.show('--frames', '4', '--keys', 'x?h', '--within')
        self.assertEqual((report['points'], report['method']), (200, 'boxes'))
        self.assertEqual(report['pass_milliseconds']['search']['within']['bvh_search']['count'], 1)
        self.assertGreater(len(report['pass_milliseconds']['boxes']['within']), 3)
        self.assertLess(self.look((10, 10, 430, 60))[0]['drawn'], 0.01)

    @unittest.skipIf(shutil.which('xvfb-run') is None, 'there is no xvfb-run (package xvfb)')
    def test_a_window(self):
        report = self.show('--frames', '6', '--keys', 'd', window=True)
        self.assertEqual((report['shown'], report['dimensions']), ('window', 8))
        self.assertEqual(list(report['pass_milliseconds'])[-2:], ['show', 'hand over'])
        graph, choices = self.look(*report['interface'].values())
        self.assertGreater(min(graph['drawn'], choices['drawn']), 0.1)

    def test_what_cannot_be_done_is_said(self):
        self.assertIn('--device', self.run_engine('--device', '99', expected_code=1))
        self.assertIn('nowhere', self.run_engine('--frames', '1', '--points', '10', '--screenshot',
                                                 os.path.join(self.folder.name, 'nowhere', 'picture.png'), expected_code=1))
        few = ('--frames', '1', '--points', '10')
        self.assertIn('/dev/full', self.run_engine(*few, '--screenshot', '/dev/full', expected_code=1))
        self.assertIn('nowhere', self.run_engine(*few, '--pipeline-cache', os.path.join(self.folder.name, 'nowhere', 'cache')))
        for distance in ('nan', 'inf', '-1'):
            self.run_engine(*few, '--clusters', distance, expected_code=105)


if __name__ == '__main__':
    unittest.main()
