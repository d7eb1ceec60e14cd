"""Holds what a network expects to tell wrongly against what it does tell wrongly.

usage: calibrate.py NETWORK.pt DIR[,DIR] [--leave-out FOLD] [--factor F --power P]

Ten steps of recordings, from the surest to the least sure: the share of frames that the network's
logits expect to be wrong, the share that is, and what SpeechConfidence.swift would state with this
factor and this power. The fit is printed for the power that makes the ten steps agree best.
"""

import argparse

import numpy as np
import torch

import train

# A miss weighs three times as much in the logits.
MISS = np.log(3)


def expected(logits):
    """The mean chance that a frame is not what its logit's sign says."""
    odds = logits - MISS
    return float(np.mean(1 / (1 + np.exp(np.where(logits > 0, odds, -odds)))))


def shares(network, sets):
    """By recording: the share expected to be wrong, the share that is, and known frames."""
    result = []
    for recording in sets:
        logits = train.logits_of(network, recording[1])[:len(recording[2])]
        hit, alarm, miss, right = train.confusion(
            [recording], [logits], lambda values: train.decide(values, 0))
        known = hit + alarm + miss + right
        if known:
            result.append((expected(logits), (alarm + miss) / known, known))
    return np.array(sorted(result))


def steps(rows, count=10):
    """Means of each tenth, weighted by length."""
    return [(np.average(part[:, 0], weights=part[:, 2]), np.average(part[:, 1], weights=part[:, 2]))
            for part in np.array_split(rows, count)]


def fitted(rows):
    """The factor and power for which factor · expected ^ power comes nearest to each tenth."""
    best = None
    for power in np.arange(0.4, 1.51, 0.05):
        for factor in np.geomspace(0.3, 6, 60):
            error = sum((min(1, factor * claimed ** power) - wrong) ** 2
                        for claimed, wrong in steps(rows))
            best = min(best or (np.inf,), (error, factor, power))
    return best[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("network")
    parser.add_argument("folders")
    parser.add_argument("--leave-out", type=int)
    parser.add_argument("--factor", type=float)
    parser.add_argument("--power", type=float, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    network, _ = train.loaded(arguments.network)
    sets = [recording for folder in arguments.folders.split(",")
            for recording in train.read(folder)
            if arguments.leave_out is None or recording[3].get("fold") == arguments.leave_out]
    rows = shares(network, sets)
    factor, power = (arguments.factor, arguments.power) if arguments.factor else fitted(rows)
    print(f"{len(rows)} recordings; stated: 1 - {factor:.2f} · expected ^ {power:.2f}")
    print("| expected wrong | wrong | stated confidence | right |\n|--:|--:|--:|--:|")
    for claimed, wrong in steps(rows):
        stated = max(0, 1 - factor * claimed ** power)
        print(f"| {claimed:.3f} | {wrong:.3f} | {stated:.2f} | {1 - wrong:.3f} |")


if __name__ == "__main__":
    main()
