"""Prepares natural sound for training and scoring: speech, and what is not speech.

usage: real.py FOLDER WORK

FOLDER holds nonspeech/KIND/*, speech/*, speech/teacher.json (see teacher.py) and manifest.json,
which names the source of each piece. Writes WORK/noise, WORK/sung and WORK/speech: the pieces as
16 kHz mono, and a labels.json, which names each piece's kind, source and fold. A fold is a quarter
of the sources; what is said of a piece is honest if its fold was left out of training.
"""

import argparse
import json
import os
import re
from concurrent.futures import ProcessPoolExecutor

import soundfile
import soxr

RATE = 16_000
FOLDS = 4
# Sources of the natural recordings that only check: never trained on.
CHECKING = {"ambeng", "berlin", "drunken", "fleurs", "iss", "muzak", "watson"}
# Packages of the same makers.
FAMILIES = [(r"^(pc|precise).*", "precise"), (r"^hw.*", "hedgewars"), (r"^flare.*", "flare"),
            (r"^(uh-|unknownhorizons).*", "unknownhorizons"), (r"^tuxpaint.*", "tuxpaint"),
            (r"^(stk|supertuxkart)$", "supertuxkart"), (r"^fsdd.*", "fsdd"),
            (r"^wesnothm$", "wesnoth"), (r"-.*", "")]


def family(source, path):
    """The source, or the speaker in a corpus of hundreds of them."""
    if source == "libritc":
        return os.path.basename(path).rsplit("-", 1)[0]
    for pattern, name in FAMILIES:
        source = re.sub(pattern, name, source)
    return source


def folds(manifest):
    """The fold of each source: large sources first, each where it evens out the kinds best."""
    minutes = {}
    for path, about in manifest.items():
        name = family(about["source"], path)
        if name not in CHECKING:
            own = minutes.setdefault(name, {})
            kind = path.split("/")[1] if path.startswith("nonspeech/") else "speech"
            own[kind] = own.get(kind, 0) + about["seconds"] / 60
    totals = {}
    for own in minutes.values():
        for kind, length in own.items():
            totals[kind] = totals.get(kind, 0) + length
    filled = [dict.fromkeys(totals, 0.0) for _ in range(FOLDS)]
    result = {}
    # Rounded, so that no last bit of a sum decides.
    shares = {name: round(max(length / totals[kind] for kind, length in own.items()), 6)
              for name, own in minutes.items()}
    for name in sorted(minutes, key=lambda name: (-shares[name], name)):
        own = minutes[name]
        loads = [round(sum(length / totals[kind] * filled[fold][kind] / totals[kind]
                           for kind, length in own.items()), 9) for fold in range(FOLDS)]
        result[name] = loads.index(min(loads))
        for kind, length in own.items():
            filled[result[name]][kind] += length
    return result


def converted(job):
    """Copies one recording as 16 kHz mono; gives its length in seconds."""
    path, target = job
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    samples = samples.mean(1)
    if rate != RATE:
        samples = soxr.resample(samples, rate, RATE, "HQ")
    soundfile.write(target, samples, RATE, subtype="PCM_16")
    return len(samples) / RATE


def facts_of(path, about, taught, fold):
    source = family(about["source"], path)
    facts = {"kind": path.split("/")[1], "noise": path.split("/")[1], "source": source,
             "fold": fold.get(source), "speech": []}
    if taught:
        facts |= {"kind": "speech", "noise": "none", "speech": taught["speech"],
                  "unknown": taught["disagree"]}
    return facts


def gather(folder, work, manifest, taught, name, wanted):
    """Writes one labelled folder of the pieces whose path is wanted."""
    target = f"{work}/{name}"
    fold = folds(manifest)
    os.makedirs(target, exist_ok=True)
    jobs, labels = [], {}
    for path in sorted(filter(wanted, manifest)):
        copy = re.sub(r"[^\w.-]", "_", "-".join(path.split("/")[1:])) + ".wav"
        jobs.append((f"{folder}/{path}", f"{target}/{copy}"))
        labels[copy] = facts_of(path, manifest[path], taught.get(os.path.basename(path)), fold)
    with ProcessPoolExecutor(2) as pool:
        for facts, seconds in zip(labels.values(), pool.map(converted, jobs, chunksize=16)):
            facts["duration"] = seconds
    with open(f"{target}/labels.json", "w") as file:
        json.dump(labels, file, indent=0)
    minutes = [0.0] * (FOLDS + 1)
    for facts in labels.values():
        minutes[FOLDS if facts["fold"] is None else facts["fold"]] += facts["duration"] / 60
    print(f"{name}: {len(labels)} pieces; minutes by fold, and for checking: "
          + ", ".join(f"{m:.0f}" for m in minutes))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("work")
    arguments = parser.parse_args()
    with open(f"{arguments.folder}/manifest.json") as file:
        manifest = json.load(file)
    with open(f"{arguments.folder}/speech/teacher.json") as file:
        taught = json.load(file)
    for name, wanted in [
        ("noise", lambda p: p.startswith("nonspeech/") and "music-vocal" not in p),
        ("sung", lambda p: p.startswith("nonspeech/music-vocal/")),
        ("speech", lambda p: p.startswith("speech/") and os.path.basename(p) in taught),
    ]:
        gather(arguments.folder, arguments.work, manifest, taught, name, wanted)


if __name__ == "__main__":
    main()
