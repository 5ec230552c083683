"""Texts found by the terms that they share. The texts are made here."""

import json
import os
import random
import unittest

from support import CommandLineTest

TOPICS = {'sea': 'harbour wave ship sailor anchor tide reef island storm gull',
          'kitchen': 'bread oven salt pepper knife butter onion soup plate spoon',
          'rails': 'train station track signal engine carriage whistle tunnel bridge ticket'}
COMMON = 'the a of and in it was were on with'.split()


def made_text(topic, seed):
    """Sixty words, half of them of the topic."""
    generator = random.Random(f'{topic} {seed}')
    return ' '.join(generator.choice(TOPICS[topic].split() if generator.random() < 0.5 else COMMON) for _ in range(60))


class DocumentsTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for topic in TOPICS:
            for number in range(12):
                self.write(f'texts/{topic}/{number}.txt', made_text(topic, number).encode())

    def documents(self, *arguments, code=0):
        result = self.run_program('documents', *arguments, '--json')
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_texts_of_the_same_kind_are_found(self):
        document = self.documents('texts', '--like', 'texts/sea/3.txt', '--text', 'Onion SOUP, salt', '-k', '5')
        self.assertEqual(document['texts'], 36)
        by_file, by_words = document['answers']
        self.assertEqual(len(by_file['found']), 5)
        self.assertTrue(all(one['text'].startswith('texts/sea/') for one in by_file['found']))
        self.assertNotIn('texts/sea/3.txt', [one['text'] for one in by_file['found']])  # itself
        self.assertTrue(all(one['text'].startswith('texts/kitchen/') for one in by_words['found']))
        self.assertTrue(set(by_words['found'][0]['shares']) <= {'onion', 'soup', 'salt'})
        similarities = [one['similarity'] for one in by_file['found']]
        self.assertEqual(similarities, sorted(similarities, reverse=True))
        self.assertTrue(0 < similarities[-1] <= similarities[0] < 1)

    def test_a_copy_is_as_similar_as_can_be(self):
        self.write('copy.txt', made_text('rails', 7).encode())
        found = self.documents('texts', '--like', 'copy.txt', '-k', '1')['answers'][0]['found']
        self.assertEqual(found[0]['text'], 'texts/rails/7.txt')
        self.assertAlmostEqual(found[0]['similarity'], 1, places=5)

    def test_more_are_asked_for_than_there_are(self):
        found = self.documents('texts/sea', '--like', 'texts/sea/0.txt', '-k', '100')['answers'][0]['found']
        self.assertEqual(len(found), 11)

    def test_by_permutations_all_or_some_are_compared(self):
        whole = self.documents('texts', '--like', 'texts/sea/3.txt')
        same = self.documents('texts', '--like', 'texts/sea/3.txt', '--permutants', '9', '--fraction', '1')
        self.assertEqual(same['answers'], whole['answers'])
        some = self.documents('texts', '--like', 'texts/sea/3.txt', '-k', '3', '--permutants', '9', '--recall', '0.8')
        self.assertGreaterEqual(some['chosen']['recall'], 0.8)
        self.assertLessEqual(some['compared'], 36)

    def test_how_often_a_class_is_found(self):
        document = self.documents('texts', '--evaluate', '--queries', '20', '--seed', '3')
        self.assertEqual(document['all']['queries'], 20)
        self.assertGreater(document['all']['precision']['at_1'], 0.95)
        self.assertLess(document['all']['chance'], 0.4)
        self.assertEqual([one['class'] for one in document['classes']], ['kitchen', 'rails', 'sea'])

    def test_as_a_table_and_as_csv(self):
        table = self.succeed('documents', 'texts', '--text', 'ship', '-k', '2').stdout
        self.assertIn('similarity', table)
        self.assertIn('36 texts of 4096 values', table)
        lines = self.succeed('documents', 'texts', '--text', 'ship, "anchor"', '-k', '2', '--csv').stdout.splitlines()
        self.assertEqual(lines[0], 'query,rank,similarity,text,shares')
        self.assertEqual(len(lines), 3)
        self.assertTrue(lines[1].startswith('"ship, ""anchor""",1,'))

    def test_texts_that_cannot_be_read_are_left_out(self):
        self.write('texts/sea/zero.txt', b'one\0two')
        self.write('texts/sea/empty.txt', b' ... ')
        document = self.documents('texts', '--text', 'ship', code=1)
        self.assertEqual((document['texts'], document['not_read'], document['without_terms']), (36, 1, 1))

    def test_what_cannot_be_done_is_refused(self):
        for arguments, text in ((('texts',), 'nothing to look for'),
                                (('texts', '--text', '!!'), 'no word'),
                                (('texts', '--like', 'none.txt'), 'none.txt'),
                                (('nowhere', '--text', 'ship'), 'nowhere'),
                                (('texts', '--text', 'ship', '--fraction', '0.5'), '--permutants'),
                                (('texts', '--text', 'ship', '--evaluate'), '--evaluate'),
                                (('texts', '--evaluate', '--queries', '0'), '--queries'),
                                (('texts/sea', '--evaluate'), 'class')):
            with self.subTest(arguments):
                result = self.run_program('documents', *arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(text, result.stderr)
        os.mkdir(self.path('nothing'))
        self.write('bad/one.txt', b'a\0b')
        self.assertIn('none of 1 texts there could be read; the first, bad/one.txt: ',
                      self.run_program('documents', 'bad', '--text', 'ship').stderr)
        self.assertIn('no .txt', self.run_program('documents', 'nothing', '--text', 'ship').stderr)


if __name__ == "__main__":
    unittest.main()
