"""Makes noises of every kind: each function gives so many samples of mean square 1."""

import glob

import numpy as np
import scipy.signal
import soundfile
import soxr


def unit(samples):
    return samples / (np.sqrt(np.mean(samples**2)) + 1e-12)


def coloured(chance, rate, count, slope):
    """Noise whose power falls with the frequency to the power `slope`."""
    spectrum = np.fft.rfft(chance.standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / rate), 20)
    return unit(np.fft.irfft(spectrum * frequency ** (-slope / 2), count))


def filtered(samples, rate, low, high, order=2):
    low, high = max(low, 5), min(high, rate * 0.49)
    if low >= high:
        low = high / 2
    sos = scipy.signal.butter(order, [low, high], "band", fs=rate, output="sos")
    return scipy.signal.sosfilt(sos, samples)


def wander(chance, rate, count, seconds, decibels):
    """A gain that wanders by so many decibels (deviation) over so many seconds."""
    points = max(4, int(count / rate / seconds) + 3)
    values = chance.standard_normal(points) * decibels
    places = np.linspace(0, points - 1, count)
    smooth = np.interp(places, np.arange(points), values)
    return 10 ** (smooth / 20)


def white(chance, rate, count, babble):
    return unit(chance.standard_normal(count))


def pink(chance, rate, count, babble):
    return coloured(chance, rate, count, chance.uniform(0.8, 1.3))


def brown(chance, rate, count, babble):
    return coloured(chance, rate, count, chance.uniform(1.6, 2.2))


def hum(chance, rate, count, babble):
    time = np.arange(count) / rate
    base = chance.choice([50, 60, 100, 120]) * chance.uniform(0.999, 1.001)
    sound = np.zeros(count)
    for harmonic in range(1, chance.integers(6, 30)):
        if base * harmonic < rate / 2.2:
            strength = chance.uniform(0.1, 1) / harmonic ** chance.uniform(0.3, 1.2)
            sound += strength * np.sin(
                2 * np.pi * base * harmonic * time + chance.uniform(0, 6.28))
    return unit(unit(sound) + chance.uniform(0.03, 0.4) * pink(chance, rate, count, babble))


def aircon(chance, rate, count, babble):
    low = filtered(coloured(chance, rate, count, 1.2), rate, 30, chance.uniform(400, 3000), 1)
    time = np.arange(count) / rate
    rotor = chance.uniform(20, 130)
    tones = sum(np.sin(2 * np.pi * rotor * k * time + k) / k for k in range(1, 6))
    breath = 1 + chance.uniform(0, 0.3) * np.sin(2 * np.pi * chance.uniform(0.1, 2) * time)
    return unit((unit(low) + chance.uniform(0.05, 0.6) * unit(tones)) * breath)


def babble(chance, rate, count, voices):
    """Several talkers at once, some of them farther away."""
    total = np.zeros(count)
    for _ in range(chance.integers(3, 12)):
        place = -int(chance.integers(0, rate))
        gain = 10 ** (-chance.uniform(0, 10) / 20)
        pause = chance.choice([0.05, 0.15, 0.4])
        while place < count:
            speech = voices(chance, rate)
            start, end = max(place, 0), min(place + len(speech), count)
            if end > start:
                total[start:end] += gain * speech[start - place:end - place]
            place += len(speech) + int(chance.exponential(pause) * rate)
    return unit(total + 1e-4 * chance.standard_normal(count))


def crowd(chance, rate, count, voices):
    """Talkers in a hall."""
    sound = babble(chance, rate, count, voices) + babble(chance, rate, count, voices)
    tail = chance.standard_normal(int(0.5 * rate)) * np.exp(-np.arange(int(0.5 * rate)) / rate * 9)
    return unit(scipy.signal.fftconvolve(sound, tail)[:count])


def strike(chance, rate):
    """One short knock, click or key."""
    count = int(rate * chance.uniform(0.008, 0.09))
    time = np.arange(count) / rate
    decay = np.exp(-time * chance.uniform(40, 500))
    body = chance.standard_normal(count)
    if chance.random() < 0.5:
        body += 2 * np.sin(2 * np.pi * chance.uniform(150, min(4000, rate * 0.4)) * time)
    if chance.random() < 0.5:
        body = filtered(body, rate, chance.uniform(50, 1500), chance.uniform(2000, 8000), 1)
    return unit(body * decay) * chance.uniform(0.3, 1)


