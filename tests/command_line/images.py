"""Images for tests."""

import struct
import zlib


def png(width, height, colour):
    """A PNG file whose pixel at (x, y) is colour(x, y), three numbers."""
    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    rows = b"".join(b"\0" + bytes(channel for x in range(width) for channel in colour(x, y))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def two_colours(first, second):
    """The first above, the second below."""
    return png(24, 24, lambda x, y: first if y < 12 else second)
