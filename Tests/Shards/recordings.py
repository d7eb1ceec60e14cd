"""Recordings of four to sixteen seconds, silence and sound by turns, in folders of 100.

Usage: recordings.py FOLDER COUNT. The same count gives the same bytes.
"""

import pathlib
import random
import struct
import sys
import wave


def record(root, count):
    loud = []
    for seed in range(8):
        noise = random.Random(seed)
        loud.append(struct.pack("<8000h", *(noise.randint(-9000, 9000) for _ in range(8000))))
    for number in range(count):
        path = root / f"{number // 100:03}" / f"{number:05}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 16000, 0, "NONE", ""))
            for part in range(2 + number % 7):
                file.writeframes(bytes(48000) + loud[(number + part) % 8])


if __name__ == "__main__":
    record(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
