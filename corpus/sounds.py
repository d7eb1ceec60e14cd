"""Sounds to record: speech, tones, noise, and what rooms and recorders do to them.

Every function returns a new `Sound`. Nothing depends on the clock or on global random state.
"""

import functools
import shutil
import subprocess
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Sound:
    """Frames by channels, full scale being 1, and the `[start, end]` seconds in which it sounds."""

    rate: int
    samples: np.ndarray
    heard: tuple = ()

    @property
    def seconds(self):
        return len(self.samples) / self.rate


# Pieces


def _espeak(*arguments):
    """What espeak-ng writes to its standard output, or an end with a sentence."""
    if shutil.which("espeak-ng") is None:
        raise SystemExit("make.py: espeak-ng is missing: apt install espeak-ng")
    return subprocess.run(["espeak-ng", *arguments], check=True, capture_output=True).stdout


def espeak_version():
    """The first line of `espeak-ng --version` without the path of its data."""
    return _espeak("--version").decode().split("Data at")[0].split(":")[1].strip()


@functools.cache
def phrase(rate, voice, text):
    """One spoken phrase, peak 1, without silence around it."""
    wave = _espeak("-v", voice, "-s", "160", "-z", "--stdout", text)
    spoken_rate = int.from_bytes(wave[24:28], "little")
    spoken = np.frombuffer(wave[44:], dtype="<i2").astype(np.float64)
    loud = np.flatnonzero(np.abs(spoken) > 32)
    spoken = resampled(spoken[loud[0] : loud[-1] + 1], spoken_rate, rate)
    return spoken / np.abs(spoken).max()