def keyboard(chance, rate, count, babble):
    sound = 0.01 * pink(chance, rate, count, babble)
    place = 0
    pause = chance.uniform(0.1, 0.5)
    kinds = [strike(chance, rate) for _ in range(chance.integers(2, 12))]
    while True:
        place += int(rate * (0.04 + chance.exponential(pause)))
        if chance.random() < 0.06:
            place += int(rate * chance.uniform(0.5, 3))
        if place >= count:
            break
        key = kinds[chance.integers(len(kinds))] * chance.uniform(0.4, 1)
        end = min(count, place + len(key))
        sound[place:end] += key[:end - place]
    return unit(sound)


def rain(chance, rate, count, babble):
    hiss = filtered(chance.standard_normal(count), rate, chance.uniform(200, 1500), 12000, 1)
    drops = np.zeros(count)
    for _ in range(int(count / rate * chance.uniform(3, 60))):
        place = chance.integers(0, count)
        drop = strike(chance, rate)[: int(0.02 * rate)] * chance.exponential(1)
        end = min(count, place + len(drop))
        drops[place:end] += drop[:end - place]
    sound = unit(hiss) + chance.uniform(0.1, 1.2) * unit(drops)
    return unit(sound * wander(chance, rate, count, 2, chance.uniform(0, 2)))


