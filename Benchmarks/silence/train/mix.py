"""Mixes labelled recordings from voices and noises.

usage: mix.py VOICES.pickle FOLDER COUNT --seed N [--voices train|left-out|all] [--noises ...]

Writes FOLDER/00000.wav … and FOLDER/labels.json: for each file where speech is, in seconds. A
recording depends on the seed and its number only.
"""

import argparse
import json
import os
import pickle
import subprocess
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.signal
import soundfile
import soxr

import noises

# Left out of training while sizes and thresholds are chosen.
LEFT_OUT_VOICES = {
    "es_co", "fr_armelle", "it_menardi", "ast_ru", "kl_ar", "kl_cs", "kl_lt", "kl_nl", "kl_pt_BR",
    "kl_tn", "kt_lt", "librivox", "fe_czech_dita", "fe_czech_ph",
}
LEFT_OUT_NOISES = {"machine", "surf", "birds", "engine"}
SECONDS = 30
TAKE_SECONDS = 45

speakers = {}
bank = {}


def spoken(chance, rate, speaker=None, speed=None):
    """An utterance at a rate: samples and stretches of speech in seconds."""
    names = sorted(speakers)
    speaker = speaker or names[chance.integers(len(names))]
    own, samples, stretches = speakers[speaker][chance.integers(len(speakers[speaker]))]
    speed = speed or chance.uniform(0.86, 1.17)
    samples = soxr.resample(samples.astype(np.float32) / 32768, own * speed, rate, "HQ")
    return samples, [(a / speed, b / speed) for a, b in stretches]


