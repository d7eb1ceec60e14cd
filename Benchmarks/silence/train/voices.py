"""Gathers the voices that the silence detector is trained on, and labels where they speak.

Every voice comes from a Debian package (see ATTRIBUTIONS.md); those of synthesisers are made here,
from words without meaning. One pickle holds all utterances, each with speaker, sample rate,
samples and the stretches in which it sounds.
"""

import glob
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.signal
import soundfile

ASTERISK = "/usr/share/asterisk/sounds"
FESTIVAL = [
    "kal_diphone", "ked_diphone", "cmu_us_slt_arctic_hts", "czech_dita", "czech_krb",
    "czech_machac", "czech_ph", "suo_fi_lj_diphone", "hy_fi_mv_diphone", "lp_diphone",
    "pc_diphone", "upc_ca_ona_hts",
]
FLITE = ["awb", "kal16", "rms", "slt"]
ESPEAK = [
    "af", "bg", "ca", "cs", "da", "de", "el", "en-gb", "en-us", "es", "et", "fi", "fr", "hr",
    "hu", "id", "it", "lv", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sv", "sw", "tr", "vi", "cmn",
]
PAUSE_SECONDS = 0.15
SHORTEST_SECONDS = 0.05


def recorded():
    """Paths of recorded utterances, by speaker."""
    for folder, name in [
        ("en_US_f_Allison", "ast_en"), ("es_MX_f_Allison", "ast_es"), ("fr_CA_f_June", "ast_fr"),
        ("it_IT_m_Carlo", "ast_it"), ("ru_RU_f_IvrvoiceRU", "ast_ru"), ("es", "es_co"),
        ("fr", "fr_armelle"), ("it_IT_f_Menardi", "it_menardi"),
    ]:
        for path in sorted(glob.glob(f"{ASTERISK}/{folder}/**/*", recursive=True)):
            if "/silence/" in path or not re.search(r"\.(wav|gsm)$", path):
                continue
            yield name, path
    for path in sorted(glob.glob("/usr/share/klettres/*/*/*")):
        if path.endswith(".ogg"):
            yield "kl_" + path.split("/")[4], path
    for path in sorted(glob.glob("/usr/share/ktuberling/sounds/*/*")):
        if re.search(r"\.(ogg|wav)$", path):
            yield "kt_" + path.split("/")[5], path
    for path in sorted(glob.glob("/usr/share/games/fillets-ng/sound/**/*.ogg", recursive=True)):
        language = os.path.basename(os.path.dirname(path))
        match = re.search(r"-([mv])-", os.path.basename(path))
        if language in ("nl", "cs") and match:
            yield f"fil_{language}_{match[1]}", path
    for path in sorted(glob.glob("/usr/share/pocketsphinx/test/data/librivox/*.wav")):
        yield "librivox", path


def words(chance, count):
    """Pronounceable words without meaning, with commas and full stops."""
    onsets = "b d f g h k l m n p r s t v z sh st tr pl kr".split()
    vowels = "a e i o u ai ou".split()
    result = []
    for _ in range(count):
        syllables = chance.choice([1, 1, 2, 2, 3])
        word = "".join(
            chance.choice(onsets) + chance.choice(vowels) + chance.choice(["", "", "n", "s", "l"])
            for _ in range(syllables))
        result.append(word + chance.choice(["", "", "", "", ",", "."]))
    return " ".join(result)


def synthetic():
    """What to have spoken: (speaker, command, text)."""
    chance = random.Random(5)
    variants = ["", "+f2", "+f4", "+m3", "+m7", "+f5", "+m1"]
    for number, voice in enumerate(ESPEAK):
        for _ in range(10):
            variant = variants[(number + chance.randrange(2)) % len(variants)]
            speed, pitch = chance.randint(110, 210), chance.randint(25, 75)
            yield (f"es_{voice}", ["espeak-ng", "-v", voice + variant, "-s", str(speed), "-p",
                                   str(pitch), "-w"], words(chance, chance.randint(1, 12)))
    for voice in FLITE:
        for _ in range(20):
            yield f"fl_{voice}", ["flite", "-voice", voice], words(chance, chance.randint(1, 12))
    for voice in FESTIVAL:
        for _ in range(12):
            text = words(chance, chance.randint(1, 10))
            yield f"fe_{voice}", ["text2wave", "-eval", f"(voice_{voice})"], text


