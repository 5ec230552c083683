#!/usr/bin/env python3
"""Views of the pictures that come with proxel, a folder for each picture, on which
docs/lab/image-signatures.md measures `proxel photos --evaluate`. The same bytes on every machine
that rounds as IEEE 754 says, but for its sines and powers.

    scripts/views_of_pictures.py FOLDER
"""

import math
import os
import struct
import sys
import zlib

PICTURES = os.path.join(os.path.dirname(__file__), "..", "apps", "data", "pictures")
# Turned by radians; scaled; leaning: how much narrower it is above than below; channels in this order.
VIEWS = {"plain": (0, 1, 0, (0, 1, 2)), "turned": (0.6, 0.9, 0, (0, 1, 2)), "smaller": (-0.2, 0.7, 0, (0, 1, 2)),
         "larger": (0.15, 1.35, 0, (0, 1, 2)), "leaning": (0.1, 1, 0.25, (0, 1, 2)),
         "recoloured": (-0.3, 1.1, 0, (2, 0, 1))}
SIDE = 192  # of a view; pictures have about half of it


def read_png(path):
    """(width, height, rows of bytes) of a PNG file of 8-bit RGB that is not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    if (depth, kind, interlaced) != (8, 2, 0):
        sys.exit(f"{path}: 8-bit RGB that is not interlaced is expected")
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    raw, stride, rows = zlib.decompress(packed), 3 * width, []
    above = bytearray(stride)
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        way = raw[y * (stride + 1)]
        for i in range(stride):
            left, up, corner = (line[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                       (abs(left + up - 2 * corner), 2, corner))[2]  # Paeth's
            line[i] = (line[i] + (0, left, up, (left + up) // 2, near)[way]) & 255
        rows.append(line)
        above = line
    return width, height, rows


def write_png(path, rows):
    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content)))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))


def view_of(picture, turn, scale, lean, channels):
    """The picture in the middle of a white view, between four of its pixels each."""
    width, height, rows = picture
    fit = 1.5 * scale * SIDE / 2 / max(width, height)
    cosine, sine, middle = math.cos(turn) / fit, math.sin(turn) / fit, (SIDE - 1) / 2
    made = []
    for y in range(SIDE):
        line = bytearray()
        for x in range(SIDE):
            dx, dy = (x - middle) * (1 + lean * (middle - y) / SIDE), y - middle
            u, v = (width - 1) / 2 + cosine * dx + sine * dy, (height - 1) / 2 - sine * dx + cosine * dy
            if not (0 <= u < width - 1 and 0 <= v < height - 1):
                line += b"\xff\xff\xff"
                continue
            i, j = int(u), int(v)
            p, q = u - i, v - j
            for channel in channels:
                a, b = 3 * i + channel, 3 * i + 3 + channel
                line.append(round((rows[j][a] * (1 - p) + rows[j][b] * p) * (1 - q)
                                  + (rows[j + 1][a] * (1 - p) + rows[j + 1][b] * p) * q))
        made.append(bytes(line))
    return made


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for name in sorted(os.listdir(PICTURES)):
        if not name.endswith(".png"):
            continue
        picture, folder = read_png(os.path.join(PICTURES, name)), os.path.join(sys.argv[1], name[:-4])
        os.makedirs(folder, exist_ok=True)
        for view, how in VIEWS.items():
            write_png(os.path.join(folder, view + ".png"), view_of(picture, *how))


main()
