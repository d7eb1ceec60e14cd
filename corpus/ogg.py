"""Ogg pages: just enough to give a stream a serial number of our choice.

An encoder draws the serial number of a stream at random, and every page repeats it under a
checksum. To write the same bytes twice, the number is replaced and each checksum computed anew.
"""

import struct

CAPTURE = b"OggS"
SERIAL_AT, CHECKSUM_AT, SEGMENTS_AT, HEADER_BYTES = 14, 22, 26, 27


def _checksum_table():
    """The 256 remainders of Ogg's CRC-32: polynomial 0x04C11DB7, not reflected, no final flip."""
    table = []
    for byte in range(256):
        remainder = byte << 24
        for _ in range(8):
            overflow = remainder & 0x80000000
            remainder = (remainder << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if overflow else 0)
        table.append(remainder)
    return table


TABLE = _checksum_table()


def checksum(page):
    """The CRC-32 of a page whose checksum field holds zeros."""
    remainder = 0
    for byte in page:
        remainder = (remainder << 8 & 0xFFFFFFFF) ^ TABLE[remainder >> 24 ^ byte]
    return remainder


def pages(data):
    """The pages of whole, undamaged Ogg data, in order."""
    start = 0
    while start < len(data):
        if data[start : start + 4] != CAPTURE:
            raise ValueError(f"no Ogg page at byte {start}")
        segments = data[start + SEGMENTS_AT]
        body = start + HEADER_BYTES + segments
        end = body + sum(data[start + HEADER_BYTES : body])
        yield data[start:end]
        start = end


def with_serial(data, serial):
    """The same stream under another serial number."""
    renumbered = bytearray()
    for page in map(bytearray, pages(data)):
        struct.pack_into("<I", page, SERIAL_AT, serial)
        struct.pack_into("<I", page, CHECKSUM_AT, 0)
        struct.pack_into("<I", page, CHECKSUM_AT, checksum(page))
        renumbered += page
    return bytes(renumbered)