def speak(job):
    """The samples of one synthetic utterance, or None where the voice cannot say it."""
    speaker, command, text = job
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        if command[0] == "espeak-ng":
            command = command + [path, text]
        elif command[0] == "flite":
            command = command + ["-t", text, "-o", path]
        else:
            with open(f"{folder}/a.txt", "w") as file:
                file.write(text)
            command = command + [f"{folder}/a.txt", "-o", path]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return load((speaker, path)) if os.path.exists(path) else None


def load(job):
    """(speaker, rate, samples, stretches), or None where there is nothing to hear."""
    speaker, path = job
    try:
        if path.endswith(".gsm"):
            samples, rate = soundfile.read(
                path, samplerate=8000, channels=1, format="RAW", subtype="GSM610")
        else:
            samples, rate = soundfile.read(path, always_2d=True)
            samples = samples.mean(1)
    except Exception:
        return None
    samples = (samples - samples.mean()).astype(np.float32)
    if len(samples) < 0.1 * rate or len(samples) > 40 * rate:
        return None
    stretches = label(samples, rate)
    if not stretches:
        return None
    start = max(0, int((stretches[0][0] - 0.05) * rate))
    end = min(len(samples), int((stretches[-1][1] + 0.08) * rate))
    cut = [(a - start / rate, b - start / rate) for a, b in stretches]
    peak = np.abs(samples).max()
    return speaker, rate, (samples[start:end] / peak * 32000).astype(np.int16), cut


def label(samples, rate):
    """The stretches in which a clean clip sounds: within 40 dB of its loudest frame and over its
    own floor; pauses under 0.15 s count as speech."""
    filtered = scipy.signal.sosfilt(
        scipy.signal.butter(2, 70, "high", fs=rate, output="sos"), samples)
    hop = rate // 200
    count = len(filtered) // hop - 1
    if count < 10:
        return []
    squares = (filtered[: (count + 1) * hop].reshape(-1, hop) ** 2).mean(1)
    level = 10 * np.log10((squares[:-1] + squares[1:]) / 2 + 1e-12)
    top = np.percentile(level, 99)
    floor = np.percentile(level, 3)
    if top < -55 or (top - floor < 25 and count > 100 and floor > -60):
        return []
    limit = max(top - 40, min(floor + 8, top - 25))
    loud = level > limit
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(int), [0]])))
    merged = []
    # Frame i covers 10 ms from i * 5 ms on.
    for a, b in zip(edges[::2] * 0.005 + 0.0025, edges[1::2] * 0.005 + 0.0025):
        if merged and a - merged[-1][1] < 0.1:
            merged[-1][1] = b
        else:
            merged.append([a, b])
    # A click is no speech.
    merged = [run for run in merged if run[1] - run[0] >= SHORTEST_SECONDS]
    joined = []
    for a, b in merged:
        if joined and a - joined[-1][1] < PAUSE_SECONDS:
            joined[-1][1] = b
        else:
            joined.append([a, b])
    return joined


def main(path):
    with ProcessPoolExecutor(2) as pool:
        utterances = [u for u in pool.map(load, recorded(), chunksize=32) if u]
        utterances += [u for u in pool.map(speak, synthetic(), chunksize=8) if u]
    # No speaker shall drown the others.
    chance = random.Random(1)
    chance.shuffle(utterances)
    speakers = {}
    for speaker, rate, samples, stretches in utterances:
        kept = speakers.setdefault(speaker, [])
        if len(kept) < 300:
            kept.append((rate, samples, stretches))
    with open(path, "wb") as file:
        pickle.dump(speakers, file)
    for speaker, kept in sorted(speakers.items()):
        seconds = sum(len(samples) / rate for rate, samples, _ in kept)
        print(f"{speaker:24s} {len(kept):4d} utterances {seconds:7.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])
