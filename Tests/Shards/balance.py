"""How even shards are: the slowest over the mean, of three trees that look as people have them.

Usage: balance.py TAPEDECK [SHARDS]. Needs ffmpeg, and 3 GB below the temporary folder. Shards run
one after another with one worker; what counts is their processor time, helpers' too.
"""

import ctypes
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
SHARDS = int(sys.argv[2]) if len(sys.argv) > 2 else 8
CODECS = {"wav": [], "flac": [], "mp3": ["-b:a", "64k"], "opus": ["-b:a", "32k"],
          "m4a": ["-b:a", "64k"]}


def record(path, seconds, rate, loudness=0.2, seed=1):
    """Sound for four of seven seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sound = (f"anoisesrc=color=pink:amplitude={loudness}:duration={seconds}:sample_rate={rate}"
             f":seed={seed},volume='if(lt(mod(t,7),4),1,0.02)':eval=frame")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", sound,
                    *CODECS[path.suffix[1:]], path], check=True)


def interviews(root, random_):
    """Folders by year; hours and minutes, in what recorders and telephones write."""
    for number in range(60):
        kind = random_.choices(["wav", "mp3", "m4a"], [6, 2, 2])[0]
        seconds = min(7200, int(random_.lognormvariate(6.9, 0.8)))
        record(root / f"{2015 + number // 10}/{number:03}.{kind}", seconds, 16000, seed=number)


def field(root, random_):
    """Sites with recorders that write a minute at a time; some sites are quiet, some in the rain."""
    for site in range(12):
        first = root / f"site-{site:02}/0000.flac"
        record(first, 60, 48000, loudness=10 ** random_.uniform(-3, -0.3), seed=site)
        for number in range(1, random_.randint(20, 160)):
            shutil.copy(first, first.with_name(f"{number:04}.flac"))


def speech(root, random_):
    """Collections of short clips, each in a format of its own."""
    for part, kind in enumerate(["wav", "flac", "opus", "mp3", "wav", "flac"]):
        for kept in range(30):
            seconds = round(1 + random_.lognormvariate(1.3, 0.6), 2)
            first = root / f"collection-{part}/speaker-{kept:02}/000.{kind}"
            record(first, seconds, 16000, seed=part * 100 + kept)
            for number in range(1, random_.randint(5, 60)):
                shutil.copy(first, first.with_name(f"{number:03}.{kind}"))


def processor_seconds(words):
    process = subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL)
    spent = 0.0
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return spent
        if pid == process.pid and os.waitstatus_to_exitcode(status):
            raise SystemExit(f"{words} ends with {status}")
        spent += usage.ru_utime + usage.ru_stime


def main():
    # Helpers that outlive a run are waited for here: PR_SET_CHILD_SUBREAPER.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    for make in [interviews, field, speech]:
        with tempfile.TemporaryDirectory() as name:
            root, output = pathlib.Path(name) / "in", pathlib.Path(name) / "out"
            make(root, random.Random(1))
            count = sum(len(files) for _, _, files in os.walk(root))
            common = [root, "--output", output, "--no-config", "--quiet"]
            processor_seconds(["plan", *common, "--shards", str(SHARDS)])
            spent = [processor_seconds(["run", *common, "--shard", f"{number}/{SHARDS}", "-j1"])
                     for number in range(1, SHARDS + 1)]
            mean = sum(spent) / len(spent)
            print(f"{make.__name__:12} {count:5} recordings, {SHARDS} shards of"
                  f" {min(spent):.2f} to {max(spent):.2f} s of CPU, mean {mean:.2f} s:"
                  f" slowest over mean {max(spent) / mean:.2f}", flush=True)


main()
