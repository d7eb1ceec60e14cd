"""Writes where silero-vad (MIT) hears speech in clean recordings: teacher.json in their folder.

usage: teacher.py FOLDER        (pip install silero-vad soundfile soxr)

Stretches are speech if it says so with its default settings and with ones tuned to miss less, and
not speech if it does with neither; where the two disagree, nothing is learned.
"""

import json
import os
import sys

import soundfile
import soxr
import torch
from silero_vad import get_speech_timestamps, load_silero_vad

RATE = 16_000
TUNED = {"threshold": 0.25, "min_silence_duration_ms": 100, "speech_pad_ms": 30,
         "min_speech_duration_ms": 100}


def combined(one, other, duration):
    """The stretches where both, neither, or only one of two lists of stretches holds."""
    edges = sorted({0.0, duration, *(edge for pair in one + other for edge in pair)})
    result = {"speech": [], "nonspeech": [], "disagree": []}
    for start, end in zip(edges, edges[1:]):
        middle = (start + end) / 2
        votes = sum(any(a <= middle < b for a, b in said) for said in (one, other))
        stretches = result[("nonspeech", "disagree", "speech")[votes]]
        if stretches and stretches[-1][1] == start:
            stretches[-1][1] = end
        else:
            stretches.append([start, end])
    return result


def main(folder):
    torch.set_num_threads(1)
    model = load_silero_vad()
    taught = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            continue
        samples, rate = soundfile.read(f"{folder}/{name}", dtype="float32", always_2d=True)
        samples = torch.from_numpy(soxr.resample(samples.mean(1), rate, RATE, "HQ"))

        def said(**settings):
            found = get_speech_timestamps(samples, model, sampling_rate=RATE, **settings)
            return [[stretch["start"] / RATE, stretch["end"] / RATE] for stretch in found]

        taught[name] = combined(said(), said(**TUNED), len(samples) / RATE)
    with open(f"{folder}/teacher.json", "w") as file:
        json.dump(taught, file)


if __name__ == "__main__":
    main(sys.argv[1])