def babbling(chance, rate):
    samples, stretches = spoken(chance, rate)
    begin, end = int(stretches[0][0] * rate), int(stretches[-1][1] * rate)
    return noises.unit(samples[begin:end]) if end > begin + 10 else np.zeros(rate // 10)


def equaliser(chance, rate):
    """The response of a microphone and what stands around it."""
    points = np.array([0, 120, 400, 1000, 2500, 5000, 9000, 24000])
    steps = np.cumsum(chance.normal(0, 2.2, len(points)))
    steps -= steps[3]
    frequency = np.linspace(0, rate / 2, 129)
    gains = 10 ** (np.interp(frequency, points, np.clip(steps, -14, 10)) / 20)
    return scipy.signal.firwin2(257, frequency, gains, fs=rate)


def shaped(samples, taps):
    reach = len(taps) // 2
    return scipy.signal.fftconvolve(samples, taps)[reach:reach + len(samples)]


def room(chance, rate, seconds):
    """An impulse response: the direct sound, early echoes and a decaying tail."""
    count = int(rate * seconds * 1.2)
    time = np.arange(count) / rate
    tail = chance.standard_normal(count) * 10 ** (-3 * time / seconds)
    tail = scipy.signal.lfilter([1, chance.uniform(0, 0.8)], [1], tail)
    tail[: int(rate * chance.uniform(0.001, 0.01))] = 0
    tail *= 10 ** (chance.uniform(-12, 2) / 20) / np.sqrt((tail**2).sum())
    tail[0] = 1
    return tail


def with_pauses_cut(samples, stretches, rate):
    """Silence where nothing is said, over short fades."""
    places, gains = [], []
    for a, b in stretches:
        places += [a - 0.025, a - 0.004, b + 0.004, b + 0.025]
        gains += [0, 1, 1, 0]
    return samples * np.interp(np.arange(len(samples)) / rate, places, gains)


def lay(chance, rate, kind, spread):
    """The track of speech alone, its labels, and by how many decibels some speak more quietly."""
    count = SECONDS * rate
    track, labels = np.zeros(count), []
    if kind == "silence":
        return track, labels, 0
    names = sorted(speakers)
    cast = [names[chance.integers(len(names))]
            for _ in range(chance.choice([2, 2, 3] if spread else [1, 1, 2, 3]))]
    quieter = {name: chance.uniform(0, spread) if spread and name != cast[0] else 0
               for name in cast}
    speeds = {name: chance.uniform(0.86, 1.17) for name in cast}
    taps = {name: equaliser(chance, rate) for name in cast}
    cuts = chance.random() < 0.7
    dense = kind in ("all_speech", "continuous")
    pause = chance.uniform(0.25, 0.9) if dense else chance.uniform(0.4, 2.5)
    place = 0.0 if kind == "all_speech" else chance.exponential(pause)
    speaker = cast[0]
    reference = None
    while place < SECONDS - 0.4:
        if chance.random() < (0.1 if dense else 0.4):
            speaker = cast[chance.integers(len(cast))]
        samples, stretches = spoken(chance, rate, speaker, speeds[speaker])
        start = int(place * rate)
        if start + len(samples) > count:
            break
        samples = shaped(samples, taps[speaker])
        if cuts or kind == "all_speech":
            samples = with_pauses_cut(samples, stretches, rate)
        active = np.concatenate([samples[int(a * rate):int(b * rate)] for a, b in stretches])
        level = np.sqrt(np.mean(active**2)) + 1e-9
        samples = samples / level * 10 ** ((chance.normal(0, 1.5) - quieter[speaker]) / 20)
        if kind == "quiet_after_loud" and place > SECONDS * 0.5:
            reference = reference or 10 ** (-chance.uniform(8, 20) / 20)
            samples = samples * reference
        track[start:start + len(samples)] += samples
        labels += [(place + a, place + b) for a, b in stretches]
        end = place + stretches[-1][1]
        if kind == "all_speech":
            place = end + chance.uniform(-0.06, 0.1)
        elif kind == "continuous":
            place = end + 0.05 + chance.exponential(pause)
            if chance.random() < 0.4 and place - end > 0.35:
                breathe(chance, track, rate, end, place)
        else:
            place = end + 0.3 + chance.exponential(pause)
            if chance.random() < 0.12:
                place += chance.uniform(2, 7)
    return track, merged(labels), max(quieter.values())


def breathe(chance, track, rate, begin, end):
    """A breath before the next words."""
    length = min(end - begin - 0.1, chance.uniform(0.15, 0.5))
    count = int(length * rate)
    breath = noises.filtered(chance.standard_normal(count), rate, chance.uniform(300, 900),
                             chance.uniform(2500, 8000), 1) * np.hanning(count)
    start = int((end - length - 0.04) * rate)
    breath = noises.unit(breath) * 10 ** (-chance.uniform(20, 40) / 20)
    if start < len(track):
        track[start:start + count] += breath[:len(track) - start]


def merged(labels):
    """Pauses under 0.15 s count as speech."""
    result = []
    for a, b in sorted(labels):
        if result and a - result[-1][1] < 0.15:
            result[-1][1] = max(b, result[-1][1])
        else:
            result.append([a, b])
    return result


def from_bank(chance, rate, name):
    """Noise of a kind, cut out of what was made of it."""
    count = SECONDS * rate
    takes = bank[name]
    take = takes[chance.integers(len(takes))]
    if name in noises.BROADBAND:
        speed = rate
    else:
        speed = noises.RATE * chance.uniform(0.8, 1.25)
    wanted = int(count / rate * speed) + 8
    if wanted >= len(take):
        take = np.concatenate([take, take[::-1]] * (wanted // len(take) // 2 + 1))
    start = int(chance.integers(0, len(take) - wanted))
    take = take[start:start + wanted].astype(np.float32)
    if speed != rate:
        take = soxr.resample(take, speed, rate, "MQ")
    return noises.unit(take[:count])


def bed(chance, rate, kind, names):
    """Noise of mean square 1 for the whole recording, and the name of its kind."""
    count = SECONDS * rate
    weights = np.array([2 if n in ("babble", "keyboard", "music", "white", "pink") else 1
                        for n in names], float)
    name = names[chance.choice(len(names), p=weights / weights.sum())]
    sound = from_bank(chance, rate, name)
    if chance.random() < 0.15:
        other = names[chance.integers(len(names))]
        name += "+" + other
        sound = sound + chance.uniform(0.2, 1) * from_bank(chance, rate, other)
    if chance.random() < 0.25:
        sound = shaped(sound, equaliser(chance, rate))
    if kind == "step" or chance.random() < 0.04:
        at, ramp = chance.uniform(0.2, 0.8) * count, chance.choice([0.02, 0.5, 3]) * rate
        change = chance.choice([-1, 1]) * chance.uniform(5, 20)
        sound = sound * 10 ** (np.interp(np.arange(count), [at, at + ramp], [0, change]) / 20)
    return noises.unit(sound), name


def events(chance, rate, track):
    """Knocks, beeps and thuds here and there, as loud as speech."""
    for _ in range(chance.integers(1, 12)):
        start = int(chance.integers(0, len(track)))
        if chance.random() < 0.7:
            sound = noises.strike(chance, rate) * 2
        else:
            time = np.arange(int(rate * chance.uniform(0.05, 0.6))) / rate
            sound = np.sin(2 * np.pi * chance.uniform(300, 3000) * time)
            sound *= np.minimum(1, np.minimum(time, time[::-1]) / 0.005)
        sound = sound * 10 ** (chance.uniform(-25, 6) / 20)
        end = min(len(track), start + len(sound))
        track[start:end] += sound[:end - start]


def levelled(chance, samples, rate):
    """Automatic gain control: quiet parts are brought up, more or less slowly."""
    hop = rate // 100
    count = len(samples) // hop
    squares = (samples[:count * hop].reshape(count, hop) ** 2).mean(1) + 1e-12
    level = 10 * np.log10(squares)
    goal = np.percentile(level, 95)
    most = chance.uniform(8, 30)
    attack, release = chance.uniform(0.02, 0.3), chance.uniform(0.2, 3)
    held, gains = goal, np.zeros(count)
    for index in range(count):
        seconds = attack if level[index] > held else release
        held += (level[index] - held) * min(1, 0.01 / seconds)
        gains[index] = min(most, goal - held)
    places = np.arange(len(samples)) / hop
    return samples * 10 ** (np.interp(places, np.arange(count) + 0.5, gains) / 20)


def drop_out(chance, samples, rate):
    """Digital silence where packets were lost, seldom or many times a second."""
    between = 10 ** chance.uniform(-1.1, 0.7)
    longest = min(0.13, between)
    begin = int(chance.uniform(0, len(samples) / 2))
    end = begin + int(rate * chance.uniform(3, SECONDS))
    place = begin
    while place < min(end, len(samples)):
        length = int(rate * chance.uniform(0.02, longest + 0.01))
        samples[place:place + length] = 0
        place += length + int(rate * chance.exponential(between))


CODECS = {
    "mp3": (["-c:a", "libmp3lame", "-b:a"], ["24k", "32k", "48k", "64k"], "mp3"),
    "opus": (["-c:a", "libopus", "-b:a"], ["8k", "12k", "16k", "24k"], "ogg"),
    "vorbis": (["-c:a", "libvorbis", "-q:a"], ["-1", "0", "2"], "ogg"),
    "aac": (["-c:a", "aac", "-b:a"], ["24k", "32k", "64k"], "m4a"),
}


def coded(chance, path, rate):
    """Sends a file through a codec and back, in place."""
    name = chance.choice(["mp3", "opus", "gsm", "ulaw", "vorbis", "aac"], p=[.3, .3, .2, .1, .05,
                                                                           .05])
    run = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", "-i"]
    back = 8000 if name in ("gsm", "ulaw") else rate
    if name == "gsm":
        subprocess.run(["sox", path, "-r", "8000", "-c", "1", path + ".gsm"], check=True)
        subprocess.run(["sox", path + ".gsm", path + ".out.wav"], check=True)
        middle = path + ".gsm"
    elif name == "ulaw":
        subprocess.run(run + [path, "-ar", "8000", "-c:a", "pcm_mulaw", path + ".au"], check=True)
        middle = path + ".au"
    else:
        options, rates, suffix = CODECS[name]
        middle = f"{path}.{suffix}"
        setting = str(rates[chance.integers(len(rates))])
        done = subprocess.run(run + [path] + options + [setting, middle])
        if done.returncode:
            return "none"
    if name != "gsm":
        subprocess.run(run + [middle, "-ar", str(back), "-c:a", "pcm_s16le", path + ".out.wav"],
                       check=True)
    os.replace(path + ".out.wav", path)
    os.remove(middle)
    return str(name)


def take(job):
    """One stretch of noise for the bank."""
    seed, name, number = job
    kinds = [k.__name__ for k in noises.KINDS]
    chance = np.random.default_rng([seed, 77, kinds.index(name), number])
    count = noises.RATE * TAKE_SECONDS
    sound = noises.KINDS[kinds.index(name)](chance, noises.RATE, count, babbling)
    return (sound / np.abs(sound).max()).astype(np.float32)


def recording(job):
    folder, seed, number, names, levelling, spread, lowest, low_pass, dropouts, ratios = job
    path = f"{folder}/{number:05d}.wav"
    if os.path.exists(path + ".json"):
        with open(path + ".json") as file:
            return os.path.basename(path), json.load(file)
    chance = np.random.default_rng([seed, number])
    rate = int(chance.choice([8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000],
                             p=[.23, .01, .36, .04, .02, .02, .18, .14]))
    kind = chance.choice(["basic", "step", "quiet_after_loud", "silence", "all_speech",
                          "continuous"], p=[.62, .08, .06, .06, .05, .13])
    track, labels, quieter = lay(chance, rate, kind, spread)
    reverberates = chance.random() < 0.24
    if reverberates:
        wet = scipy.signal.fftconvolve(track, room(chance, rate, chance.uniform(0.12, 0.8)))
        track = wet[:len(track)]
    noise, name = bed(chance, rate, kind, names)
    clean = chance.random() < 0.13
    # Where somebody speaks more quietly, it is that voice which stands so far above the noise.
    ratio = chance.uniform(*ratios) + quieter
    strength = 10 ** (-ratio / 20)
    if clean:
        name, strength = "none", 0
    mixture = track + strength * noise
    if chance.random() < 0.15:
        events(chance, rate, mixture)
    if clean and chance.random() < 0.8:
        floor = noises.coloured(chance, rate, len(track), chance.uniform(0, 1.5))
        mixture += floor * 10 ** (-chance.uniform(40, 80) / 20)
    mixture *= 10 ** (chance.uniform(lowest, -11) / 20)
    effects = []
    if reverberates:
        effects.append("reverberation")
    if chance.random() < levelling:
        mixture = levelled(chance, mixture, rate)
        effects.append("gain control")
    if chance.random() < low_pass and rate > 8000:
        sos = scipy.signal.butter(int(chance.choice([2, 4, 8])), chance.uniform(1800, 3900),
                                  fs=rate, output="sos")
        mixture = scipy.signal.sosfilt(sos, mixture)
        effects.append("low-pass")
    lost = dropouts and chance.random() < dropouts
    if chance.random() < 0.05:
        mixture = mixture + chance.uniform(-0.05, 0.05)
    if chance.random() < 0.02:
        mixture = np.clip(mixture * 6, -0.5, 0.5)
    fine = lowest < -50
    if fine or (clean and chance.random() < 0.3):
        pass  # Digital silence stays.
    else:
        mixture = mixture + chance.uniform(-0.5, 0.5, len(mixture)) / 32768
    if lost:
        drop_out(chance, mixture, rate)
        effects.append("dropouts")
    if chance.random() < 0.2:
        side = mixture * 10 ** (-chance.uniform(0, 30) / 20)
        mixture = np.stack([mixture, side if chance.random() < 0.7 else 0 * side], 1)
    soundfile.write(path, np.clip(mixture, -1, 1), rate, subtype="PCM_24" if fine else "PCM_16")
    if chance.random() < 0.17:
        effects.append(coded(chance, path, rate))
    facts = {
        "kind": str(kind), "noise": name, "snr": 99 if clean else round(ratio), "fs": rate,
        "ch": mixture.ndim, "duration": float(SECONDS), "effects": effects,
        "speech": [[round(a, 4), round(b, 4)] for a, b in labels]}
    with open(path + ".json", "w") as file:
        json.dump(facts, file)
    return os.path.basename(path), facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pickle")
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--voices", choices=["train", "left-out", "all"], default="train")
    parser.add_argument("--noises", default="train",
                        help="train, left-out, all, or names separated by commas")
    parser.add_argument("--takes", type=int, default=12, help="of each kind of noise")
    parser.add_argument("--levelling", type=float, default=0.12,
                        help="share of recordings with automatic gain control")
    parser.add_argument("--spread", type=float, default=0,
                        help="by up to so many decibels some speakers are quieter than the others")
    parser.add_argument("--low-pass", type=float, default=0.1,
                        help="share of recordings that end between 1.8 and 3.9 kHz")
    parser.add_argument("--dropouts", type=float, default=0,
                        help="share of recordings of which packets were lost")
    parser.add_argument("--ratios", default=(-1, 33), help="of voices to noise, in decibels",
                        type=lambda text: tuple(map(float, text.split(","))))
    parser.add_argument("--lowest", type=float, default=-38, help="dBFS of the quietest recordings")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    with open(arguments.pickle, "rb") as file:
        everyone = pickle.load(file)
    for speaker, utterances in everyone.items():
        left_out = speaker in LEFT_OUT_VOICES
        if arguments.voices == "all" or left_out == (arguments.voices == "left-out"):
            speakers[speaker] = utterances
    names = [k.__name__ for k in noises.KINDS]
    if arguments.noises == "train":
        names = [n for n in names if n not in LEFT_OUT_NOISES]
    elif arguments.noises == "left-out":
        names = sorted(LEFT_OUT_NOISES)
    elif arguments.noises != "all":
        names = arguments.noises.split(",")
    jobs = [(arguments.folder, arguments.seed, n, names, arguments.levelling, arguments.spread,
             arguments.lowest, arguments.low_pass, arguments.dropouts,
             arguments.ratios) for n in range(arguments.count)]
    wanted = [(arguments.seed, n, t) for n in names for t in range(arguments.takes)]
    with ProcessPoolExecutor(2) as pool:
        for (_, name, _), sound in zip(wanted, pool.map(take, wanted)):
            bank.setdefault(name, []).append(sound)
    print("noises made", flush=True)
    with ProcessPoolExecutor(2) as pool:
        labels = dict(pool.map(recording, jobs, chunksize=4))
    with open(f"{arguments.folder}/labels.json", "w") as file:
        json.dump(labels, file)


if __name__ == "__main__":
    main()
