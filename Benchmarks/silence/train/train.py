"""Trains the speech network and writes its weights.

usage: train.py --train DIR[,DIR] --check NAME=DIR … [--width 24 --blocks 6 --seed 1] [--out net.npz]

Each DIR has labels.json and, in DIR/inputs or DIR.inputs, what show-inputs wrote of each recording.
"""

import argparse
import json
import os
import time

import numpy as np
import torch
from torch import nn

INPUTS = 28
FRAMES = 100


class Network(nn.Module):
    """Dilated convolutions at 20 ms, two outputs of 10 ms for each step."""

    def __init__(self, width, blocks):
        super().__init__()
        self.front = nn.Conv1d(INPUTS, width, 4, stride=2, padding=1)
        self.across = nn.ModuleList()
        self.along = nn.ModuleList()
        for block in range(blocks):
            dilation = 2**block
            self.along.append(
                nn.Conv1d(width, width, 5, dilation=dilation, padding=2 * dilation, groups=width))
            self.across.append(nn.Conv1d(width, width, 1))
        self.back = nn.Conv1d(width, 2, 1)

    def forward(self, inputs):
        """From (recordings, inputs, frames) to (recordings, frames), logits."""
        state = torch.relu(self.front(inputs))
        for along, across in zip(self.along, self.across):
            state = state + across(torch.relu(along(state)))
        return self.back(state).transpose(1, 2).reshape(len(inputs), -1)


def averaged(paths):
    """A saved network, or the mean of several that went on from the same one."""
    saved = [torch.load(path, weights_only=True) for path in paths.split(",")]
    states = [network["state"] for network in saved]
    mean = {name: sum(state[name] for state in states) / len(states) for name in states[0]}
    return {**saved[0], "state": mean}


def read(folder):
    """Names, inputs, speech per frame, labels of a labelled folder."""
    with open(f"{folder}/labels.json") as file:
        labels = json.load(file)
    sets = []
    for name, facts in sorted(labels.items()):
        path = f"{os.environ.get('INPUTS', folder)}/{os.path.basename(folder)}/{name}.f32"
        if not os.path.exists(path):
            path = f"{folder}/{name}.f32"
        inputs = np.fromfile(path, np.float32).reshape(-1, INPUTS)
        times = (np.arange(len(inputs)) + 0.5) / FRAMES
        speech = np.zeros(len(inputs), bool)
        for a, b in facts["speech"]:
            speech |= (times >= a) & (times < b)
        sets.append((name, inputs, speech, facts))
    return sets


