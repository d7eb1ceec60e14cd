"""Makes shifted copies of a labelled folder, to see what a detector loses where it was not trained.

usage: shifts.py FOLDER OUTPUT

OUTPUT/reverberation, gain-control, low-pass, mp3, opus and gsm each hold a copy of every recording
and labels.json with the names of the copies.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.signal
import soundfile


def reverberation(samples, rate):
    """A room that takes 0.35 s to fall by 60 dB, as strong as the direct sound."""
    chance = np.random.default_rng(35)
    time = np.arange(int(0.45 * rate)) / rate
    tail = chance.standard_normal(len(time)) * 10 ** (-3 * time / 0.35)
    tail[: int(0.003 * rate)] = 0
    tail /= np.sqrt((tail**2).sum())
    tail[0] = 1
    wet = scipy.signal.fftconvolve(samples, tail[:, None], axes=0)[:len(samples)]
    return wet * (np.abs(samples).max() / max(np.abs(wet).max(), 1e-9))


def gain_control(samples, rate):
    """Brings quiet passages up by at most 24 dB: in 50 ms down, in 0.5 s up."""
    hop = rate // 100
    count = len(samples) // hop
    mono = samples.mean(1)[:count * hop].reshape(count, hop)
    level = 10 * np.log10((mono**2).mean(1) + 1e-10)
    goal = np.percentile(level, 95)
    held, gains = goal, []
    for value in level:
        held += (value - held) * min(1, 0.01 / (0.05 if value > held else 0.5))
        gains.append(min(24, goal - held))
    gain = np.interp(np.arange(len(samples)) / hop, np.arange(count) + 0.5, gains)
    return np.clip(samples * 10 ** (gain / 20)[:, None], -1, 1)


def low_pass(samples, rate):
    sos = scipy.signal.butter(8, 2500, fs=rate, output="sos")
    return scipy.signal.sosfilt(sos, samples, axis=0)


CODECS = {
    "mp3": (["-c:a", "libmp3lame", "-b:a", "32k"], "mp3"),
    "opus": (["-c:a", "libopus", "-b:a", "12k"], "ogg"),
}


def shifted(job):
    source, target, shift = job
    quiet = ["-nostdin", "-v", "error", "-y", "-threads", "1"]
    if shift == "gsm":
        subprocess.run(["sox", "-V1", source, "-r", "8000", "-c", "1", target + ".gsm"], check=True)
        subprocess.run(["sox", "-V1", target + ".gsm", target], check=True)
        os.remove(target + ".gsm")
    elif shift in CODECS:
        options, suffix = CODECS[shift]
        between = f"{target}.{suffix}"
        subprocess.run(["ffmpeg", *quiet, "-i", source, *options, between], check=True)
        subprocess.run(["ffmpeg", *quiet, "-i", between, target], check=True)
        os.remove(between)
    else:
        samples, rate = soundfile.read(source, always_2d=True)
        change = {"reverberation": reverberation, "gain-control": gain_control,
                  "low-pass": low_pass}[shift]
        soundfile.write(target, change(samples, rate), rate, subtype="PCM_16")


def main(folder, output):
    with open(f"{folder}/labels.json") as file:
        labels = json.load(file)
    jobs = []
    for shift in ["reverberation", "gain-control", "low-pass", "mp3", "opus", "gsm"]:
        os.makedirs(f"{output}/{shift}", exist_ok=True)
        renamed = {}
        for name, facts in labels.items():
            copy = os.path.splitext(name)[0] + ".wav"
            renamed[copy] = facts
            jobs.append((f"{folder}/{name}", f"{output}/{shift}/{copy}", shift))
        with open(f"{output}/{shift}/labels.json", "w") as file:
            json.dump(renamed, file)
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(shifted, jobs))


if __name__ == "__main__":
    main(*sys.argv[1:])
