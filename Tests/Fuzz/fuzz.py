"""Runs mutated recordings through `tapedeck run --isolate`, and through it without.

Usage: fuzz.py TAPEDECK COUNT [FIRST]. Needs ffmpeg. The same numbers give the same files.

Fails if the command itself ends by a signal, a run does not end within its time, an original is
changed, a batch of another kind than mutated files suffers, or results differ where both ways have
some. Says what the two ways cost.
"""

import collections
import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Metadata"))
import sources  # noqa: E402

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 0
BATCH = 500
EDGES = [0, 1, 2, 3, 4, 8, 16, 24, 32, 255, 256, 1024, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x10000,
         0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF]
# The helpers of a run are adopted and waited for, so that their time is counted.
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def seeds(folder):
    """Short recordings of many formats, with metadata."""
    samples = sources.sound(3)[::6]
    sources.wav(folder / "a.wav", samples)
    sources.wav(folder / "a.rf64", samples, wide=True)
    sources.w64(folder / "a.w64", samples)
    sources.aiff(folder / "a.aiff", samples)
    sources.plain(folder, samples)
    formats = {
        "b.flac": [], "b.mp3": [], "b.m4a": [], "b.ogg": ["-c:a", "libvorbis"], "b.opus": [],
        "b.mka": [], "b.wma": [], "b.caf": [], "b.au": [], "b.aiff": ["-c:a", "pcm_s24be"],
        "c.wav": ["-c:a", "pcm_f32le"], "d.wav": ["-c:a", "adpcm_ms"],
        "e.wav": ["-c:a", "pcm_alaw"], "b.wv": [], "b.aac": [], "b.voc": [],
        "g.wav": ["-c:a", "adpcm_ima_wav"], "b.tta": [],
    }
    for name, options in formats.items():
        has_cover = name.split(".")[-1] in ("flac", "mp3", "m4a")
        sources.by_ffmpeg(folder, name, *options, cover=has_cover)
    for name in ["tags.txt", "cover.png", "plain.wav"]:
        (folder / name).unlink(missing_ok=True)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def mutated(data, chance, pool):
    """The bytes with one to four faults, most of them where headers are."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 2, 4])):
        if len(data) < 16:
            break
        near = min(len(data), chance.choice([64, 256, 1024, len(data)]))
        place = chance.randrange(near)
        kind = chance.randrange(9)
        if kind == 0:
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place] = chance.randrange(256)
        elif kind in (2, 3):
            number = struct.pack(chance.choice("<>") + "I", chance.choice(EDGES))
            data[place:place + 4] = number
        elif kind == 4:
            data[place:place + 2] = struct.pack(
                chance.choice("<>") + "H", chance.choice(EDGES) & 0xFFFF)
        elif kind == 5:
            del data[chance.randrange(len(data)):]
        elif kind == 6:
            del data[place:place + chance.randrange(1, 64)]
        elif kind == 7:
            data[place:place] = data[place:place + chance.randrange(1, 512)]
        else:
            other = chance.choice(pool)
            start = chance.randrange(len(other))
            data[place:place + 64] = other[start:start + chance.randrange(1, 256)]
    return bytes(data)


def run(folder, output, *options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.time()
    done = subprocess.run(
        [TOOL, "run", folder, "--output", output, "--no-config", "-q", "--threshold", "-40dBFS",
         "--trim", "gaps", *options], capture_output=True, timeout=600)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, spent, time.time() - start


def results(output):
    manifest = json.loads((output / "manifest.json").read_text())
    return {entry["name"]: entry for entry in manifest["recordings"]}


def main():
    totals = collections.Counter()
    cost = {"with": [0.0, 0.0], "without": [0.0, 0.0]}
    differing = []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "seeds").mkdir()
        originals = seeds(root / "seeds")
        pool = list(originals.values())
        for batch in range(FIRST // BATCH, (FIRST + COUNT + BATCH - 1) // BATCH):
            chance = random.Random(batch)
            folder = root / "in"
            folder.mkdir()
            made = {}
            for number in range(BATCH):
                stem = chance.choice(list(originals))
                made[f"{number:03}-{stem}"] = mutated(originals[stem], chance, pool)
            # A whole one, which nothing may harm.
            made["whole.wav"] = originals["a.wav"]
            for path, data in made.items():
                (folder / path).write_bytes(data)
            found = {}
            for way, options in [("with", ["--isolate"]), ("without", [])]:
                status, spent, passed = run(folder, root / way, *options)
                cost[way][0] += spent
                cost[way][1] += passed
                if status not in (0, 3):
                    raise SystemExit(f"batch {batch} {way} --isolate: exit status {status}")
                found[way] = results(root / way)
            for path, data in made.items():
                if (folder / path).read_bytes() != data:
                    raise SystemExit(f"batch {batch}: {path} was changed")
            for path, entry in found["with"].items():
                reason = entry.get("failure", {}).get("reason", entry["status"])
                totals[reason] += 1
                if entry != found["without"].get(path):
                    differing.append((batch, path, reason, found["without"].get(path, {}).get(
                        "failure", {}).get("reason")))
            if found["with"]["whole.wav"]["status"] != "done":
                raise SystemExit(f"batch {batch}: the whole recording suffered")
            for path in [folder, root / "with", root / "without"]:
                shutil.rmtree(path)
    print(f"{sum(totals.values())} files: " + ", ".join(
        f"{count} {reason}" for reason, count in totals.most_common()))
    for way, (spent, passed) in cost.items():
        print(f"{way} --isolate: {spent:.1f} s of CPU, {passed:.1f} s")
    print(f"{len(differing)} entries differ")
    for difference in differing[:20]:
        print("  ", *difference)
    if differing:
        raise SystemExit(1)


main()
