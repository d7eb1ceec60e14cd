"""Gathers animals from packages of Debian 12, for training: calls beyond those of real.py's folder.

usage: animals.py PACKAGES FOLDER

PACKAGES holds the .deb files (`apt-get download`, not installed). Writes FOLDER/*.wav, 16 kHz mono,
calls of one package after the other in pieces of about 12 s, and labels.json as real.py does. The
packages belong to folds in which real.py has other pieces of them, or to none that it checks first.
"""

import argparse
import glob
import io
import json
import os
import re
import subprocess
import zlib
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.signal
import soundfile
import soxr

from real import RATE

SECONDS = 12
ANIMAL = (r"animal|bird|wolf|horse[-_0.]|dog|cat[-_.]|cow[-_0.]|sheep|pig|duck|frog|cricket|owl|crow|"
          r"raven|gryphon|bat-|boar|coyote|moose|stag_|donkey|ox_|goose|meow|kitten|rooster|seal")
# Package: its fold, and what a path there must and must not match.
PACKAGES = {
    "tuxpaint-stamps-default": (3, r"/animals/.*\.ogg$", r"_desc"),
    "widelands-data": (1, r"/(animals|farm|critters/\w+)/[^/]*\.ogg$", r"scythe"),
    "wesnoth-1.16-data": (2, rf"/core/sounds/.*({ANIMAL}).*\.(ogg|wav)$", r"human|dragonstick"),
    "megaglest-data": (1, r"/sounds/(cow|pig|sheep|chicken|wolf|bird|dog)[^/]*\.(wav|ogg)$", r"$^"),
    "scratch": (2, r"/Sounds/Animal/", r"$^"),
    "gcompris-qt-data": (3, r"/explore_(farm|world)_animals\.rcc$", r"$^"),
}


def streams(path):
    """The recordings in a file: one, or those that a Qt resource file holds uncompressed."""
    with open(path, "rb") as file:
        data = file.read()
    if not path.endswith(".rcc"):
        return [data]
    # An Ogg stream begins with a page of flag 2 and ends with one of flag 4.
    found, place, start = [], data.find(b"OggS"), None
    while place >= 0:
        flags, segments = data[place + 5], data[place + 26]
        length = 27 + segments + sum(data[place + 27:place + 27 + segments])
        if flags & 2:
            start = place
        if flags & 4 and start is not None:
            found.append(data[start:place + length])
            start = None
        place = data.find(b"OggS", place + max(27, length))
    return found


def call(data):
    """A call at 16 kHz, without silence around it; `None` if it cannot be read or is too short."""
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except soundfile.LibsndfileError:
        return None
    samples = soxr.resample(samples.mean(1), rate, RATE, "HQ")
    loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max()) if len(samples) else []
    if len(loud) < RATE // 20:
        return None
    samples = samples[loud[0]:loud[-1] + 1][:RATE * 24]
    level = np.sqrt(np.mean(samples ** 2))
    return samples / level if level > 1e-5 else None


def pieces(calls, chance):
    """The calls one after the other over a quiet floor, in pieces of some seconds."""
    piece = []
    for samples in calls:
        gap = np.zeros(int(RATE * 10 ** chance.uniform(-1, 0.3)), np.float32)
        piece += [samples * 10 ** (chance.normal(0, 3) / 20), gap]
        if sum(map(len, piece)) > RATE * SECONDS:
            yield np.concatenate(piece)
            piece = []
    if sum(map(len, piece)) > RATE:
        yield np.concatenate(piece)


def gather(packages, folder, name):
    """Writes the pieces of a package, and gives their labels."""
    fold, wanted, unwanted = PACKAGES[name]
    unpacked = f"{folder}/unpacked/{name}"
    if not os.path.exists(unpacked):
        os.makedirs(unpacked)
        subprocess.run(["dpkg-deb", "-x", glob.glob(f"{packages}/{name}_*.deb")[0], unpacked],
                       check=True)
    paths = sorted(os.path.join(top, file)[len(unpacked):]
                   for top, _, files in os.walk(unpacked) for file in files)
    paths = [path for path in paths if re.search(wanted, path) and not re.search(unwanted, path)]
    calls = [call(data) for path in paths for data in streams(unpacked + path)]
    calls = [samples for samples in calls if samples is not None]
    chance = np.random.default_rng(zlib.crc32(name.encode()))
    labels = {}
    for number, piece in enumerate(pieces(calls, chance)):
        floor = scipy.signal.lfilter([1], [1, -0.9], chance.standard_normal(len(piece)))
        piece = piece + floor / floor.std() * 10 ** (-chance.uniform(35, 70) / 20)
        piece *= min(0.9 / np.abs(piece).max(), 10 ** (-chance.uniform(14, 34) / 20))
        file = f"{name}-{number:03d}.wav"
        soundfile.write(f"{folder}/{file}", piece, RATE, subtype="PCM_16")
        labels[file] = {"kind": "animals", "noise": "animals", "source": name, "fold": fold,
                        "speech": [], "duration": len(piece) / RATE}
    print(f"{name}: {len(calls)} calls, {sum(f['duration'] for f in labels.values()):.0f} s")
    return labels


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    labels = {}
    with ProcessPoolExecutor(2) as pool:
        names = sorted(PACKAGES)
        for own in pool.map(gather, [arguments.packages] * len(names),
                            [arguments.folder] * len(names), names):
            labels |= own
    with open(f"{arguments.folder}/labels.json", "w") as file:
        json.dump(labels, file, indent=0)


if __name__ == "__main__":
    main()
