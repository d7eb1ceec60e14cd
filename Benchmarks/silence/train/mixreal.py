"""Mixes natural speech with natural sound, as real.py prepared them.

usage: mixreal.py REAL FOLDER COUNT --seed N [--short] [--more NOISE]

Writes FOLDER/00000.wav … and FOLDER/labels.json. A recording depends on the seed and its number
only, and is made of sources of a single fold, so that training can leave out that fold.
"""

import argparse
import functools
import json
import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.signal
import soundfile
import soxr

import mix
from real import FOLDS, RATE

FRAME = RATE // 100
# What is hardest to tell from speech, and what there is little of.
WEIGHTS = {"music-instrumental": 3, "animals": 2, "noise-street": 1.5, "machines": 1.5,
           "tones-sirens-beeps": 1.5, "breath-handling-clicks": 1.5, "room-tone": 1.5}
SPEECH, SILENCE, UNKNOWN = 1, 0, -1
# Speech lies at this level, as root mean square, before a recording gets its own.
LEVEL = 0.05


@functools.lru_cache(maxsize=4000)
def samples_of(path):
    return soundfile.read(path, dtype="float32")[0]


@functools.lru_cache(maxsize=1)
def pieces(real, more):
    """Labels of the speech and of the noise, by fold: noise by kind and source."""
    speech, noise = [[] for _ in range(FOLDS)], [{} for _ in range(FOLDS)]
    for name in ("speech", "noise", *more):
        with open(f"{real}/{name}/labels.json") as file:
            labels = json.load(file)
        for piece, facts in sorted(labels.items()):
            if facts["fold"] is None:
                continue
            path = f"{real}/{name}/{piece}"
            if name == "speech":
                speech[facts["fold"]].append((path, facts))
            else:
                kind = noise[facts["fold"]].setdefault(facts["kind"], {})
                kind.setdefault(facts["source"], []).append(path)
    return speech, noise


def frames_of(facts, count):
    """What each 10 ms of a piece is."""
    truth = np.full(count, SILENCE, np.int8)
    for value, name in ((SPEECH, "speech"), (UNKNOWN, "unknown")):
        for start, end in facts.get(name, []):
            truth[int(round(100 * start)):int(round(100 * end))] = value
    return truth


def stretches_of(truth, value):
    changes = np.diff(np.concatenate([[0], (truth == value).astype(int), [0]]))
    return [[a / 100, b / 100] for a, b in zip(np.flatnonzero(changes == 1).tolist(),
                                               np.flatnonzero(changes == -1).tolist())]


