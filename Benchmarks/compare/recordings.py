"""Makes the recordings that tools are compared on: speech with pauses, the same each time."""
import pathlib
import sys

import numpy as np

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
sys.path.insert(0, str(CORPUS))
import load  # noqa: E402
import sndfile  # noqa: E402
import sounds  # noqa: E402

# Name, libsndfile's encoding, rate. Opus has no 44.1 kHz.
FORMATS = {
    "WAV": ("talk.wav", "WAV, 16-bit PCM", 44100),
    "FLAC": ("talk.flac", "FLAC, 16-bit", 44100),
    "MP3": ("talk.mp3", "MP3", 44100),
    "Vorbis": ("talk.ogg", "Ogg Vorbis", 44100),
    "Opus": ("talk.opus", "Ogg Opus", 48000),
}
SMALL_SECONDS, SMALL_RATE = 2.7, 8000


def talk(seconds, rate, channels):
    """Samples, frames by channels."""
    phrases = [sounds.phrase(rate, *each).astype(np.float32) for each in load.PHRASES]
    portions = range(-(-int(seconds) // load.PORTION_SECONDS))
    samples = [load.talk_over_noise(index, phrases, rate, channels) for index in portions]
    return np.concatenate(samples)[: round(seconds * rate)].astype(np.float64)


def in_formats(folder, seconds, names=tuple(FORMATS)):
    """One recording a format, in stereo; their paths by the format's name."""
    folder.mkdir(parents=True)
    paths, sound = {}, {}
    for name in names:
        file, encoding, rate = FORMATS[name]
        if rate not in sound:
            sound[rate] = talk(seconds, rate, 2)
        paths[name] = folder / file
        sndfile.write(paths[name], sound[rate], rate, encoding)
    return paths


def wav(path, samples, rate, times=1):
    """16 bits, mono, the same samples so many times."""
    data = load.as_16_bits(samples)
    with open(path, "wb") as file:
        file.write(load.header(len(samples) * times, rate, 1))
        for _ in range(times):
            file.write(data)


def small(folder, count):
    """Many of a few seconds: no two of them the same, each quiet at both ends."""
    folder.mkdir(parents=True)
    frames = round(SMALL_SECONDS * SMALL_RATE)
    sound = talk(240, SMALL_RATE, 1)[:, 0]
    quiet = np.ones(frames)
    quiet[: frames // 4] = quiet[-frames // 4:] = 0.003
    for number in range(count):
        start = number * (len(sound) - frames) // count
        wav(folder / f"memo_{number:04}.wav", sound[start:start + frames] * quiet, SMALL_RATE)


def long(path, hours):
    """One of many hours, at 16 kHz."""
    minutes = 10
    wav(path, talk(60 * minutes, 16000, 1)[:, 0], 16000, times=hours * 60 // minutes)


def many(folder, count):
    """So many that are hardly anything, a thousand in a folder."""
    samples = talk(1, SMALL_RATE, 1)[: SMALL_RATE // 10, 0]
    for start in range(0, count, 1000):
        place = folder / f"{start // 1000:04}"
        place.mkdir(parents=True)
        for number in range(start, min(count, start + 1000)):
            wav(place / f"memo_{number:06}.wav", samples, SMALL_RATE)
