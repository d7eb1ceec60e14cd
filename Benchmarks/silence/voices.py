"""Makes labelled recordings: clean speech laid on noise, with the times of every phrase.

The same seed and the same versions of espeak-ng and ffmpeg make the same recordings.
"""
import json
import os
import shutil
import subprocess
import tempfile

import numpy as np

import noises
import sound

RATES = [8000, 16000, 44100, 48000]
SECONDS = 30
SHORTEST_PAUSE_SECONDS = 0.3

PHRASES = {
    "en-gb": ["Yes.", "The fish swam past six ships.", "Please leave a message after the tone.",
              "Half of the staff left.", "Stop.", "I was born by the sea, in a house of stone."],
    "de": ["Ja.", "Das Schiff fuhr erst spät aus dem Hafen.", "Nichts.", "Bitte sprechen Sie jetzt."],
    "fr": ["Oui.", "Le petit chat est assis sur la chaise.", "Merci beaucoup, à bientôt."],
    "es": ["Sí.", "La casa estaba vacía desde hacía años.", "Hasta luego."],
    "fi": ["Kyllä.", "Vanha talo seisoi järven rannalla."],
    "pl": ["Tak.", "Szukam starszej siostry mojego sąsiada."],
    "hi": ["हाँ", "यह मेरा पुराना घर है।"],
    "cmn": ["是", "我们明天早上七点出发。"],
}
VARIANTS = ["", "+f2", "+m3", "+f4", "+m7"]


def spoken(folder):
    """Writes the phrases in several voices, as one file each."""
    for language, phrases in PHRASES.items():
        for index, phrase in enumerate(phrases):
            voice = language + VARIANTS[index % len(VARIANTS)]
            path = os.path.join(folder, f"{language}-{index}.wav")
            subprocess.run(["espeak-ng", "-v", voice, "-s", str(130 + 15 * (index % 4)), "-w", path,
                            phrase], check=True)


def hummed(folder, random):
    """Vowels between hisses, for where nothing speaks."""
    rate = 16000
    for index in range(20):
        parts = []
        for _ in range(random.integers(1, 7)):
            pitch = random.uniform(90, 230)
            times = np.arange(int(random.uniform(0.08, 0.25) * rate)) / rate
            phase = np.cumsum(pitch * (1 + 0.03 * np.sin(30 * times)) / rate)
            formants = sorted(random.uniform(300, 3200, 3))
            harmonics = np.arange(1, 30)
            weights = sum(1 / (1 + ((harmonics * pitch - formant) / 120) ** 2)
                          for formant in formants) / harmonics ** 0.5
            voiced = (weights[:, None] * np.sin(2 * np.pi * harmonics[:, None] * phase)).sum(0)
            parts.append(voiced * np.hanning(len(times)) ** 0.4)
            hiss = np.diff(random.standard_normal(int(random.uniform(0.05, 0.15) * rate)))
            parts.append(0.06 * hiss * np.hanning(len(hiss)) ** 0.5)
        speech = np.concatenate(parts)
        sound.write(os.path.join(folder, f"hum-{index}.wav"), 0.3 * speech / np.abs(speech).max(),
                    rate)


def speech_runs(samples, rate):
    """Where a clean clip is louder than 42 dB under its loud passages, in samples.

    Pauses under 0.3 s count as speech.
    """
    hop = rate // 100
    frames = len(samples) // hop
    levels = 10 * np.log10((samples[:frames * hop].reshape(frames, hop) ** 2).mean(1) + 1e-12)
    # A clip with noise in it would pass off the noise as speech.
    if frames < 5 or np.percentile(levels, 95) < max(-60, np.percentile(levels, 2) + 50):
        return []
    loud = np.concatenate([[False], levels > np.percentile(levels, 95) - 42, [False]])
    edges = np.flatnonzero(np.diff(loud.astype(int)))
    runs = []
    for start, end in zip(edges[::2], edges[1::2]):
        if runs and start - runs[-1][1] < 100 * SHORTEST_PAUSE_SECONDS:
            runs[-1][1] = end
        else:
            runs.append([start, end])
    return [[max(0, (start - 1) * hop), min(len(samples), (end + 1) * hop)]
            for start, end in runs if end - start >= 5]


