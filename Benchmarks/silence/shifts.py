"""Makes of a labelled folder the same as other rooms, recorders and codecs would have it."""
import json
import os
import zlib

import numpy as np

import sound


def convolved(samples, response):
    length = len(samples) + len(response) - 1
    size = 1 << (length - 1).bit_length()
    spectrum = np.fft.rfft(samples, size, axis=0) * np.fft.rfft(response, size)[:, None]
    return np.fft.irfft(spectrum, size, axis=0)


def reverberation(samples, rate, random):
    """A room whose echo is 60 dB down after 0.35 s, its energy half of the direct sound's."""
    times = np.arange(int(0.35 * rate)) / rate
    tail = random.standard_normal(len(times)) * 10 ** (-3 * times / 0.35)
    tail[:int(0.002 * rate)] = 0
    tail *= np.sqrt(0.5 / np.sum(tail ** 2))
    tail[0] = 1
    return convolved(samples, tail)[:len(samples)]


def gain_control(samples, rate, random):
    """A recorder's automatic gain: down within 20 ms, up again within two seconds, by 24 dB."""
    hop = rate // 100
    frames = len(samples) // hop + 1
    padded = np.concatenate([samples, np.zeros((frames * hop - len(samples), samples.shape[1]))])
    levels = np.abs(padded).max(1).reshape(frames, hop).max(1)
    envelope, follower = np.empty(frames), 1e-4
    for frame, level in enumerate(levels):
        follower += (level - follower) * (0.5 if level > follower else 0.005)
        envelope[frame] = follower
    wanted = 0.4 / np.maximum(envelope, 1e-6)
    # From the gain that fits the loudest passage up, since the level before it is not known.
    gain = np.minimum(wanted, wanted.min() * 10 ** (24 / 20))
    places = (np.arange(len(samples)) + 0.5) / hop - 0.5
    shaped = samples * np.interp(places, np.arange(frames), gain)[:, None]
    return np.clip(shaped, -1, 1)


def low_pass(samples, rate, random):
    """Nothing over 2.5 kHz, as of an old telephone."""
    reach = rate // 100
    times = np.arange(-reach, reach + 1) / rate
    response = np.sinc(5000 * times) * np.hanning(2 * reach + 1)
    return convolved(samples, response / response.sum())[reach:reach + len(samples)]


FILTERS = {
    "reverberation 0.35 s": reverberation,
    "automatic gain": gain_control,
    "low-pass 2.5 kHz": low_pass,
}
CODECS = {
    "MP3 32 kbit/s": ("mp3", ["-ac", "1", "-c:a", "libmp3lame", "-b:a", "32k"]),
    "Opus 12 kbit/s": ("opus", ["-ac", "1", "-c:a", "libopus", "-b:a", "12k"]),
    "GSM": ("gsm", ["-ac", "1", "-ar", "8000", "-c:a", "libgsm"]),
}
NAMES = [*FILTERS, *CODECS]


def make(name, folder, target):
    """Makes the shifted set of a labelled folder; the labels stay true."""
    with open(os.path.join(folder, "labels.json")) as file:
        labels = json.load(file)
    shifted = {}
    for recording, label in labels.items():
        source = os.path.join(folder, recording)
        output = os.path.splitext(recording)[0] + ".wav"
        shifted[output] = label
        if name in FILTERS:
            samples, rate = sound.read(source)
            random = np.random.default_rng(zlib.crc32(recording.encode()))
            sound.write(os.path.join(target, output), FILTERS[name](samples, rate, random), rate)
        else:
            rate = 8000 if name == "GSM" else 48000
            sound.through(CODECS[name], source, os.path.join(target, output), rate)
    for leftover in os.listdir(target):
        if not leftover.endswith(".wav"):
            os.remove(os.path.join(target, leftover))
    with open(os.path.join(target, "labels.json"), "w") as file:
        json.dump(shifted, file)
