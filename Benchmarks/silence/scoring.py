"""Counts frames and segments of sound that were found, missed and made up."""
import numpy as np

FRAME_SECONDS = 0.01
COLLARS_SECONDS = (0.0, 0.25)
# A miss is three times as dear as a false alarm.
MISS_WEIGHT, FALSE_WEIGHT = 0.75, 0.25
CLIPPED_SECONDS = 0.05


def mask(intervals, times):
    """Which of the times lie within the intervals."""
    inside = np.zeros(len(times), bool)
    for start, end in intervals:
        inside[np.searchsorted(times, start):np.searchsorted(times, end)] = True
    return inside


def between(intervals, duration):
    """What the intervals leave of a recording."""
    edges = [0.0] + [edge for interval in intervals for edge in interval] + [duration]
    return [[a, b] for a, b in zip(edges[::2], edges[1::2]) if b > a]


def shrunk(silences, duration, padding):
    """Silences without what is left around sound; those at the edges have sound on one side."""
    inner = ([start + padding * (start > 0), end - padding * (end < duration - 1e-6)]
             for start, end in silences)
    return [[start, end] for start, end in inner if end > start]


def seconds(intervals):
    return sum(end - start for start, end in intervals)


def overlap(one, other):
    """Seconds that are in both."""
    return sum(max(0.0, min(b, d) - max(a, c)) for a, b in one for c, d in other)


def clipped(true, found):
    """How many true segments lose more than 50 ms at an end."""
    count = 0
    for start, end in true:
        met = [interval for interval in found if interval[1] > start and interval[0] < end]
        count += (not met or met[0][0] - start > CLIPPED_SECONDS
                  or end - met[-1][1] > CLIPPED_SECONDS)
    return count


def measure(label, silences, separable, padding):
    """All counts of one recording, as numbers that add up over recordings.

    `silences` are those the detector found, `padding` what a trimmer leaves around sound.
    """
    duration, true = label["duration"], label["speech"]
    found = between(silences, duration)
    times = (np.arange(int(duration / FRAME_SECONDS)) + 0.5) * FRAME_SECONDS
    is_sound, is_found = mask(true, times), mask(found, times)
    counts = {}
    edges = np.array([edge for interval in true for edge in interval])
    is_known = ~mask(label.get("unknown", []), times)
    distance = np.full(len(times), np.inf)
    if len(edges):
        distance = np.abs(times[:, None] - edges[None, :]).min(1)
    for collar in COLLARS_SECONDS:
        used = is_known & (distance >= collar)
        counts[f"missed{collar}"] = int((is_sound & ~is_found & used).sum())
        counts[f"sound{collar}"] = int((is_sound & used).sum())
        counts[f"false{collar}"] = int((~is_sound & is_found & used).sum())
        counts[f"silence{collar}"] = int((~is_sound & used).sum())
    # What is silent throughout, or cannot be decided, is never cut.
    cuts = shrunk(silences, duration, padding) if separable else []
    removable = shrunk(between(true, duration), duration, padding) if true else []
    counts.update(
        segments=len(true), clipped=clipped(true, found), soundSeconds=seconds(true),
        lostSeconds=overlap(true, cuts), cutClipped=clipped(true, between(cuts, duration)),
        removableSeconds=seconds(removable), removedSeconds=overlap(removable, cuts))
    return counts


def total(measures):
    """The sums of several recordings' counts."""
    measures = list(measures)
    return {key: sum(counts[key] for counts in measures) for key in measures[0]} if measures else None


def share(part, whole):
    return 100 * part / whole if whole else 0.0


def rates(counts, collar=0.0):
    """Detection cost, misses and false alarms in per cent."""
    missed = share(counts[f"missed{collar}"], counts[f"sound{collar}"])
    false = share(counts[f"false{collar}"], counts[f"silence{collar}"])
    return MISS_WEIGHT * missed + FALSE_WEIGHT * false, missed, false
