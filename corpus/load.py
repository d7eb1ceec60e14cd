"""Recordings for load tests: one that is very long, or very many that are very small.

Both are written by hand as 16-bit WAV, in portions, so that neither takes memory or a library.
"""

import struct
from pathlib import Path

import numpy as np

import sounds

PORTION_SECONDS = 60
SEED = 1877
MANY_RATE = 8000
LARGEST_RIFF = 0xFFFFFFFF
PHRASES = [
    ("en-gb", "The tide turns at half past four."),
    ("en-us", "We kept the engine running all night."),
    ("en-gb", "Nobody remembers who painted the door."),
    ("de", "Der Hafen war im Winter leer."),
    ("en-us", "Write it down before you forget."),
    ("fr-fr", "Le phare est derrière la colline."),
]


def header(frames, rate, channels):
    """The bytes before the samples of a 16-bit recording: WAV, or RF64 from 4 GB on."""
    frame_bytes = 2 * channels
    data_bytes = frames * frame_bytes
    form = struct.pack(
        "<4sIHHIIHH", b"fmt ", 16, 1, channels, rate, rate * frame_bytes, frame_bytes, 16)
    if data_bytes + 36 <= LARGEST_RIFF:
        start = struct.pack("<4sI4s", b"RIFF", data_bytes + 36, b"WAVE")
        return start + form + struct.pack("<4sI", b"data", data_bytes)
    start = struct.pack("<4sI4s", b"RF64", LARGEST_RIFF, b"WAVE")
    sizes = struct.pack("<4sIQQQI", b"ds64", 28, data_bytes + 72, data_bytes, frames, 0)
    return start + sizes + form + struct.pack("<4sI", b"data", LARGEST_RIFF)


def random_numbers(*seed):
    """A generator of its own for every portion or file, the same in every run."""
    return np.random.Generator(np.random.PCG64([SEED, *seed]))


def as_16_bits(samples):
    """Full scale 1 to little-endian bytes."""
    return np.clip(np.rint(samples * 32768), -32768, 32767).astype("<i2").tobytes()


def talk_over_noise(index, phrases, rate, channels):
    """The portion with this index: phrases at random times over noise of -50 dBFS."""
    random = random_numbers(index)
    frames = PORTION_SECONDS * rate
    samples = random.standard_normal((frames, channels), dtype=np.float32)
    samples *= np.float32(10 ** (-50 / 20))
    at = int(random.uniform(0.5, 4) * rate)
    while True:
        phrase = phrases[random.integers(len(phrases))]
        if at + len(phrase) > frames:
            return samples
        channel, gain = random.integers(channels), random.uniform(0.15, 0.7)
        samples[at : at + len(phrase), channel] += phrase * np.float32(gain)
        at += len(phrase) + int(random.uniform(0.3, 6) * rate)


def write_long(path, seconds, rate, channels):
    """One recording of any length, in the memory of one portion."""
    if seconds <= 0 or rate < 1 or channels < 1:
        raise ValueError("seconds, rate and channels must be positive")
    phrases = [sounds.phrase(rate, *each).astype(np.float32) for each in PHRASES]
    frames = round(seconds * rate)
    with open(path, "wb") as file:
        file.write(header(frames, rate, channels))
        for index in range(-(-frames // (PORTION_SECONDS * rate))):
            left = frames - index * PORTION_SECONDS * rate
            file.write(as_16_bits(talk_over_noise(index, phrases, rate, channels)[:left]))


def write_many(count, folder):
    """`count` recordings of 0.2 to 1 s, fifty in a folder and twenty folders in a folder.

    Each is a tone in noise with a fifth of its length quiet on both sides; no two are the same.
    """
    for index in range(count):
        path = Path(folder) / f"{index // 1000:03}/{index // 50 % 20:02}/memo_{index:06}.wav"
        if index % 50 == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
        random = random_numbers(index)
        frames = int(random.uniform(0.2, 1) * MANY_RATE)
        samples = random.standard_normal(frames) * 0.002
        sounding = slice(frames // 5, frames - frames // 5)
        turn = 2 * np.pi * random.uniform(200, 2000) / MANY_RATE
        samples[sounding] += 0.4 * np.sin(turn * np.arange(sounding.stop - sounding.start))
        path.write_bytes(header(frames, MANY_RATE, 1) + as_16_bits(samples))
