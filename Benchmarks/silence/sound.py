"""Sound in and out of files, by way of ffmpeg."""
import json
import shutil
import subprocess
import sys

import numpy as np


def need(tool):
    if not shutil.which(tool):
        sys.exit(f"score: {tool} is missing: apt install {tool}")


def read(path, rate=None, filters=None):
    """Samples by frame and channel, and the rate; at another rate where one is asked for."""
    need("ffmpeg")
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "stream=sample_rate,channels", "-of", "json",
         path], capture_output=True, check=True)
    stream = json.loads(probe.stdout)["streams"][0]
    options = ["-ar", str(rate)] if rate else []
    raw = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, *options, "-f", "f32le", "-"],
        capture_output=True, check=True).stdout
    samples = np.frombuffer(raw, "<f4").reshape(-1, stream["channels"])
    return samples.astype(float), rate or int(stream["sample_rate"])


def write(path, samples, rate):
    """16 bits with dither, in the container of the name's ending."""
    need("ffmpeg")
    samples = samples.reshape(len(samples), -1)
    dither = np.random.default_rng(1)
    noise = dither.random(samples.shape) - dither.random(samples.shape)
    whole = np.clip(np.round(samples * 32767 + noise), -32768, 32767).astype("<i2")
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "s16le", "-ar", str(rate), "-ac",
         str(samples.shape[1]), "-i", "-", path], input=whole.tobytes(), check=True)


def through(codec, path, target, rate):
    """Encodes a file and decodes it again into `target`, with the codec's delay taken off."""
    need("ffmpeg")
    ending, options = codec
    coded = f"{target}.{ending}"
    run = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i"]
    subprocess.run([*run, path, *options, coded], check=True)
    subprocess.run([*run, coded, "-ar", str(rate), target], check=True)