def resampled(samples, rate, new_rate):
    """The same sound at another rate, by cutting or padding its spectrum.

    A tenth of a second of silence on both sides keeps the end from wrapping into the beginning.
    """
    margin = rate // 10
    frames = -(-(len(samples) + 2 * margin) // rate) * rate
    padded = np.zeros(frames)
    padded[margin : margin + len(samples)] = samples
    spectrum = np.fft.rfft(padded)
    new_frames = frames // rate * new_rate
    moved = np.fft.irfft(spectrum[: new_frames // 2 + 1], new_frames) * new_rate / rate
    start = margin * new_rate // rate
    return moved[start : start + len(samples) * new_rate // rate]


def tone(rate, hertz, seconds=0.6):
    """A sine of peak 1 with 20 ms of rise and fall."""
    time = np.arange(int(seconds * rate)) / rate
    edge = np.minimum(1, np.minimum(time, seconds - time) / 0.02)
    return np.sin(2 * np.pi * hertz * time) * np.sin(np.pi / 2 * edge) ** 2


def noise(frames, rate, dbfs, seed, above_hertz=None):
    """Gaussian noise of exactly `dbfs` RMS; falling by 6 dB per octave over `above_hertz`."""
    samples = np.random.Generator(np.random.PCG64(seed)).standard_normal(frames)
    if above_hertz is not None:
        hertz = np.fft.rfftfreq(frames, 1 / rate)
        slope = 1 / np.sqrt(1 + (hertz / above_hertz) ** 2)
        samples = np.fft.irfft(np.fft.rfft(samples) * slope, frames)
    return samples * 10 ** (dbfs / 20) / np.sqrt(np.mean(samples**2))


# Time lines


def in_turn(rate, pieces, lead, gap, trail, peak):
    """The pieces one after the other, `gap` seconds of nothing between them."""
    parts, heard, at = [np.zeros(round(lead * rate))], [], round(lead * rate)
    for piece in pieces:
        heard.append((at / rate, (at + len(piece)) / rate))
        pause = round((trail if len(heard) == len(pieces) else gap) * rate)
        parts += [piece * peak, np.zeros(pause)]
        at += len(piece) + pause
    return Sound(rate, np.concatenate(parts)[:, None], tuple(heard))


def talk(rate, voice, texts, lead=1.0, gap=1.2, trail=1.0, peak=0.5):
    """Phrases of one voice with pauses."""
    return in_turn(rate, [phrase(rate, voice, text) for text in texts], lead, gap, trail, peak)


def tones(rate, hertz, lead=1.0, gap=1.2, trail=1.0, peak=0.4, seconds=0.6):
    """Tones with pauses."""
    return in_turn(rate, [tone(rate, each, seconds) for each in hertz], lead, gap, trail, peak)


def nothing(rate, seconds, channels=1):
    """Digital silence."""
    return Sound(rate, np.zeros((round(seconds * rate), channels)))


# What rooms do


def room(sound, dbfs, seed, above_hertz=None):
    """A bed of noise, of its own on every channel."""
    frames, channels = sound.samples.shape
    bed = [noise(frames, sound.rate, dbfs, [seed, c], above_hertz) for c in range(channels)]
    return replace(sound, samples=sound.samples + np.stack(bed, axis=1))


def rising_room(sound, dbfs, later_dbfs, seed):
    """A bed of noise whose level steps up in the middle of the recording."""
    half = len(sound.samples) // 2
    quiet = noise(half, sound.rate, dbfs, [seed, 0])
    loud = noise(len(sound.samples) - half, sound.rate, later_dbfs, [seed, 1])
    return replace(sound, samples=sound.samples + np.concatenate([quiet, loud])[:, None])


def hum(sound, dbfs):
    """50 Hz from the mains with four harmonics, each 6 dB below the one before."""
    time = np.arange(len(sound.samples)) / sound.rate
    mains = sum(np.sin(2 * np.pi * 50 * n * time + n) * 0.5 ** (n - 1) for n in range(1, 6))
    level = 10 ** (dbfs / 20) / np.sqrt(np.mean(mains**2))
    return replace(sound, samples=sound.samples + level * mains[:, None])


def over_drone(sound, hertz):
    """A reed of -23 dBFS with its first three overtones, which never stops."""
    time = np.arange(len(sound.samples)) / sound.rate
    reed = sum(np.sin(2 * np.pi * hertz * n * time) / n for n in range(1, 5))
    return replace(sound, samples=sound.samples + 0.084 * reed[:, None])


# What recorders and lines do


def offset(sound, value):
    """A constant added to every sample."""
    return replace(sound, samples=sound.samples + value)


def overdriven(sound, gain):
    """Too much gain in front of a converter: everything beyond full scale is cut flat."""
    return replace(sound, samples=np.clip(sound.samples * gain, -1, 1))


def telephone(sound):
    """Nothing but 300 to 3400 Hz, as on a telephone line."""
    spectrum = np.fft.rfft(sound.samples, axis=0)
    hertz = np.fft.rfftfreq(len(sound.samples), 1 / sound.rate)
    spectrum[(hertz < 300) | (hertz > 3400)] = 0
    return replace(sound, samples=np.fft.irfft(spectrum, len(sound.samples), axis=0))


def weak_end(sound, seconds, gain):
    """The last `seconds` of every heard stretch turned down."""
    return _turned(sound, lambda start, end: (end - seconds, end), lambda n: np.full(n, gain))


def weak_beginning(sound, seconds, gain):
    """Every heard stretch rising from `gain` to 1 over `seconds`."""
    return _turned(
        sound, lambda start, end: (start, start + seconds), lambda n: np.geomspace(gain, 1, n))


def _turned(sound, stretch, gains):
    """The sound with `gains` applied to a part of each heard stretch."""
    samples = sound.samples.copy()
    for heard in sound.heard:
        first, last = (round(second * sound.rate) for second in stretch(*heard))
        samples[first:last] *= gains(last - first)[:, None]
    return replace(sound, samples=samples)


# Channels


def side_by_side(left, right):
    """Two mono sounds as the channels of one; the shorter one ends in silence."""
    samples = np.zeros((max(len(left.samples), len(right.samples)), 2))
    samples[: len(left.samples), 0] = left.samples[:, 0]
    samples[: len(right.samples), 1] = right.samples[:, 0]
    return Sound(left.rate, samples, tuple(sorted(left.heard + right.heard)))


def antiphase(sound):
    """The same on both channels, upside down on the right: a mono mix of it is silent."""
    return replace(sound, samples=np.hstack([sound.samples, -sound.samples]))


def on_24_bits(samples):
    """Rounded to steps of 2⁻²³.

    Processors differ in the last bit of a sine or a transform; no such bit may reach a file.
    """
    return np.round(samples * 2**23) / 2**23