def train(sets, width, blocks, seed, steps, batch, rate, start=None):
    """A network with the mean of the weights that it had in the last two fifths of its training."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    network = Network(width, blocks)
    if start:
        network.load_state_dict(averaged(start)["state"])
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.2)
    average = torch.optim.swa_utils.AveragedModel(network)
    length = 12 * FRAMES
    weight = torch.tensor(3.0)
    begin, running = time.time(), 0
    for step in range(steps):
        crops, truths = [], []
        for index in chance.integers(0, len(sets), batch):
            _, inputs, speech, _ = sets[index]
            start = chance.integers(0, max(1, (len(inputs) - length) // 2)) * 2
            crops.append(inputs[start:start + length].T)
            truths.append(speech[start:start + length])
        logits = network(torch.from_numpy(np.stack(crops)))
        truth = torch.from_numpy(np.stack(truths)).float()
        loss = nn.functional.binary_cross_entropy_with_logits(logits, truth, pos_weight=weight)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1)
        optimiser.step()
        schedule.step()
        running += loss.item()
        if step >= 0.6 * steps:
            average.update_parameters(network)
        if step % 500 == 499:
            print(f"  step {step + 1}: loss {running / 500:.4f}, {time.time() - begin:.0f} s",
                  flush=True)
            running = 0
    return average.module.eval()


def logits_of(network, inputs):
    if len(inputs) % 2:
        inputs = np.concatenate([inputs, np.zeros((1, INPUTS), np.float32)])
    with torch.no_grad():
        return network(torch.from_numpy(inputs.T[None].copy()))[0].numpy()


def decide(logits, threshold, pause=30, speech=17, before=1, tail=(2, 3)):
    """The likeliest stretches, as LikeliestStretches.swift and SpeechFinder.swift find them, but for
    words that the ends cut off, and digital silence, which mixes do not have."""
    values = logits.astype(np.float64) - threshold
    changes = np.flatnonzero(np.diff(values > 0)) + 1
    edges = [0, *changes, len(values)]
    sums = np.concatenate([[0], np.cumsum(values)])[edges]
    shortest = [pause, speech]
    worth = [[0.0], [0.0]]
    starts = [[0], [0]]
    opened = [(-1e30, 0), (-1e30, 0)]
    following = [0, 0]
    for edge in range(1, len(edges)):
        for kind in (0, 1):
            sign = 0.5 if kind else -0.5
            while (following[kind] < edge
                   and edges[edge] - edges[following[kind]] >= shortest[kind]):
                start = following[kind]
                value = worth[1 - kind][start] - sign * sums[start]
                opened[kind] = max(opened[kind], (value, start), key=lambda pair: pair[0])
                following[kind] += 1
            value, start = opened[kind]
            if kind == 0 and value < 0:
                value, start = 0.0, 0
            worth[kind].append(value + sign * sums[edge])
            starts[kind].append(start)
    last = len(edges) - 1
    best = (worth[0][last], 0, last)
    for edge in range(last, 0, -1):
        if edge < last and edges[last] - edges[edge] >= pause:
            break
        best = max(best, (worth[1][edge] - (sums[last] - sums[edge]) / 2, 1, edge),
                   key=lambda triple: triple[0])
    _, kind, edge = best
    found = []
    while edge > 0:
        start = starts[kind][edge]
        if kind:
            behind = values[edges[edge]:edges[edge] + tail[1]]
            dying = tail[0] + int(np.clip(behind + 1, 0, 1).sum() + 0.5)
            found.append([max(0, edges[start] - before), min(len(values), edges[edge] + dying)])
        kind, edge = 1 - kind, start
    return found[::-1]


def confusion(sets, logits, decision, collar=0):
    """Hits, false alarms, misses, correct rejections in frames, and both sides' clipping."""
    counts = np.zeros(4)
    for (_, _, speech, facts), values in zip(sets, logits):
        found = np.zeros(len(speech), bool)
        for a, b in decision(values[:len(speech)]):
            found[a:b] = True
        used = np.ones(len(speech), bool)
        if collar:
            edges = np.flatnonzero(np.diff(speech.astype(int))) + 1
            for edge in edges:
                used[max(0, edge - collar):edge + collar] = False
        counts += [(speech & found & used).sum(), (~speech & found & used).sum(),
                   (speech & ~found & used).sum(), (~speech & ~found & used).sum()]
    return counts


def cost(counts):
    hit, alarm, miss, right = counts
    return 75 * miss / max(1, hit + miss) + 25 * alarm / max(1, alarm + right)


def report(network, checks, thresholds=(-1.5, -1, -0.5, 0, 0.5, 1)):
    result = {}
    for name, sets in checks.items():
        logits = [logits_of(network, inputs) for _, inputs, _, _ in sets]
        costs = [cost(confusion(sets, logits, lambda v, t=t: decide(v, t))) for t in thresholds]
        near = cost(confusion(sets, logits, lambda v: decide(v, 0), 25))
        hit, alarm, miss, right = confusion(sets, logits, lambda v: decide(v, 0))
        result[name] = costs
        print(f"  {name:14s} " + " ".join(f"{c:5.2f}" for c in costs)
              + f" | 250 ms {near:5.2f} | at 0: miss {100 * miss / max(1, hit + miss):4.1f}"
              + f" alarm {100 * alarm / max(1, alarm + right):4.1f}", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", required=True)
    parser.add_argument("--check", action="append", default=[])
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=6e-3)
    parser.add_argument("--start", help="trained networks to go on from, their mean")
    parser.add_argument("--zero", default="", help="inputs left out, separated by commas")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    sets = [s for folder in arguments.train.split(",") for s in read(folder)]
    checks = {name: read(folder) for name, folder in (c.split("=") for c in arguments.check)}
    for index in [int(i) for i in arguments.zero.split(",") if i]:
        for _, inputs, _, _ in sets + [s for c in checks.values() for s in c]:
            inputs[:, index] = 0
    print(f"{len(sets)} recordings; {arguments}", flush=True)
    network = train(sets, arguments.width, arguments.blocks, arguments.seed, arguments.steps,
                    arguments.batch, arguments.rate, arguments.start)
    if arguments.out:
        torch.save({"width": arguments.width, "blocks": arguments.blocks,
                    "state": network.state_dict()}, arguments.out)
    print("  thresholds     -1.5  -1.0  -0.5   0.0   0.5   1.0")
    report(network, checks)


if __name__ == "__main__":
    main()