def music(chance, rate, count, babble):
    """Chords, a melody and sometimes a beat."""
    sound = np.zeros(count)
    beat = chance.uniform(0.15, 0.8)
    root = chance.uniform(55, 260)
    scale = [[0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10], [0, 3, 5, 7, 10]][chance.integers(3)]
    chords = chance.integers(0, len(scale), 4)
    brightness = chance.uniform(0.4, 2)
    decay = chance.choice([0, 0.5, 2, 6])
    vibrato = chance.choice([0, 0, 0.004, 0.01])
    attack = chance.choice([0.003, 0.02, 0.1])
    holds = chance.random() < 0.4
    for step in range(int(count / rate / beat) + 1):
        degrees = []
        if chance.random() < 0.75:
            degrees.append((chance.integers(0, len(scale) * 2), chance.choice([1, 1, 2, 4]), 1.0))
        if holds and step % 8 == 0 or not holds and step % 4 == 0 and chance.random() < 0.8:
            bottom = chords[step // 8 % 4]
            degrees += [(bottom + x, 8 if holds else 4, 0.6) for x in (0, 2, 4)]
        for degree, beats, gain in degrees:
            octave, place = divmod(int(degree), len(scale))
            pitch = root * 2 ** ((scale[place] + 12 * octave) / 12)
            time = np.arange(int(rate * beat * beats)) / rate
            phase = 2 * np.pi * pitch * time + vibrato * pitch / 5.5 * np.sin(2 * np.pi * 5.5 * time)
            tone = np.zeros(len(time))
            for k in range(1, 13):
                if pitch * k < rate * 0.45:
                    tone += np.sin(k * phase) / k**brightness
            tone *= gain * np.exp(-time * decay) * np.minimum(1, time / attack)
            tone *= np.minimum(1, time[::-1] / 0.02)
            start = int(step * beat * rate)
            end = min(count, start + len(tone))
            if end > start:
                sound[start:end] += tone[:end - start]
    sound = unit(sound)
    if chance.random() < 0.5:
        drums = np.zeros(count)
        for step in range(int(count / rate / beat * 2)):
            hit = strike(chance, rate)
            start = int(step * beat / 2 * rate)
            end = min(count, start + len(hit))
            if end > start and chance.random() < 0.7:
                drums[start:end] += hit[:end - start]
        sound = sound + chance.uniform(0.1, 1) * unit(drums)
    if chance.random() < 0.3:
        sound = filtered(sound, rate, chance.uniform(50, 300), chance.uniform(1500, 7000), 1)
    return unit(sound + 1e-3 * chance.standard_normal(count))


LOOPS = sorted(glob.glob("/usr/share/sonic-pi/samples/loop_*.flac")
               + glob.glob("/usr/share/sonic-pi/samples/ambi_*.flac")
               + glob.glob("/usr/share/games/fillets-ng/music/*.ogg"))


def record(chance, rate, count, babble):
    """Music that people made."""
    if not LOOPS:
        return music(chance, rate, count, babble)
    path = LOOPS[chance.integers(len(LOOPS))]
    with soundfile.SoundFile(path) as file:
        wanted = int(count / rate * file.samplerate) + file.samplerate
        if file.frames > wanted:
            file.seek(int(chance.integers(0, file.frames - wanted)))
        samples = file.read(wanted, always_2d=True).mean(1)
        samples = soxr.resample(samples, file.samplerate, rate, "HQ")
    return unit(np.resize(samples, count) + 1e-4 * chance.standard_normal(count))


def traffic(chance, rate, count, babble):
    rumble = coloured(chance, rate, count, chance.uniform(1.2, 2))
    tyres = filtered(chance.standard_normal(count), rate, 300, chance.uniform(1500, 5000), 1)
    time = np.arange(count) / rate
    passing = np.zeros(count)
    for _ in range(chance.integers(1, 7)):
        middle, width = chance.uniform(0, count / rate), chance.uniform(0.7, 4)
        passing += chance.uniform(0.3, 1) * np.exp(-(((time - middle) / width) ** 2))
    return unit(0.5 * rumble + unit(tyres) * (0.1 + passing))


def wind(chance, rate, count, babble):
    gusts = wander(chance, rate, count, chance.uniform(0.3, 2), chance.uniform(3, 9))
    low = coloured(chance, rate, count, chance.uniform(1.2, 2.4))
    return unit(low * np.minimum(gusts, 8))


def machine(chance, rate, count, babble):
    time = np.arange(count) / rate
    turn = chance.uniform(0.7, 25)
    pulse = (0.5 + 0.5 * np.sin(2 * np.pi * turn * time)) ** chance.uniform(1, 8)
    noise = filtered(chance.standard_normal(count), rate, chance.uniform(50, 800),
                     chance.uniform(1500, 9000), 1)
    whine = chance.uniform(200, 3000)
    tone = np.sin(2 * np.pi * whine * time + 0.5 * np.sin(2 * np.pi * turn * time))
    return unit(unit(noise) * (0.15 + pulse) + chance.uniform(0, 0.5) * tone)


def engine(chance, rate, count, babble):
    speed = chance.uniform(25, 90) * wander(chance, rate, count, 3, 0.8)
    phase = 2 * np.pi * np.cumsum(speed) / rate
    sound = sum(chance.uniform(0.2, 1) / k**0.7 * np.sin(k * phase + k * k) for k in range(1, 25))
    return unit(unit(sound) + chance.uniform(0.1, 0.7) * pink(chance, rate, count, babble))


def birds(chance, rate, count, babble):
    sound = 0.05 * pink(chance, rate, count, babble)
    for _ in range(int(count / rate * chance.uniform(0.3, 3))):
        length = int(rate * chance.uniform(0.04, 0.4))
        time = np.arange(length) / rate
        pitch = chance.uniform(1500, 6000) + chance.uniform(-8000, 8000) * time
        pitch += 500 * np.sin(2 * np.pi * chance.uniform(5, 40) * time)
        pitch = np.clip(pitch, 900, rate * 0.45)
        call = np.sin(2 * np.pi * np.cumsum(pitch) / rate) * np.hanning(length)
        start = chance.integers(0, count)
        end = min(count, start + length)
        sound[start:end] += call[:end - start] * chance.uniform(0.2, 1)
    return unit(sound)


def crackle(chance, rate, count, babble):
    """A worn record, or a bad contact."""
    sound = 0.1 * pink(chance, rate, count, babble)
    hits = chance.random(count) < chance.uniform(3, 200) / rate
    sound[hits] += chance.standard_normal(int(hits.sum())) * chance.exponential(2, int(hits.sum()))
    return unit(filtered(sound, rate, 80, chance.uniform(3000, 12000), 1))


def steps(chance, rate, count, babble):
    """Footsteps, dishes, chairs: longer and rarer than keys."""
    sound = 0.02 * brown(chance, rate, count, babble)
    place = 0
    while True:
        place += int(rate * (0.3 + chance.exponential(0.6)))
        if place >= count:
            break
        length = int(rate * chance.uniform(0.03, 0.35))
        time = np.arange(length) / rate
        knock = chance.standard_normal(length) * np.exp(-time * chance.uniform(12, 90))
        for _ in range(chance.integers(0, 4)):
            ring = chance.uniform(120, 5000)
            knock += np.sin(2 * np.pi * ring * time) * np.exp(-time * chance.uniform(6, 60))
        knock = filtered(knock, rate, 40, chance.uniform(600, 9000), 1) * chance.uniform(0.1, 1)
        end = min(count, place + length)
        sound[place:end] += knock[:end - place]
    return unit(sound)


def surf(chance, rate, count, babble):
    time = np.arange(count) / rate
    swell = 0.2 + (0.5 + 0.5 * np.sin(2 * np.pi * time / chance.uniform(1.5, 9) + 1)) ** 2
    return unit(coloured(chance, rate, count, chance.uniform(0.3, 1)) * swell)


KINDS = [white, pink, brown, hum, aircon, babble, crowd, keyboard, rain, music, record, traffic,
         wind, machine, engine, birds, crackle, steps, surf]

# Noise is made at this rate, and played at others.
RATE = 16_000
# Of these nothing changes but the colour when they are played faster.
BROADBAND = {"white", "pink", "brown", "keyboard", "rain", "crackle", "steps", "wind", "surf"}
