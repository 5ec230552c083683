"""A wall of many images: it scrolls, and a click brings all of them into their order, also those behind the nearest."""
import os
import struct
import tempfile
import unittest
import zlib

import demo

# More than are ranked at first (images/ranking.hpp), and few enough to be read in seconds. PROXEL_DEMO_IMAGES
# says another number: 60000 take minutes.
IMAGES = int(os.environ.get('PROXEL_DEMO_IMAGES', '1300'))


def png(width, height, pixels):
    """A PNG file of 24-bit pixels."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    header = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b'')


def picture(number):
    """Two colours, one above the other, that change slowly with the number."""
    upper = bytes((number * 7 % 256, number * 13 // 16 % 256, number // 5 % 256))
    lower = bytes((number // 3 % 256, number * 11 % 256, 255 - number % 256))
    return png(12, 12, upper * (12 * (3 + number % 7)) + lower * (12 * (9 - number % 7)))


class Wall(unittest.TestCase):
    def test_many_images(self):
        with tempfile.TemporaryDirectory() as folder:
            wall = os.path.join(folder, 'images')
            os.mkdir(wall)
            for number in range(IMAGES):
                with open(os.path.join(wall, f'{number:06}.png'), 'wb') as file:
                    file.write(picture(number))
            patience = max(200, IMAGES // 15)
            idle = ['frames 6', 'measure', 'frames 20']
            demo.run(folder, [f'drop {wall}', f'wait {patience}', *idle, 'report read.json',
                              f'scroll wall {-IMAGES // 20}', *idle, 'screenshot scrolled.png', 'report scrolled.json',
                              'click wall@0.45,0.45', f'wait {patience}', *idle, 'screenshot ranked.png', 'report ranked.json',
                              'key escape', f'wait {patience}', 'report back.json'], ['--size', '1280x720', '--tab', 'Images', '--device', 'cpu'],
                     patience=3 * patience)
            read, ranked = demo.read(folder, 'read.json')['tabs']['Images'], demo.read(folder, 'ranked.json')['tabs']['Images']
            self.assertEqual((read['images'], read['failures'], read['first'][0]), (IMAGES, [], '000000.png'))
            self.assertGreater(int(ranked['chosen'][:6]), 0)
            self.assertEqual(ranked['first'][0], ranked['chosen'])
            self.assertEqual(ranked['ranked'], IMAGES)
            self.assertEqual(demo.read(folder, 'back.json')['tabs']['Images']['first'], read['first'])
            frames = []
            for name in ('scrolled', 'ranked'):
                report = demo.read(folder, name + '.json')
                seen = demo.look(os.path.join(folder, name + '.png'), [report['targets']['wall']])['parts'][0]
                self.assertGreater(seen['drawn'], 0.3)
                self.assertGreater(seen['colours'], 60)
                frames.append(report['frame_ms']['least'])
            # The least, so that a busy machine does not count.
            self.assertLess(min(frames), 100)


if __name__ == '__main__':
    demo.skip_without_display()
    unittest.main()