def clips(paths, rate):
    """The phrases of clean files, cut out and gently faded, at the same loudness."""
    result = []
    for path in paths:
        samples = sound.read(path, rate)[0].mean(1)
        samples -= samples.mean()
        fade = rate // 200
        for start, end in speech_runs(samples, rate):
            clip = samples[start:end].copy()
            if len(clip) < 4 * fade:
                continue
            clip[:fade] *= np.linspace(0, 1, fade)
            clip[-fade:] *= np.linspace(1, 0, fade)
            result.append(clip / np.sqrt(np.mean(clip ** 2)))
    return result


def laid(clips, rate, random, shortest, longest):
    """Clips with pauses between them, and where they lie in seconds."""
    speech = np.zeros(SECONDS * rate)
    place, stretches = random.uniform(0.2, 2.5) if longest > 0.3 else 0, []
    while True:
        clip = clips[random.integers(len(clips))]
        start = int(place * rate)
        if start + len(clip) > len(speech) - rate // 5:
            break
        speech[start:start + len(clip)] += clip * 10 ** (random.normal(0, 1.5) / 20)
        end = (start + len(clip)) / rate
        if stretches and start / rate - stretches[-1][1] < SHORTEST_PAUSE_SECONDS:
            stretches[-1][1] = end
        else:
            stretches.append([start / rate, end])
        place = end + random.uniform(shortest, longest)
    return speech, [[round(start, 4), round(end, 4)] for start, end in stretches]


def recording(clips, rate, condition, noise, snr, random, others):
    """Samples of one recording, and the stretches of speech in it."""
    if condition == "silence":
        speech, stretches = np.zeros(SECONDS * rate), []
    elif condition == "all_speech":
        speech, stretches = laid(clips, rate, random, 0.02, 0.2)
    else:
        speech, stretches = laid(clips, rate, random, 0.35, 2.5)
    gain = np.ones(len(speech))
    if condition == "quiet_after_loud":
        gain[len(gain) // 2:] = 10 ** (-15 / 20)
    ground = noises.make(noise, len(speech), rate, random, others)
    ground *= 10 ** (-snr / 20) / max(1e-9, np.sqrt(np.mean(ground ** 2)))
    if condition == "step":
        ground[int(random.uniform(0.35, 0.65) * len(ground)):] *= 10 ** (10 / 20)
    mixed = speech * gain + ground
    level = random.uniform(-32, -16)
    mixed *= 10 ** (level / 20)
    peak = np.abs(mixed).max()
    if peak > 0.98:
        mixed *= 0.98 / peak
    if condition == "dc":
        mixed += random.choice([-0.08, -0.03, 0.05, 0.1])
    return mixed, stretches


CONDITIONS = ["basic"] * 9 + ["step", "dc", "quiet_after_loud", "step", "silence", "all_speech"]


def make(folder, count, seed, voices=None):
    """Makes so many recordings with labels.json beside them, of clean speech in `voices`."""
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as scratch:
        source = voices or scratch
        if voices is None:
            if shutil.which("espeak-ng"):
                spoken(scratch)
            else:
                hummed(scratch, random)
        paths = sorted(os.path.join(base, name) for base, _, names in os.walk(source)
                       for name in names if not name.endswith((".json", ".txt")))
        labels = {}
        for index in range(count):
            rate = RATES[index % 4]
            phrases = []
            while not phrases:
                chosen = random.choice(len(paths), min(len(paths), 14), replace=False)
                phrases = clips([paths[place] for place in chosen], rate)
            others = phrases + clips(
                [paths[random.integers(len(paths))] for _ in range(12)], rate)
            noise = noises.NAMES[index % len(noises.NAMES)]
            condition = CONDITIONS[(index * 7 + index // 15) % len(CONDITIONS)]
            snr = int(random.choice([0, 5, 10, 10, 20, 20, 30, 30]))
            if condition in ("step", "quiet_after_loud"):
                snr = max(20, snr)
            samples, stretches = recording(
                phrases, rate, condition, noise, 70 if noise == "none" else snr, random, others)
            name = f"m{index:03}_{condition}_{noise}_{snr:02}dB_{rate // 1000}k.flac"
            sound.write(os.path.join(folder, name), samples, rate)
            labels[name] = {
                "kind": condition, "noise": noise, "snr": 99 if noise == "none" else snr,
                "duration": len(samples) / rate, "speech": stretches}
    with open(os.path.join(folder, "labels.json"), "w") as file:
        json.dump(labels, file, indent=1)
