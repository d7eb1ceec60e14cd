"""Ways in which a recording is spoiled, each a function of the bytes it was."""

import struct

import numpy as np


def cut_off(data, share):
    """The first `share` of the bytes: a full disk, a pulled card."""
    return data[: int(len(data) * share)]


def never_finalised(data):
    """A WAV whose recorder lost power: the sound is there, both sizes still say nothing."""
    at = data.index(b"data") + 4
    return data[:4] + bytes(4) + data[8:at] + bytes(4) + data[at + 4 :]


def damaged(data, start_share, length, seed):
    """`length` bytes replaced by noise, from `start_share` of the way on."""
    start = int(len(data) * start_share)
    junk = np.random.Generator(np.random.PCG64(seed)).bytes(length)
    return data[:start] + junk + data[start + length :]


def box(kind, content):
    """One box of an MPEG-4 file."""
    return struct.pack(">I4s", 8 + len(content), kind) + content


def voice_memo():
    """The beginning of a telephone's AAC memo, and far too little behind it to be played."""
    brands = struct.pack(">4sI4s4s4s", b"M4A ", 0, b"M4A ", b"mp42", b"isom")
    sound = bytes.fromhex("210049900219") * 8
    return box(b"ftyp", brands) + box(b"free", b"") + box(b"mdat", sound)


def apple_double():
    """What a Mac leaves beside a file on a foreign disk: AppleDouble, one empty Finder entry."""
    start = struct.pack(">II16sH", 0x00051607, 0x00020000, b"Mac OS X".ljust(16), 1)
    return start + struct.pack(">III", 9, 38, 32) + bytes(32)