def faded(samples, seconds=0.015):
    count = min(len(samples) // 2, int(RATE * seconds))
    ramp = np.linspace(0, 1, count, dtype=np.float32)
    samples = samples.copy()
    samples[:count] *= ramp
    samples[len(samples) - count:] *= ramp[::-1]
    return samples


def unit(samples):
    return samples / (np.sqrt(np.mean(samples ** 2)) + 1e-6)


def any_noise(chance, noise):
    kinds = sorted(noise)
    weights = np.array([WEIGHTS.get(kind, 1) for kind in kinds], float)
    sources = noise[kinds[chance.choice(len(kinds), p=weights / weights.sum())]]
    paths = sources[sorted(sources)[chance.integers(len(sources))]]
    return samples_of(paths[chance.integers(len(paths))])


def bed(chance, noise, count):
    """Noise for a whole recording: a piece over and over, or one after the other."""
    track = np.zeros(count, np.float32)
    one = any_noise(chance, noise) if chance.random() < 0.7 else None
    place = 0
    while place < count:
        piece = faded(unit(one if one is not None else any_noise(chance, noise)), 0.03)
        end = min(count, place + len(piece))
        track[place:end] += piece[:end - place]
        place += max(len(piece) - int(0.03 * RATE), RATE // 10)
    if chance.random() < 0.45:
        track *= coming_and_going(chance, count)
    return track


def coming_and_going(chance, count):
    gains, place, is_on = np.zeros(count, np.float32), 0, chance.random() < 0.5
    while place < count:
        length = int(RATE * chance.uniform(0.3, 9))
        gains[place:place + length] = 1 if is_on else chance.choice([0, 0.1, 0.3])
        place, is_on = place + length, not is_on
    window = np.hanning(int(RATE * chance.choice([0.02, 0.2, 1])))
    return scipy.signal.fftconvolve(gains, window / window.sum(), "same").astype(np.float32)


def excerpt(chance, speech):
    """Some seconds of a voice at its usual level, cut where nobody speaks, and what they are."""
    path, facts = speech[chance.integers(len(speech))]
    samples = samples_of(path)
    truth = frames_of(facts, len(samples) // FRAME)
    start = int(chance.integers(0, max(1, len(truth) - 200)))
    end = min(len(truth), start + int(chance.uniform(200, 1400)))
    while start > 0 and truth[start] != SILENCE:
        start -= 1
    while end < len(truth) and truth[end - 1] != SILENCE:
        end += 1
    samples, truth = samples[start * FRAME:end * FRAME], truth[start:end]
    spoken = np.repeat(truth == SPEECH, FRAME)
    level = np.sqrt(np.mean(samples[spoken] ** 2)) if spoken.any() else 1
    return faded(samples * LEVEL / (level + 1e-6)), truth


def talk(chance, speech, count):
    """A track of speech alone, what each of its frames is, and how much quieter some voices are."""
    track, truth = np.zeros(count, np.float32), np.zeros(count // FRAME, np.int8)
    longest = chance.choice([0.3, 1.5, 4, 8])
    spread = chance.choice([0, 0, 6, 12, 20])
    place = int(100 * chance.uniform(0, 4)) if chance.random() < 0.7 else 0
    quietest = 0.0
    while place < len(truth) - 100:
        samples, own = excerpt(chance, speech)
        quieter = chance.uniform(0, spread)
        quietest = max(quietest, quieter)
        own = own[:len(truth) - place]
        samples = samples[:len(own) * FRAME] * 10 ** (-quieter / 20)
        track[place * FRAME:place * FRAME + len(samples)] += samples
        before = truth[place:place + len(own)]
        # Where two talk at once, either suffices.
        both = np.where((own == SPEECH) | (before == SPEECH), SPEECH, np.minimum(own, before))
        truth[place:place + len(own)] = both
        overlap = chance.uniform(0, 3) if chance.random() < 0.12 else 0
        place += len(own) + int(100 * (chance.uniform(0, longest) - overlap))
        place = max(place, 0)
    return track, truth, quietest


def events(chance, noise, mixture):
    """Other sounds, as loud as speech or louder."""
    for _ in range(chance.integers(1, 5)):
        sound = any_noise(chance, noise)[:int(RATE * chance.uniform(0.2, 3))]
        sound = faded(unit(sound)) * LEVEL * 10 ** (chance.uniform(-25, 6) / 20)
        place = int(chance.integers(0, max(1, len(mixture) - len(sound))))
        mixture[place:place + len(sound)] += sound


def filtered(chance, mixture):
    """Through a microphone, and through what cuts off high and low bands."""
    if chance.random() < 0.3:
        mixture = mix.shaped(mixture, mix.equaliser(chance, RATE))
    if chance.random() < 0.2:
        low = scipy.signal.butter(int(chance.choice([2, 4, 8])), chance.uniform(2000, 7000),
                                  fs=RATE, output="sos")
        mixture = scipy.signal.sosfilt(low, mixture)
    if chance.random() < 0.15:
        high = scipy.signal.butter(2, chance.uniform(80, 350), "high", fs=RATE, output="sos")
        mixture = scipy.signal.sosfilt(high, mixture)
    return mixture


def telephone(mixture):
    """300 to 3400 Hz, at 8 kHz."""
    band = scipy.signal.butter(4, [300, 3400], "band", fs=RATE, output="sos")
    return soxr.resample(scipy.signal.sosfilt(band, mixture), RATE, 8000, "HQ")


def cut_out(chance, mixture, truth, rate):
    """A prompt of up to four seconds, mostly with speech, and what its frames are."""
    length = int(100 * 10 ** chance.uniform(-0.65, 0.6))
    starts = [int(chance.integers(0, len(truth) - length)) for _ in range(8)]
    start = max(starts[:chance.choice([1, 8])],
                key=lambda start: int((truth[start:start + length] == SPEECH).sum()))
    if chance.random() < 0.5 and truth[start] == SPEECH:
        # It begins shortly before a word.
        words = np.flatnonzero(np.diff((truth == SPEECH).astype(int)) == 1)
        words = words[(words > 20) & (words < len(truth) - length)]
        if len(words):
            start = int(words[chance.integers(len(words))] - chance.integers(0, 20))
    frame = rate // 100
    return mixture[start * frame:(start + length) * frame], truth[start:start + length]


def recording(job):
    real, folder, seed, number, is_short, more = job
    if more:
        WEIGHTS["animals"] = 5
    path = f"{folder}/{number:05d}.wav"
    if os.path.exists(path + ".json"):
        with open(path + ".json") as file:
            return os.path.basename(path), json.load(file)
    chance = np.random.default_rng([seed, number])
    speech, noise = (parts[number % FOLDS] for parts in pieces(real, more))
    count = int(100 * chance.uniform(18, 30)) * FRAME
    track, truth, quieter = np.zeros(count, np.float32), np.zeros(count // FRAME, np.int8), 0
    says_nothing = chance.random() < 0.12
    if not says_nothing:
        track, truth, quieter = talk(chance, speech, count)
    if chance.random() < 0.3 and not says_nothing:
        response = mix.room(chance, RATE, chance.uniform(0.15, 0.9))
        track = scipy.signal.fftconvolve(track, response)[:count]
    # Where some speak more quietly, it is mostly them who stand so far above the noise.
    ratio = chance.uniform(-5, 20) if chance.random() < 0.8 else chance.uniform(15, 45)
    ratio += 0.7 * quieter
    mixture = track + bed(chance, noise, count) * LEVEL * 10 ** (-ratio / 20)
    if chance.random() < 0.35:
        events(chance, noise, mixture)
    mixture = mixture + chance.standard_normal(count) * 10 ** (chance.uniform(-90, -55) / 20)
    mixture = filtered(chance, mixture)
    rate = RATE
    if chance.random() < 0.15:
        mixture, rate = telephone(mixture), 8000
    if chance.random() < 0.2:
        mixture = mix.levelled(chance, mixture, rate)
    mixture = unit(mixture) * 10 ** (chance.uniform(-38, -12) / 20)
    if is_short:
        mixture, truth = cut_out(chance, mixture, truth, rate)
    soundfile.write(path, np.clip(mixture, -1, 1), rate, subtype="PCM_16")
    codec = mix.coded(chance, path, rate) if chance.random() < 0.3 else "none"
    facts = {
        "kind": "nothing said" if says_nothing else "talk", "noise": "natural",
        "fold": number % FOLDS, "snr": round(ratio), "codec": codec, "duration": len(mixture) / rate,
        "speech": stretches_of(truth, SPEECH), "unknown": stretches_of(truth, UNKNOWN)}
    with open(path + ".json", "w") as file:
        json.dump(facts, file)
    return os.path.basename(path), facts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("real")
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="cut down to 0.2 to 4 s")
    parser.add_argument("--more", default=(), type=lambda text: tuple(text.split(",")),
                        help="folders of REAL with further noise, animals for the most part")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    jobs = [(arguments.real, arguments.folder, arguments.seed, number, arguments.short,
             arguments.more) for number in range(arguments.count)]
    with ProcessPoolExecutor(2) as pool:
        labels = dict(pool.map(recording, jobs, chunksize=8))
    with open(f"{arguments.folder}/labels.json", "w") as file:
        json.dump(labels, file)


if __name__ == "__main__":
    main()
