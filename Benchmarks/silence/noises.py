"""Noises to lay under speech, of a length in samples, at any loudness."""
import numpy as np


def coloured(count, rate, random, shape):
    """White noise through a response given over frequency in hertz."""
    spectrum = np.fft.rfft(random.standard_normal(count))
    return np.fft.irfft(spectrum * shape(np.fft.rfftfreq(count, 1 / rate)), count)


def pink(count, rate, random):
    return coloured(count, rate, random, lambda hertz: 1 / np.sqrt(np.maximum(hertz, 20)))


def fan(count, rate, random):
    """Air through a duct, with the tone of its motor."""
    times = np.arange(count) / rate
    air = coloured(count, rate, random, lambda hertz: 1 / (1 + (hertz / 300) ** 1.2))
    tone = np.sin(2 * np.pi * random.uniform(90, 200) * times)
    return air / air.std() + 0.4 * tone


def hum(count, rate, random):
    times = np.arange(count) / rate
    mains = random.choice([50, 60])
    tones = sum(np.sin(2 * np.pi * mains * k * times + random.uniform(0, 6)) / k ** 0.8
                for k in range(1, 12))
    return tones + 0.05 * random.standard_normal(count)


def rain(count, rate, random):
    noise = coloured(count, rate, random, lambda hertz: np.minimum(1, (hertz + 50) / 1500))
    drops = np.zeros(count)
    places = random.integers(0, count, count // rate * 40)
    drops[places] = random.exponential(6, len(places))
    return noise / noise.std() + np.convolve(drops, np.exp(-np.arange(rate // 250) / (rate / 1500)),
                                             "same")


def clicks(count, rate, random):
    """A keyboard in a quiet room: short, each with its own colour."""
    result = 0.02 * pink(count, rate, random)
    result /= 40 * result.std()
    place = 0.0
    while place * rate < count - rate // 10:
        length = int(random.uniform(0.01, 0.03) * rate)
        burst = random.standard_normal(length) * np.exp(-np.arange(length) / (length / 4))
        start = int(place * rate)
        result[start:start + length] += burst * random.uniform(0.4, 1)
        place += random.exponential(0.2) + 0.05 if random.random() < 0.9 else random.uniform(1, 3)
    return result


def traffic(count, rate, random):
    """Cars that pass: low noise that swells and falls over seconds."""
    times = np.arange(count) / rate
    base = coloured(count, rate, random, lambda hertz: 1 / (1 + (hertz / 200)) ** 1.5)
    swell = 0.3 + sum(np.exp(-((times - random.uniform(0, times[-1])) / random.uniform(1, 3)) ** 2)
                      for _ in range(5))
    return base * swell


def wind(count, rate, random):
    turns = np.arange(0, count / rate + 0.7, 0.7)
    gusts = np.abs(np.interp(np.arange(count) / rate, turns, random.standard_normal(len(turns))))
    return coloured(count, rate, random, lambda hertz: 1 / (1 + hertz / 60) ** 1.6) * (0.3 + gusts)


def music(count, rate, random):
    """Plucked chords over a bass."""
    times = np.arange(int(0.9 * rate)) / rate
    result = np.zeros(count + len(times))
    for start in range(0, count, int(rate * 0.45)):
        for _ in range(3):
            pitch = 110 * 2 ** (random.choice([0, 3, 5, 7, 10, 12, 15, 17, 24]) / 12)
            tone = sum(np.sin(2 * np.pi * pitch * k * times) / k ** 1.5 for k in (1, 2, 3, 4))
            result[start:start + len(times)] += tone * np.exp(-times * 3)
    return result[:count]


def babble(count, rate, random, others):
    """Many people at once, none of them to be understood."""
    result = np.zeros(count)
    for _ in range(12):
        place = 0
        while place < count:
            clip = others[random.integers(len(others))]
            length = min(len(clip), count - place)
            result[place:place + length] += clip[:length]
            place += length + int(random.uniform(0, 0.4) * rate)
    return result


MAKERS = {"pink": pink, "fan": fan, "hum": hum, "rain": rain, "clicks": clicks, "traffic": traffic,
          "wind": wind, "music": music}
NAMES = ["white", "pink", "none", "fan", "babble", "hum", "clicks", "rain", "traffic", "wind",
         "music"]


def make(name, count, rate, random, others):
    """Noise of a kind; `others` are phrases for babble."""
    if name in ("white", "none"):
        return random.standard_normal(count)
    if name == "babble":
        return babble(count, rate, random, others)
    return MAKERS[name](count, rate, random)
